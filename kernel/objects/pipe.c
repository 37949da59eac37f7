/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes. Who waits keeps what it has still to read or to write on its own stack, and a reader that
 * waits is filled by the writer; a writer that waits goes on itself when there is room, so that
 * bytes stay in order. All writers are woken then: one alone may be aborted before it runs.
 *
 * A few bytes that go at once, and that nobody waits for, take a short way: they are moved masked,
 * whole or not at all, and neither the clock is asked nor a traversal begun. After a fault nothing
 * has changed.
 *
 * The bytes of threads are touched by arch_copy_guarded(), CONFIG_MASKED_BYTES at a time. In
 * between interrupts come in, and whoever is more urgent than the caller and than all who wait
 * here; so another call's bytes may come between those of a call of more. A fault at a reader's
 * buffer is the reader's. Those of user threads are looked at against the regions of the thread
 * whose they are, whoever copies, and anew whenever memory of threads has changed.
 */
#include "kernel/objects/pipe.h"
#include "kernel/hooks/object.h"
#include "kernel/hooks/poll.h"
#include "kernel/hooks/user.h"
#include "kernel/sched/sched.h"
#include "kernel/time/clock.h"
#include "kernel/time/timeout.h"
#include "lib/string.h"

#define STEP ((size_t)CONFIG_MASKED_BYTES) /* bytes that are copied masked */

/* What a call is about; a waiting reader's is at k_thread.wake_data. */
struct transfer {
	uint8_t *data;
	size_t len;
	size_t done;
	bool is_bad;   /* the caller's memory is none; nothing is left then */
	bool has_reported; /* a poller of what it has written */
	const struct k_thread *user; /* whose memory it has to be; NULL: kernel code's */
	struct user_known known;     /* of that */
};

void k_pipe_init(struct k_pipe *pipe, uint8_t *buffer, size_t size)
{
	object_init_begin(pipe, pipe);
	*pipe = (struct k_pipe)K_PIPE_INITIALIZER(buffer, size);
	object_init_end(pipe, pipe);
}

/*@ requires \valid_read(transfer) && transfer->done <= transfer->len;
  @ assigns \nothing;
  @ ensures \result == transfer->len - transfer->done;
  @*/
static size_t left(const struct transfer *transfer)
{
	return transfer->len - transfer->done;
}

/* The tick in which a call begins, where its time-out asks for it. Masked. */
static timeout_tick_t beginning(k_timeout_t timeout)
{
	return timeout.ticks == 0 || timeout.ticks == K_TICKS_FOREVER ? 0 : clock_ticks();
}

/* Of the time-out of a call that began at tick `begun`. Masked. */
static k_timeout_t time_left(k_timeout_t timeout, timeout_tick_t begun)
{
	k_ticks_t passed;

	if (timeout.ticks == 0 || timeout.ticks == K_TICKS_FOREVER ||
	    timeout_is_absolute(timeout)) {
		return timeout;
	}
	passed = (k_ticks_t)(clock_ticks() - begun);
	timeout.ticks = passed < timeout.ticks ? timeout.ticks - passed : 0;
	return timeout;
}

static const struct k_thread *user_of(const struct transfer *transfer)
{
	return IS_ENABLED(CONFIG_USERSPACE) ? transfer->user : NULL;
}

/* Few bytes of the memory of the caller, or of `user`, into ours, or back. */
static inline bool copy_of(const struct k_thread *user, void *to, const void *from, size_t bytes,
			   unsigned int side)
{
	return IS_ENABLED(CONFIG_USERSPACE) && user != NULL
		       ? user_copy_message(user, to, from, bytes, side)
		       : arch_copy_guarded(to, from, bytes, side) == ARCH_COPY_DONE;
}

/*
 * The next bytes of a call's memory, from or to `ours`. That they are its user's is looked at in a
 * step of its own. False: no more than that, or they are not: it goes no further.
 */
static bool copy(struct transfer *its, uint8_t *ours, size_t bytes, unsigned int side)
{
	const struct k_thread *user = user_of(its);
	uint8_t *data = its->data + its->done;
	const bool is_out = side == ARCH_COPY_TO;

	if (user != NULL && unlikely(!user_is_known(&its->known, (uintptr_t)data, bytes))) {
		if (user_know(&its->known, user, (uintptr_t)data, left(its), is_out)) {
			return false;
		}
	} else if (likely(arch_copy_guarded(is_out ? data : ours, is_out ? ours : data, bytes,
					    side) == ARCH_COPY_DONE)) {
		return true;
	}
	its->is_bad = true;
	its->len = its->done;
	return false;
}

/* `place` is less than twice its size. */
/*@ requires \valid_read(pipe) && place < 2 * pipe->size;
  @ assigns \nothing;
  @ ensures \result < pipe->size && (\result == place || \result == place - pipe->size);
  @*/
static inline size_t wrapped(const struct k_pipe *pipe, size_t place)
{
	return place < pipe->size ? place : place - pipe->size;
}

/*@ assigns \nothing;
  @ ensures \result <==> 0 < len <= STEP;
  @*/
static inline bool is_short(size_t len)
{
	return len != 0 && len <= STEP;
}

/* The caller's memory is none. */
static int bad_memory(const struct k_thread *user)
{
	if (IS_ENABLED(CONFIG_USERSPACE) && user != NULL) {
		user_message_fault();
	}
	fatal_raise(K_ERR_CPU_EXCEPTION, "pipe buffer");
	return -EFAULT;
}

/* Into the buffer, all of it, and nobody reads. False: nothing has changed. */
/* Model: pipe.write_to_buffer */
static inline bool write_at_once(struct k_pipe *pipe, const uint8_t *data, size_t len,
				 const struct k_thread *user)
{
	size_t at = wrapped(pipe, pipe->first + pipe->used);
	size_t first = MIN(len, pipe->size - at);

	if (!copy_of(user, pipe->buffer + at, data, first, ARCH_COPY_FROM) ||
	    (unlikely(first != len) &&
	     !copy_of(user, pipe->buffer, data + first, len - first, ARCH_COPY_FROM))) {
		return false;
	}
	pipe->used += len;
	return true;
}

/* The same out of it, and nobody writes. Model: pipe.read_from_buffer. */
static inline bool read_at_once(struct k_pipe *pipe, uint8_t *data, size_t len,
				const struct k_thread *user)
{
	size_t first = MIN(len, pipe->size - pipe->first);

	if (!copy_of(user, data, pipe->buffer + pipe->first, first, ARCH_COPY_TO) ||
	    (unlikely(first != len) &&
	     !copy_of(user, data + first, pipe->buffer, len - first, ARCH_COPY_TO))) {
		return false;
	}
	pipe->first = wrapped(pipe, pipe->first + len);
	pipe->used -= len;
	return true;
}

/*
 * The next bytes of the caller's on their way to a reader, in the kernel's hands between two steps.
 */
struct staged {
	size_t bytes;
	uint8_t data[STEP];
};

/*
 * From the caller to the first reader that waits, in steps of three kinds: the caller's bytes are
 * taken, given to the reader, and a reader that has all, or whose memory is none, is woken. So it
 * may wait for nothing for the length of a window; who writes then finds it so.
 * Model: pipe.write_to_reader.
 */
static void write_to_reader(struct k_pipe *pipe, struct transfer *own, struct staged *staged,
			    unsigned int key)
{
	struct k_thread *reader;
	struct transfer *its;
	size_t bytes;

	sched_traversal_window(key); /* that there is somebody was a step */
	reader = pipe->readers.head;
	if (unlikely(reader == NULL)) {
		return;
	}
	its = (struct transfer *)reader->wake_data;
	if (left(its) == 0) {
		sched_wake(reader, its->is_bad ? -EFAULT : 0);
		return;
	}
	if (staged->bytes == 0) {
		bytes = MIN(MIN(left(own), left(its)), STEP);
		sched_traversal_window(key); /* from here on it is the caller's alone */
		if (bytes != 0 && copy(own, staged->data, bytes, ARCH_COPY_FROM)) {
			staged->bytes = bytes;
		}
		return;
	}
	bytes = MIN(left(its), staged->bytes);
	if (copy(its, staged->data, bytes, ARCH_COPY_TO)) {
		staged->bytes = 0;
		own->done += bytes;
		its->done += bytes;
	}
}

/* Model: pipe.write_to_buffer */
static void write_to_buffer(struct k_pipe *pipe, struct transfer *own)
{
	size_t at = wrapped(pipe, pipe->first + pipe->used);
	size_t room = MIN(pipe->size - pipe->used, pipe->size - at);
	size_t bytes = MIN(MIN(left(own), room), STEP);

	if (copy(own, pipe->buffer + at, bytes, ARCH_COPY_FROM)) {
		bool is_news = pipe->used == 0 || !own->has_reported;

		own->done += bytes;
		pipe->used += bytes;
		if (is_news) { /* one poller a write, however many pieces it goes in */
			own->has_reported = true;
			poll_available(pipe, K_POLL_STATE_PIPE_DATA_AVAILABLE);
		}
	}
}

/* Model: pipe.read_from_buffer */
static void read_from_buffer(struct k_pipe *pipe, struct transfer *own)
{
	size_t there = MIN(pipe->used, pipe->size - pipe->first);
	size_t bytes = MIN(MIN(left(own), there), STEP);

	if (copy(own, pipe->buffer + pipe->first, bytes, ARCH_COPY_TO)) {
		own->done += bytes;
		pipe->first = wrapped(pipe, pipe->first + bytes);
		pipe->used -= bytes;
	}
}

/*@ requires \valid_read(pipe);
  @ assigns \nothing;
  @ ensures \result <==>
  @   !pipe->is_closed && (pipe->readers.head != \null || pipe->used < pipe->size);
  @*/
static bool may_write(const struct k_pipe *pipe)
{
	return !pipe->is_closed && (pipe->readers.head != NULL || pipe->used < pipe->size);
}

/* It goes on to where nothing is half done, whatever becomes of the caller. */
static void begin_traversal(struct k_pipe *pipe, unsigned int key)
{
	sched_traversal_finishes(true, key);
	sched_traversal_window(key);
	sched_traversal_ceiling(&pipe->readers, key);
	sched_traversal_window(key);
	sched_traversal_ceiling(&pipe->writers, key);
	sched_traversal_window(key);
}

/* Does the first reader wait with nothing left to read, or for what cannot be written? */
static bool is_served(const struct k_pipe *pipe)
{
	const struct k_thread *reader = pipe->readers.head;

	return reader != NULL && left((const struct transfer *)reader->wake_data) == 0;
}

/* As much as goes without waiting. Bound: 4 * (B / STEP + 1 + W) + D; interrupts are let in. */
static void write_some(struct k_pipe *pipe, struct transfer *own, unsigned int key)
{
	struct staged staged;

	staged.bytes = 0;
	sched_traversal_window(key); /* nothing was done yet */
	begin_traversal(pipe, key);
	while (is_served(pipe) ||
	       (left(own) != 0 && may_write(pipe) && !sched_traversal_is_to_end(key))) {
		if (pipe->readers.head != NULL) {
			write_to_reader(pipe, own, &staged, key);
		} else {
			staged.bytes = 0;
			write_to_buffer(pipe, own);
		}
		sched_traversal_window(key);
	}
	sched_traversal_end(key);
}

/* The writers that wait go on when this traversal is over, whatever becomes of the caller. */
/* Model: pipe.wake_writers */
static void wake_writers(struct k_pipe *pipe, unsigned int key)
{
	begin_traversal(pipe, key);
	(void)sched_wake_all(&pipe->writers, 0, key);
}

/*
 * The same. There will be room for those who wait with more; they are woken first, since the caller
 * may end in between. Bound: B / STEP + 2 + D.
 */
static void read_some(struct k_pipe *pipe, struct transfer *own, unsigned int key)
{
	sched_traversal_window(key); /* nothing was done yet */
	wake_writers(pipe, key);
	sched_traversal_finishes(false, key);
	while (left(own) != 0 && pipe->used != 0) {
		read_from_buffer(pipe, own);
		sched_traversal_window(key);
	}
	sched_traversal_end(key);
}

/* `error` ended a call; what it had done before is its result, where it was time that did. */
/* Model: pipe.result_of */
static int result_of(const struct transfer *own, int error)
{
	if (own->is_bad) {
		return bad_memory(user_of(own));
	}
	return (error == -EAGAIN || error == -EBUSY || error == 0) && own->done != 0
		       ? (int)own->done
	       : error == -EBUSY ? -EAGAIN
				 : error;
}

/* Any; the usual: step by step, or waiting. Restores key. Model: pipe.write. */
static __noinline int write_slow(struct k_pipe *pipe, const uint8_t *data, size_t len,
				 k_timeout_t timeout, const struct k_thread *user, unsigned int key)
{
	struct transfer own = {(uint8_t *)(uintptr_t)data, len, 0, false, false, user, {0}};
	const timeout_tick_t begun = beginning(timeout);
	k_timeout_t rest;
	int error = 0;

	sched_traversal_window(key); /* nothing was decided yet */
	if (timeout.ticks == 0 && !may_write(pipe) && len != 0) {
		error = pipe->is_closed ? -EPIPE : -EAGAIN;
		arch_irq_unlock(key);
		return error;
	}
	for (;;) { /* Bound: D, as others have closed it, or made room for it. */
		if (pipe->is_closed) {
			error = -EPIPE;
			break;
		}
		if (may_write(pipe) || len == 0) {
			write_some(pipe, &own, key);
			key = arch_irq_lock();
		}
		if (left(&own) == 0) {
			break;
		}
		if (may_write(pipe)) {
			continue; /* room was made meanwhile */
		}
		if (pipe->is_closed) {
			continue;
		}
		rest = time_left(timeout, begun);
		if (!sched_arm_first(rest, -EAGAIN, key)) {
			sched_traversal_window(key); /* that it waits was a step, too */
		}
		/* Bound: D, in a window. */
		if (pipe->is_closed || may_write(pipe)) {
			sched_disarm();
			continue;
		}
		/* Model: pipe.writer_waits */
		error = (int)sched_pend_slow(&pipe->writers, rest, key, -EAGAIN);
		key = arch_irq_lock();
		if (error != 0) {
			break;
		}
	}
	arch_irq_unlock(key);
	return result_of(&own, error);
}

static __noinline int write_short(struct k_pipe *pipe, const uint8_t *data, size_t len,
				  const struct k_thread *user, unsigned int key)
{
	if (unlikely(!write_at_once(pipe, data, len, user))) {
		arch_irq_unlock(key);
		return bad_memory(user);
	}
	poll_unlock(pipe, K_POLL_STATE_PIPE_DATA_AVAILABLE, key);
	return (int)len;
}

/* Saves no register itself: what does is called last. */
int pipe_write(struct k_pipe *pipe, const uint8_t *data, size_t len, k_timeout_t timeout,
	       const struct k_thread *user)
{
	unsigned int key = arch_irq_lock();

	if (likely(is_short(len) && !pipe->is_closed && pipe->readers.head == NULL &&
		   len <= pipe->size - pipe->used)) {
		return write_short(pipe, data, len, user, key);
	}
	return write_slow(pipe, data, len, timeout, user, key);
}

int k_pipe_write(struct k_pipe *pipe, const uint8_t *data, size_t len, k_timeout_t timeout)
{
	return pipe_write(pipe, data, len, timeout, NULL);
}

/* Is nothing there, or is it closed, also once a wait's time-out is armed? */
static inline bool stays_empty(const struct k_pipe *pipe, k_timeout_t rest, unsigned int key)
{
	if (pipe->is_closed) {
		return true;
	}
	if (!sched_arm_first(rest, -EAGAIN, key)) {
		sched_traversal_window(key); /* as a writer's */
	}
	if (pipe->used == 0 && pipe->writers.head == NULL && !pipe->is_closed) {
		return true;
	}
	sched_disarm();
	return false;
}

/* Likewise. Model: pipe.read. */
static __noinline int read_slow(struct k_pipe *pipe, uint8_t *data, size_t len, k_timeout_t timeout,
				const struct k_thread *user, unsigned int key)
{
	struct transfer own = {data, len, 0, false, false, user, {0}};
	const timeout_tick_t begun = beginning(timeout);
	const bool may_wait = timeout.ticks != 0 && !arch_in_isr();
	k_timeout_t rest = timeout;
	int error = 0;

	if (timeout.ticks == 0 && pipe->used == 0 && len != 0) {
		error = pipe->is_closed ? -EPIPE : -EAGAIN;
		arch_irq_unlock(key);
		return error;
	}
	/* Bound: D + 1, as writers come between what was there and the wait for more. */
	while (left(&own) != 0) {
		if (pipe->used != 0) {
			read_some(pipe, &own, key);
			key = arch_irq_lock();
		} else if (may_wait && !pipe->is_closed && pipe->writers.head != NULL) {
			/* From hand to hand: they find this reader when they run. */
			wake_writers(pipe, key);
			(void)sched_traversal_stop(key);
		} else {
			rest = time_left(timeout, begun);
			if (stays_empty(pipe, rest, key)) {
				break;
			}
		}
	}
	if (left(&own) == 0) {
		arch_irq_unlock(key);
		return result_of(&own, 0);
	}
	if (pipe->is_closed) {
		arch_irq_unlock(key);
		return own.done != 0 ? (int)own.done : -EPIPE;
	}
	if (may_wait) {
		k_cpu.current->wake_data = (uintptr_t)&own;
	}
	/* Model: pipe.reader_waits, pipe.expire */
	error = (int)sched_pend_slow(&pipe->readers, rest, key, -EAGAIN);
	if (!own.is_bad && ((error == -EPIPE && own.done != 0) || left(&own) == 0)) {
		return (int)own.done;
	}
	return result_of(&own, error);
}

static __noinline int read_short(struct k_pipe *pipe, uint8_t *data, size_t len,
				 const struct k_thread *user, unsigned int key)
{
	bool is_read = read_at_once(pipe, data, len, user);

	arch_irq_unlock(key);
	return likely(is_read) ? (int)len : bad_memory(user);
}

int pipe_read(struct k_pipe *pipe, uint8_t *data, size_t len, k_timeout_t timeout,
	      const struct k_thread *user)
{
	unsigned int key = arch_irq_lock();

	if (likely(is_short(len) && len <= pipe->used && pipe->writers.head == NULL)) {
		return read_short(pipe, data, len, user, key);
	}
	return read_slow(pipe, data, len, timeout, user, key);
}

int k_pipe_read(struct k_pipe *pipe, uint8_t *data, size_t len, k_timeout_t timeout)
{
	return pipe_read(pipe, data, len, timeout, NULL);
}

/* Model: pipe.end_waits */
static void end_waits(struct k_pipe *pipe, int error, unsigned int key)
{
	begin_traversal(pipe, key);
	(void)sched_wake_all(&pipe->readers, error, key);
	(void)sched_wake_all(&pipe->writers, error, key);
	sched_traversal_end(key);
}

/* Model: pipe.reset */
void k_pipe_reset(struct k_pipe *pipe)
{
	unsigned int key = arch_irq_lock();

	pipe->first = 0;
	pipe->used = 0;
	end_waits(pipe, -ECANCELED, key);
}

/* Model: pipe.close */
void k_pipe_close(struct k_pipe *pipe)
{
	unsigned int key = arch_irq_lock();

	pipe->is_closed = true;
	end_waits(pipe, -EPIPE, key);
}

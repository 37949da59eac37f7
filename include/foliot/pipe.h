/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Pipes: streams of bytes, through a buffer, or from hand to hand where its size is 0.
 *
 * Bytes go straight to a reader that waits, and into the buffer else. They are copied
 * CONFIG_MASKED_BYTES (64) at a time with interrupts masked: so many lie in one piece. In between
 * ISRs come in, and threads that are more urgent than the caller and than all who wait here; what
 * they write comes in between, too.
 */
#ifndef FOLIOT_PIPE_H
#define FOLIOT_PIPE_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_heap;

/** A pipe. */
struct k_pipe {
	_wait_q_t readers; /* all bytes that there are have gone to them */
	_wait_q_t writers; /* there is no room */
	uint8_t *buffer;
	size_t size; /* bytes */
	size_t first; /* where the first byte lies in the buffer */
	size_t used; /* bytes in it */
	bool is_closed;
	struct k_heap *pool; /* where k_pipe_alloc_init() took the buffer */
	K_POLL_MEMBER
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What a k_pipe is initialised with: open, empty. */
#define K_PIPE_INITIALIZER(pipe_buffer, pipe_size) \
	{                                          \
		WAIT_Q_INIT,                       \
		WAIT_Q_INIT,                       \
		(pipe_buffer),                     \
		(pipe_size),                       \
		0,                                 \
		0,                                 \
		false,                             \
		NULL K_POLL_INIT_ K_OBJ_CORE_INIT_ K_OBJECT_INIT_}
/**
 * Define a pipe with a buffer of `pipe_size` bytes, aligned to `align`, ready before any code runs;
 * at file scope.
 */
#define K_PIPE_DEFINE(name, pipe_size, align)                                             \
	static uint8_t __noinit __aligned(align) _k_pipe_buf_##name[MAX((pipe_size), 1)]; \
	struct k_pipe name = K_PIPE_INITIALIZER(_k_pipe_buf_##name, pipe_size);           \
	K_OBJ_CORE_STATIC_(name, pipe)

/**
 * Prepare a pipe, open and empty, with a buffer of `size` bytes; 0: none. By a user thread: the
 * buffer must be its own, is left alone, and another of that size is taken from its resource pool
 * (a violation where that has none), which goes back there with the pipe.
 * Context: either.
 */
void k_pipe_init(struct k_pipe *pipe, uint8_t *buffer, size_t size);

/**
 * Write `len` bytes, and wait until all of them are written.
 * Returns how many were; fewer where the time was over. -EAGAIN: none were, or called from an ISR
 * that would have had to wait (asserted: blocking-call-in-isr); -ECANCELED: k_pipe_reset() while
 * it waited; -EPIPE: the pipe is closed; -EFAULT: `data` is not memory, which ends the caller.
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_pipe_write(struct k_pipe *pipe, const uint8_t *data, size_t len, k_timeout_t timeout);

/**
 * Read `len` bytes, and wait until all of them are read. Of a closed pipe, what is left.
 * Returns how many were; fewer where the time was over or the pipe was closed. -EAGAIN, -ECANCELED,
 * -EFAULT: as k_pipe_write(); -EPIPE: the pipe is closed, and empty.
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_pipe_read(struct k_pipe *pipe, uint8_t *data, size_t len, k_timeout_t timeout);

/** Drop what is in it; whoever waits gets -ECANCELED. Context: either. */
void k_pipe_reset(struct k_pipe *pipe);

/**
 * Close it: nothing can be written any more, and read what is in it; whoever waits gets -EPIPE.
 * k_pipe_init() opens it again.
 * Context: either.
 */
void k_pipe_close(struct k_pipe *pipe);

#ifdef CONFIG_PIPES /* as of Zephyr 4.0 and before */
/**
 * As k_pipe_init(), with a buffer from the caller's resource pool.
 * Returns 0, or -ENOMEM: no pool, or exhausted.
 * Context: thread.
 */
int k_pipe_alloc_init(struct k_pipe *pipe, size_t size);

/**
 * Give that buffer back; the pipe is not to be used then.
 * Returns 0, or -EAGAIN while threads wait.
 * Context: thread.
 */
int k_pipe_cleanup(struct k_pipe *pipe);

/**
 * Write at least `min_xfer` bytes and at most `bytes_to_write`; *bytes_written is how many.
 * Returns 0; -EINVAL: min_xfer > bytes_to_write; -EIO: fewer would have been, K_NO_WAIT, and none
 * were; -EAGAIN: fewer were in time, or, K_NO_WAIT, readers who waited wanted fewer (in Zephyr
 * that is -EIO, too, and they get none); else as k_pipe_write().
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_pipe_put(struct k_pipe *pipe, const void *data, size_t bytes_to_write, size_t *bytes_written,
	       size_t min_xfer, k_timeout_t timeout);

/**
 * Read at least `min_xfer` bytes and at most `bytes_to_read`; *bytes_read is how many.
 * Returns as k_pipe_put(): 0, -EINVAL, -EIO, -EAGAIN, else as k_pipe_read().
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_pipe_get(struct k_pipe *pipe, void *data, size_t bytes_to_read, size_t *bytes_read,
	       size_t min_xfer, k_timeout_t timeout);

/** Returns how many bytes can be read now. Context: either. */
size_t k_pipe_read_avail(struct k_pipe *pipe);
/** Returns how many bytes can be written into the buffer now. Context: either. */
size_t k_pipe_write_avail(struct k_pipe *pipe);
/** Drop what is in the buffer; writers that wait go on. Context: either. */
void k_pipe_buffer_flush(struct k_pipe *pipe);
/** The same, and calls of writers that wait return as if their time were over. Context: either. */
void k_pipe_flush(struct k_pipe *pipe);
#endif

#endif /* FOLIOT_PIPE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes. Bytes are numbered as they are written, and what a reader got is part of its result. A call that moves
 * bytes ends each of its rounds with a place where others may run; so does the model, by BLOCKED without a wait.
 */
#include <stdio.h>

#include "model.h"

#define PIPES     3
#define SIZE_MAX_ 12
#define BYTES_MAX 20

static const size_t sizes[PIPES] = {0, 5, SIZE_MAX_};
static struct k_pipe pipes[PIPES];
static uint8_t buffers[PIPES][SIZE_MAX_];
static uint8_t next_byte, m_next_byte;

/* What a call is about. */
struct m_transfer {
	bool reads;
	int left;
	int done;
	int64_t begun; /* tick */
	unsigned int sum; /* of what was read, each byte by its place */
	uint8_t bytes[BYTES_MAX]; /* to be written */
};

static struct m_pipe {
	struct m_queue readers;
	struct m_queue writers;
	bool is_closed;
	int used;
	uint8_t byte[SIZE_MAX_];
} m_pipes[PIPES];
static struct m_transfer transfers[THREADS + 1]; /* the last: of handlers */

static void init(void)
{
	for (int i = 0; i < PIPES; i++) {
		k_pipe_init(&pipes[i], buffers[i], sizes[i]);
	}
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(PIPES);
	op->a = (int32_t)random_below(one_in(4) ? BYTES_MAX : 7);
}

static unsigned int add_byte(unsigned int sum, unsigned int place, uint8_t byte)
{
	return (sum + byte * (place + 1U)) & 0xffffU;
}

/* ---- the kernel's ---- */

static long real_write(const struct op *op)
{
	uint8_t bytes[BYTES_MAX];

	for (int i = 0; i < op->a; i++) {
		bytes[i] = ++next_byte;
	}
	return k_pipe_write(&pipes[op->object], bytes, (size_t)op->a, op->timeout);
}

static long real_read(const struct op *op)
{
	uint8_t bytes[BYTES_MAX];
	long got = k_pipe_read(&pipes[op->object], bytes, (size_t)op->a, op->timeout);
	unsigned int sum = 0;

	for (long i = 0; i < got; i++) {
		sum = add_byte(sum, (unsigned int)i, bytes[i]);
	}
	return got < 0 ? got : (long)sum << 8 | got;
}

static long real_reset(const struct op *op)
{
	k_pipe_reset(&pipes[op->object]);
	return 0;
}

/* Not by those who were told of something else, and are leaving. */
static bool is_polled(const struct k_pipe *pipe)
{
#ifdef CONFIG_POLL
	const struct k_poll_event *event = pipe->pollers;

	while (event != NULL && !event->poller->is_polling) {
		event = event->next == pipe->pollers ? NULL : event->next;
	}
	return event != NULL;
#else
	return false;
#endif
}

/* Closed, and at once or at some time opened again, unless it is polled: nobody waits in a pipe that is closed. */
static long real_close(const struct op *op)
{
	k_pipe_close(&pipes[op->object]);
	return 0;
}

static long real_open(const struct op *op)
{
	struct k_pipe *pipe = &pipes[op->object];

	if (!pipe->is_closed || is_polled(pipe)) {
		return SKIPPED;
	}
	k_pipe_init(pipe, buffers[op->object], sizes[op->object]);
	return 0;
}

/* ---- the model's ---- */

static struct m_transfer *own(void)
{
	return &transfers[model.in_isr ? THREADS : model.current];
}

static struct m_transfer *begin(const struct op *op, bool reads)
{
	struct m_transfer *mine = own();

	*mine = (struct m_transfer){.reads = reads, .left = op->a, .begun = m_now()};
	for (int i = 0; i < op->a && !reads; i++) {
		mine->bytes[i] = ++m_next_byte;
	}
	return mine;
}

static void take_byte(struct m_transfer *to, uint8_t byte)
{
	to->sum = add_byte(to->sum, (unsigned int)to->done, byte);
	to->done++;
	to->left--;
}

static uint8_t give_byte(struct m_transfer *from)
{
	from->left--;
	return from->bytes[from->done++];
}

static long result_of(const struct m_transfer *mine, long error)
{
	if (error == -EBUSY) {
		error = -EAGAIN; /* nothing there, and not to wait */
	}
	if (mine->done != 0 &&
	    (error == -EAGAIN || error == 0 || (mine->reads && error == -EPIPE))) {
		error = 0;
	} else if (error != 0) {
		return error;
	}
	return mine->reads ? (long)mine->sum << 8 | mine->done : mine->done;
}

/* Who may wait does; the rest of its time is what was left of it. */
static enum outcome wait(struct m_queue *queue, const struct op *op, long *result)
{
	const struct m_transfer *mine = own();
	k_timeout_t timeout = op->timeout;
	int64_t passed = m_now() - mine->begun;

	if (timeout.ticks != K_TICKS_FOREVER &&
	    (int64_t)timeout.ticks > 0) { /* none that ends at a tick */
		timeout.ticks = passed < (int64_t)timeout.ticks
					? (k_ticks_t)((int64_t)timeout.ticks - passed)
					: 0;
	}
	if (timeout.ticks == 0) {
		*result = result_of(mine, -EBUSY);
		return DONE;
	}
	model.thread[model.current].phase = 1;
	return m_pend(queue, timeout, -EAGAIN);
}

static bool may_write(const struct m_pipe *pipe, int object)
{
	return !pipe->is_closed && (pipe->readers.length != 0 || pipe->used < (int)sizes[object]);
}

/* One round of a writer: all that goes at once. */
static void write_round(struct m_pipe *pipe, int object, struct m_transfer *mine)
{
	while (mine->left != 0 && may_write(pipe, object)) {
		if (pipe->readers.length != 0) {
			int reader = pipe->readers.thread[0];

			take_byte(&transfers[reader], give_byte(mine));
			if (transfers[reader].left == 0) {
				m_wake(reader, 0);
			}
		} else {
			pipe->byte[pipe->used++] = give_byte(mine);
		}
	}
	if (pipe->used != 0) {
		m_poll_tell(&pollable_pipe, object);
	}
}

/* `moved`: it has moved bytes, and others may have run since. */
static enum outcome go_on_writing(const struct op *op, bool moved, long *result)
{
	struct m_pipe *pipe = &m_pipes[op->object];
	struct m_transfer *mine = own();

	for (;; moved = false) {
		if (!moved && pipe->is_closed) {
			*result = result_of(mine, -EPIPE);
			return DONE;
		}
		if (!moved && (may_write(pipe, op->object) || mine->left == 0)) {
			write_round(pipe, op->object, mine);
			if (!model.in_isr) {
				model.thread[model.current].phase = 2;
				return BLOCKED;
			}
		}
		if (mine->left == 0) {
			*result = result_of(mine, 0);
			return DONE;
		}
		if (!may_write(pipe, op->object) && !pipe->is_closed) {
			return wait(&pipe->writers, op, result);
		}
	}
}

static enum outcome model_write(const struct op *op, long *result)
{
	(void)begin(op, false);
	return go_on_writing(op, false, result);
}

static enum outcome resume_write(const struct op *op, long *result)
{
	const struct m_thread *t = &model.thread[model.current];

	if (t->phase == 1 && t->wake_result != 0) {
		*result = result_of(own(), t->wake_result);
		return DONE;
	}
	return go_on_writing(op, t->phase == 2, result);
}

static enum outcome go_on_reading(const struct op *op, long *result)
{
	struct m_pipe *pipe = &m_pipes[op->object];
	struct m_transfer *mine = own();

	while (pipe->used != 0 && mine->left != 0) {
		while (pipe->used != 0 && mine->left != 0) {
			take_byte(mine, pipe->byte[0]);
			pipe->used--;
			for (int at = 0; at < pipe->used; at++) {
				pipe->byte[at] = pipe->byte[at + 1];
			}
		}
		m_wake_all(&pipe->writers, 0);
		if (!model.in_isr) {
			model.thread[model.current].phase = 2;
			return BLOCKED;
		}
	}
	if (mine->left == 0 || pipe->is_closed) {
		*result = result_of(mine, mine->left == 0 ? 0 : -EPIPE);
		return DONE;
	}
	if (op->timeout.ticks != 0 && !model.in_isr) {
		while (pipe->writers.length != 0) {
			m_wake(pipe->writers.thread[0], 0);
		}
	}
	return wait(&pipe->readers, op, result);
}

static enum outcome model_read(const struct op *op, long *result)
{
	(void)begin(op, true);
	return go_on_reading(op, result);
}

static enum outcome resume_read(const struct op *op, long *result)
{
	const struct m_thread *t = &model.thread[model.current];

	if (t->phase == 1) {
		*result = result_of(own(), t->wake_result);
		return DONE;
	}
	return go_on_reading(op, result);
}

static void end_waits(struct m_pipe *pipe, long error)
{
	m_wake_all(&pipe->readers, error);
	m_wake_all(&pipe->writers, error);
}

static enum outcome model_reset(const struct op *op, long *result)
{
	m_pipes[op->object].used = 0;
	end_waits(&m_pipes[op->object], -ECANCELED);
	*result = 0;
	return DONE;
}

static enum outcome model_close(const struct op *op, long *result)
{
	m_pipes[op->object].is_closed = true;
	end_waits(&m_pipes[op->object], -EPIPE);
	*result = 0;
	return DONE;
}

static enum outcome model_open(const struct op *op, long *result)
{
	struct m_pipe *pipe = &m_pipes[op->object];

	*result = SKIPPED;
	if (pipe->is_closed && m_poll_waiting(&pollable_pipe, op->object) == 0) {
		pipe->is_closed = false;
		pipe->used = 0;
		*result = 0;
	}
	return DONE;
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < PIPES; i++) {
		n += snprintf(text + n, size - (size_t)n, "pipe %d: %d%s", i, (int)pipes[i].used,
			      pipes[i].is_closed ? " closed" : "");
		n += show_wait_q(text + n, size - (size_t)n, &pipes[i].readers);
		n += show_wait_q(text + n, size - (size_t)n, &pipes[i].writers);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < PIPES; i++) {
		n += snprintf(text + n, size - (size_t)n, "pipe %d: %d%s", i, m_pipes[i].used,
			      m_pipes[i].is_closed ? " closed" : "");
		n += show_m_queue(text + n, size - (size_t)n, &m_pipes[i].readers);
		n += show_m_queue(text + n, size - (size_t)n, &m_pipes[i].writers);
	}
	return n;
}

static void *real_object(int object)
{
	return &pipes[object];
}

static bool is_there(int object)
{
	return m_pipes[object].used != 0;
}

const struct pollable pollable_pipe = {PIPES, real_object, is_there};

static const struct op_type types[] = {
	{"pipe_write", 40, CAN_ALL, generate, real_write, model_write, resume_write},
	{"pipe_read", 40, CAN_ALL, generate, real_read, model_read, resume_read},
	{"pipe_reset", 3, CAN_ALL, generate, real_reset, model_reset, NULL},
	{"pipe_close", 2, CAN_ALL, generate, real_close, model_close, NULL},
	{"pipe_open", 6, CAN_ALL, generate, real_open, model_open, NULL},
};

const struct family family_pipe = {
	"pipe", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

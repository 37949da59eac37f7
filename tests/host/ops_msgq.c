/* SPDX-License-Identifier: Apache-2.0 */
/* Message queues: op.a is what the message says, above 0; op.b an index. */
#include <stdio.h>
#include <string.h>

#include "model.h"

#define MSGQS   2
#define PLACES  3
#define GARBLED (-1001)

/* Of odd size, and a copy that got only a part of it is noticed. */
struct message {
	int32_t number;
	char text[7];
} __packed;

static struct k_msgq msgqs[MSGQS];
static char buffers[MSGQS][PLACES * sizeof(struct message)];
static struct m_msgq {
	struct m_queue queue;
	int used;
	long number[PLACES];
} m_msgqs[MSGQS];
static long offered[THREADS]; /* by a thread that waits to put */

static void init(void)
{
	for (int i = 0; i < MSGQS; i++) {
		k_msgq_init(&msgqs[i], buffers[i], sizeof(struct message), PLACES);
	}
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(MSGQS);
	op->a = 1 + (int32_t)random_below(999);
	op->b = (int32_t)random_below(PLACES + 1);
}

static struct message write_message(long number)
{
	struct message message = {.number = (int32_t)number};

	for (size_t i = 0; i < sizeof(message.text); i++) {
		message.text[i] = (char)(number * 31 + (long)i);
	}
	return message;
}

static long read_message(const struct message *message)
{
	struct message expected = write_message(message->number);

	return memcmp(&expected, message, sizeof(expected)) == 0 ? message->number : GARBLED;
}

/* ---- put ---- */

static long real_put(const struct op *op)
{
	struct message message = write_message(op->a);

	return k_msgq_put(&msgqs[op->object], &message, op->timeout);
}

static enum outcome model_put(const struct op *op, long *result)
{
	struct m_msgq *msgq = &m_msgqs[op->object];

	*result = 0;
	if (msgq->used == PLACES) {
		if (op->timeout.ticks != 0) {
			offered[model.current] = op->a;
			return m_pend(&msgq->queue, op->timeout, -EAGAIN);
		}
		*result = -ENOMSG;
	} else if (msgq->queue.length != 0) {
		m_wake(msgq->queue.thread[0], op->a);
	} else {
		msgq->number[msgq->used++] = op->a;
		m_poll_tell(&pollable_msgq, op->object);
	}
	return DONE;
}

static long real_put_front(const struct op *op)
{
	struct message message = write_message(op->a);

	return k_msgq_put_front(&msgqs[op->object], &message);
}

static enum outcome model_put_front(const struct op *op, long *result)
{
	struct m_msgq *msgq = &m_msgqs[op->object];

	*result = 0;
	if (msgq->used == PLACES) {
		*result = -ENOMSG;
	} else if (msgq->queue.length != 0) {
		m_wake(msgq->queue.thread[0], op->a);
	} else {
		memmove(&msgq->number[1], msgq->number, sizeof(long) * (size_t)msgq->used);
		msgq->number[0] = op->a;
		msgq->used++;
		m_poll_tell(&pollable_msgq, op->object);
	}
	return DONE;
}

/* ---- get ---- */

static long real_get(const struct op *op)
{
	struct message message = {0};
	int result = k_msgq_get(&msgqs[op->object], &message, op->timeout);

	return result == 0 ? read_message(&message) : result;
}

static enum outcome model_get(const struct op *op, long *result)
{
	struct m_msgq *msgq = &m_msgqs[op->object];

	if (msgq->used == 0) {
		if (op->timeout.ticks != 0) {
			return m_pend(&msgq->queue, op->timeout, -EAGAIN);
		}
		*result = -ENOMSG;
		return DONE;
	}
	*result = msgq->number[0];
	msgq->used--;
	memmove(msgq->number, &msgq->number[1], sizeof(long) * (size_t)msgq->used);
	if (msgq->queue.length != 0) {
		int writer = msgq->queue.thread[0];

		msgq->number[msgq->used++] = offered[writer];
		m_wake(writer, 0);
	}
	return DONE;
}

static long real_peek(const struct op *op)
{
	struct message message = {0};
	int result = op->b == 0 ? k_msgq_peek(&msgqs[op->object], &message)
				: k_msgq_peek_at(&msgqs[op->object], &message, (uint32_t)op->b);

	return result == 0 ? read_message(&message) : result;
}

static enum outcome model_peek(const struct op *op, long *result)
{
	const struct m_msgq *msgq = &m_msgqs[op->object];

	*result = op->b < msgq->used ? msgq->number[op->b] : -ENOMSG;
	return DONE;
}

static long real_purge(const struct op *op)
{
	k_msgq_purge(&msgqs[op->object]);
	return 0;
}

static enum outcome model_purge(const struct op *op, long *result)
{
	struct m_msgq *msgq = &m_msgqs[op->object];

	if (msgq->used != 0) {
		m_wake_all(&msgq->queue, -ENOMSG);
	}
	msgq->used = 0;
	*result = 0;
	return DONE;
}

static long real_counts(const struct op *op)
{
	struct k_msgq_attrs attrs;

	k_msgq_get_attrs(&msgqs[op->object], &attrs);
	return (long)(attrs.msg_size * 10000 + attrs.max_msgs * 1000 + attrs.used_msgs * 100 +
		      k_msgq_num_used_get(&msgqs[op->object]) * 10 +
		      k_msgq_num_free_get(&msgqs[op->object]));
}

static enum outcome model_counts(const struct op *op, long *result)
{
	long used = m_msgqs[op->object].used;

	*result = (long)sizeof(struct message) * 10000 + PLACES * 1000 + used * 110 +
		  (PLACES - used);
	return DONE;
}

/* ---- state ---- */

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < MSGQS; i++) {
		struct message message;

		n += snprintf(text + n, size - (size_t)n, "msgq %d:", i);
		for (uint32_t k = 0; k_msgq_peek_at(&msgqs[i], &message, k) == 0; k++) {
			n += snprintf(text + n, size - (size_t)n, " %ld", read_message(&message));
		}
		n += show_wait_q(text + n, size - (size_t)n, &msgqs[i].wait_q);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < MSGQS; i++) {
		n += snprintf(text + n, size - (size_t)n, "msgq %d:", i);
		for (int k = 0; k < m_msgqs[i].used; k++) {
			n += snprintf(text + n, size - (size_t)n, " %ld", m_msgqs[i].number[k]);
		}
		n += show_m_queue(text + n, size - (size_t)n, &m_msgqs[i].queue);
	}
	return n;
}

static void *real_object(int object)
{
	return &msgqs[object];
}

static bool is_there(int object)
{
	return m_msgqs[object].used != 0;
}

const struct pollable pollable_msgq = {MSGQS, real_object, is_there};

static const struct op_type types[] = {
	{"msgq_put", 40, CAN_ALL, generate, real_put, model_put, NULL},
	{"msgq_put_front", 10, CAN_ALL, generate, real_put_front, model_put_front, NULL},
	{"msgq_get", 40, CAN_ALL, generate, real_get, model_get, NULL},
	{"msgq_peek", 4, CAN_ALL, generate, real_peek, model_peek, NULL},
	{"msgq_purge", 3, CAN_ALL, generate, real_purge, model_purge, NULL},
	{"msgq_counts", 2, CAN_ALL, generate, real_counts, model_counts, NULL},
};

const struct family family_msgq = {
	"msgq", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

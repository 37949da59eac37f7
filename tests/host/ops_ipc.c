/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages: calls, answers, and who receives. op.object is the endpoint, or the gate of that number, op.a the first word, op.b
 * bytes and room. Who waits lends its priority, to who serves it or to who received last: the model
 * has both as owners of queues, as mutexes have (ops_mutex.c).
 */
#include <stdio.h>
#include <string.h>

#include "model.h"

#define ENDPOINTS 2
#define GATES     3 /* the last leads where the first does */
#define BYTES_MAX 160

static struct k_ipc_endpoint endpoints[ENDPOINTS];
static struct k_ipc_gate gates[GATES];
static unsigned char bytes[THREADS][BYTES_MAX];

static struct m_endpoint {
	struct m_queue callers;
	struct m_queue receivers;
	int last; /* who received last, and lives */
} m_endpoints[ENDPOINTS];

struct message {
	long word;
	long badge;
	size_t size;
};

static struct m_talk {
	struct m_queue served; /* whose call it serves: one thread, or nobody */
	struct message message; /* sends, or has received */
	size_t capacity;
	bool is_call;
} m_talks[THREADS];

static void init(void)
{
	for (int i = 0; i < ENDPOINTS; i++) {
		k_ipc_endpoint_init(&endpoints[i]);
		m_endpoints[i].last = NOBODY;
	}
	for (int i = 0; i < GATES; i++) {
		k_ipc_gate_init(&gates[i], &endpoints[i % ENDPOINTS], (uintptr_t)i + 1);
	}
}

/* What is sent in op.b's low byte, where it is received in the next one; both most often 0. */
static size_t size_of(const struct op *op)
{
	return (size_t)op->b & 0xffU;
}

static size_t capacity_of(const struct op *op)
{
	return MIN((size_t)op->b >> 8 & 0xffU, (size_t)BYTES_MAX);
}

static uint32_t random_size(void)
{
	return one_in(3) ? random_below(CONFIG_IPC_MESSAGE_MAX + 9) : 0;
}

static void generate_any(struct op *op, uint32_t objects)
{
	op->object = (uint8_t)random_below(objects);
	op->a = (int32_t)random_below(1 << 20);
	op->b = (int32_t)(random_size() | random_size() << 8);
	if (op->timeout.ticks > 1000 && !one_in(8)) { /* circles end by time */
		op->timeout = K_TICKS(1 + random_below(100));
	}
}

static void generate_sender(struct op *op)
{
	generate_any(op, GATES);
}

static void generate_receiver(struct op *op)
{
	generate_any(op, ENDPOINTS);
}

/* One number of all that has come. */
static long seen(long word, long badge, size_t size)
{
	return (word << 10) + (badge << 8) + (long)size;
}

/* ---- the kernel ---- */

static struct k_ipc_message begin_real(const struct op *op)
{
	int self = real_self();
	struct k_ipc_message message = {
		.data = bytes[self],
		.size = size_of(op),
		.capacity = capacity_of(op),
	};

	for (int i = 0; i < K_IPC_WORDS; i++) {
		message.words[i] = (uintptr_t)op->a + (uintptr_t)i;
	}
	for (size_t i = 0; i < BYTES_MAX; i++) {
		bytes[self][i] = (unsigned char)((size_t)op->a + i);
	}
	return message;
}

static long end_real(const struct k_ipc_message *message, long result)
{
	if (result != 0) {
		return result;
	}
	for (uintptr_t i = 0; i < K_IPC_WORDS; i++) {
		if (message->words[i] != message->words[0] + i) {
			return -1001; /* words of two messages */
		}
	}
	for (size_t i = 0; i < message->size; i++) {
		if (bytes[real_self()][i] != (unsigned char)(message->words[0] + i)) {
			return -1002; /* bytes of another */
		}
	}
	return seen((long)message->words[0], (long)message->badge, message->size);
}

static long real_call(const struct op *op)
{
	struct k_ipc_message message = begin_real(op);
	long result = k_ipc_call(&gates[op->object], &message, op->timeout);

	return end_real(&message, result);
}

static long real_send(const struct op *op)
{
	struct k_ipc_message message = begin_real(op);

	return k_ipc_send(&gates[op->object], &message, op->timeout);
}

static long real_receive(const struct op *op)
{
	struct k_ipc_message message = begin_real(op);
	long result = k_ipc_receive(&endpoints[op->object], &message, op->timeout);

	return end_real(&message, result);
}

static long real_reply(const struct op *op)
{
	struct k_ipc_message message = begin_real(op);

	return k_ipc_reply(&message);
}

static long real_reply_receive(const struct op *op)
{
	struct k_ipc_message message = begin_real(op);
	long result = k_ipc_reply_receive(&endpoints[op->object], &message, op->timeout);

	return end_real(&message, result);
}

/* ---- the model ---- */

static struct m_talk *mine(void)
{
	return &m_talks[model.current];
}

/* Into the current thread's hands; false: too many bytes. */
static bool take_in(const struct op *op, bool is_call)
{
	*mine() = (struct m_talk){
		.served = mine()->served,
		.message = {op->a, op->object + 1, size_of(op)},
		.capacity = capacity_of(op),
		.is_call = is_call,
	};
	return size_of(op) <= CONFIG_IPC_MESSAGE_MAX;
}

static long has_come(void)
{
	return seen(mine()->message.word, mine()->message.badge, mine()->message.size);
}

static void deliver(int from, int to, long badge)
{
	m_talks[to].message = m_talks[from].message;
	m_talks[to].message.badge = badge;
}

static bool fits(int from, int to)
{
	return m_talks[from].message.size <= m_talks[to].capacity;
}

/* Ready, and the first among its equals. */
static void goes_first(int id)
{
	if (m_is_ready(id)) {
		model.thread[id].turn = --model.first_turn;
	}
}

static enum outcome m_send(const struct op *op, bool is_call, long *result)
{
	struct m_endpoint *e = &m_endpoints[op->object % ENDPOINTS];
	int receiver = e->receivers.length != 0 ? e->receivers.thread[0] : NOBODY;

	*result = -EINVAL;
	if (!take_in(op, is_call)) {
		return DONE;
	}
	*result = -EBUSY;
	if (op->timeout.ticks == 0 && (is_call || receiver == NOBODY)) {
		return DONE;
	}
	if (receiver == NOBODY) {
		m_lend_ahead(m_ipc_heir(&e->callers));
		return m_pend(&e->callers, op->timeout, -EAGAIN);
	}
	*result = -ENOSPC;
	if (!fits(model.current, receiver)) {
		return DONE;
	}
	deliver(model.current, receiver, op->object + 1);
	*result = 0;
	if (!is_call) {
		m_wake(receiver, 0);
		return DONE;
	}
	(void)m_pend(&m_talks[receiver].served, op->timeout, -EAGAIN);
	m_wake(receiver, 0);
	goes_first(receiver);
	return BLOCKED;
}

static enum outcome model_call(const struct op *op, long *result)
{
	return m_send(op, true, result);
}

static enum outcome model_send(const struct op *op, long *result)
{
	return m_send(op, false, result);
}

static void accept(struct m_endpoint *e, int sender)
{
	deliver(sender, model.current, m_talks[sender].message.badge);
	if (!m_talks[sender].is_call) {
		m_wake(sender, 0);
		return;
	}
	m_dequeue(&e->callers, sender);
	m_enqueue(&mine()->served, sender);
	model.thread[sender].queue = &mine()->served;
	m_mutex_settle();
}

static enum outcome receive(const struct op *op, long *result)
{
	struct m_endpoint *e = &m_endpoints[op->object];

	m_wake_all(&mine()->served, -ECANCELED);
	e->last = model.current;
	m_mutex_settle();
	while (e->callers.length != 0) {
		int sender = e->callers.thread[0];

		if (fits(sender, model.current)) {
			accept(e, sender);
			*result = has_come();
			return DONE;
		}
		m_wake(sender, -ENOSPC);
	}
	*result = -EBUSY;
	return op->timeout.ticks == 0 ? DONE : m_pend(&e->receivers, op->timeout, -EAGAIN);
}

static enum outcome model_receive(const struct op *op, long *result)
{
	(void)take_in(op, false);
	return receive(op, result);
}

static long m_reply(int caller)
{
	long result = fits(model.current, caller) ? 0 : -ENOSPC;

	if (result == 0) {
		deliver(model.current, caller, 0);
	}
	m_wake(caller, result);
	return result;
}

static enum outcome model_reply(const struct op *op, long *result)
{
	*result = take_in(op, false) ? -ESRCH : -EINVAL;
	if (*result == -ESRCH && mine()->served.length != 0) {
		*result = m_reply(mine()->served.thread[0]);
	}
	return DONE;
}

/* Where the server waits then, the caller goes on at once. */
static enum outcome model_reply_receive(const struct op *op, long *result)
{
	int caller = mine()->served.length != 0 ? mine()->served.thread[0] : NOBODY;
	enum outcome outcome;

	*result = -EINVAL;
	if (!take_in(op, false)) {
		return DONE;
	}
	if (caller != NOBODY) {
		(void)m_reply(caller);
	}
	outcome = receive(op, result);
	if (caller != NOBODY && outcome == BLOCKED) {
		goes_first(caller);
	}
	return outcome;
}

static enum outcome resume_message(const struct op *op, long *result)
{
	*result = model.thread[model.current].wake_result;
	if (*result == 0) {
		*result = has_come();
	}
	return DONE;
}

int m_ipc_heir(const struct m_queue *queue)
{
	for (int id = 0; id < WORKERS; id++) {
		if (queue == &m_talks[id].served) {
			return id;
		}
	}
	for (int e = 0; e < ENDPOINTS; e++) {
		if (queue == &m_endpoints[e].callers) {
			return m_endpoints[e].last;
		}
	}
	return NOBODY;
}

int m_ipc_entitled_prio(int id, int prio)
{
	const struct m_queue *served = &m_talks[id].served;

	for (int i = 0; i < served->length; i++) {
		prio = MIN(prio, model.thread[served->thread[i]].prio);
	}
	for (int e = 0; e < ENDPOINTS; e++) {
		const struct m_queue *callers = &m_endpoints[e].callers;

		for (int i = 0; m_endpoints[e].last == id && i < callers->length; i++) {
			prio = MIN(prio, model.thread[callers->thread[i]].prio);
		}
	}
	return prio;
}

void m_ipc_thread_ended(int id)
{
	for (int e = 0; e < ENDPOINTS; e++) {
		if (m_endpoints[e].last == id) {
			m_endpoints[e].last = NOBODY;
		}
	}
	m_wake_all(&m_talks[id].served, -EOWNERDEAD);
}

/* ---- state ---- */

static int real_last(const struct k_ipc_endpoint *endpoint)
{
	const struct k_mutex *callers = &endpoint->callers;
	bool is_alive = callers->generation != 0 && callers->owner != NULL &&
			callers->owner->generation == callers->generation;

	return is_alive ? thread_number(callers->owner) : NOBODY;
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < ENDPOINTS; i++) {
		const struct k_ipc_endpoint *e = &endpoints[i];

		n += snprintf(text + n, size - (size_t)n, "endpoint %d: %d", i, real_last(e));
		n += show_wait_q(text + n, size - (size_t)n, &e->callers.wait_q);
		n += show_wait_q(text + n, size - (size_t)n, &e->receivers);
	}
	for (int id = 0; id < WORKERS; id++) {
		n += show_wait_q(text + n, size - (size_t)n, &workers[id].ipc.served.wait_q);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < ENDPOINTS; i++) {
		const struct m_endpoint *e = &m_endpoints[i];

		n += snprintf(text + n, size - (size_t)n, "endpoint %d: %d", i, e->last);
		n += show_m_queue(text + n, size - (size_t)n, &e->callers);
		n += show_m_queue(text + n, size - (size_t)n, &e->receivers);
	}
	for (int id = 0; id < WORKERS; id++) {
		n += show_m_queue(text + n, size - (size_t)n, &m_talks[id].served);
	}
	return n;
}

static const struct op_type types[] = {
	{"ipc_call", 30, CAN_MASK, generate_sender, real_call, model_call, resume_message},
	{"ipc_send", 12, CAN_MASK | CAN_CONTROLLER, generate_sender, real_send, model_send, NULL},
	{"ipc_receive", 25, CAN_MASK, generate_receiver, real_receive, model_receive,
	 resume_message},
	{"ipc_reply", 12, CAN_MASK, generate_receiver, real_reply, model_reply, NULL},
	{"ipc_reply_receive", 25, CAN_MASK, generate_receiver, real_reply_receive,
	 model_reply_receive, resume_message},
};

const struct family family_ipc = {
	"ipc", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

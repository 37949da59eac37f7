/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mailboxes. A message's data is one of a few constant patterns, and what a receiver got of it is part of its result.
 * A thread may keep one message whose data it has not taken, in a place that outlives it: who takes its place may take
 * the data, or the sender waits on. op.a: the pattern, op.b: bytes and whether the data is taken at once;
 * op.who: whom it is for, or from.
 */
#include <stdio.h>

#include "model.h"

#define MBOXES    2
#define PATTERNS  5
#define BYTES_MAX 8
#define TAKEN_NOW 0x100 /* in op.b */
#define FOR_ONE   0x200
#define WITH_SEM  0x400
#define BYTES_OF  0x0ff

static struct k_mbox mboxes[MBOXES];
static uint8_t patterns[PATTERNS][BYTES_MAX];
static struct k_sem done; /* is given when data was taken that nobody waits for */
static struct k_mbox_msg kept[THREADS];
static bool keeps[THREADS];

/* A message that was sent and not received, or received and its data not taken. */
struct m_message {
	bool is_async;
	bool with_sem;
	int from;
	int to; /* NOBODY: anybody */
	int prio; /* an asynchronous one's: its sender's then */
	int64_t number; /* among equals the first comes first */
	long info;
	int bytes;
	int pattern;
};

static struct m_message m_offered[THREADS]; /* by a thread that waits */
static struct m_wanted {
	int from; /* NOBODY: anybody's */
	int bytes;
} m_wanted[THREADS]; /* by a thread that waits for one */
static struct m_message m_received[THREADS]; /* by a thread, whose data it may still have to take */
static bool m_keeps[THREADS];
static struct m_mbox {
	struct m_queue senders, receivers;
	int num_async;
	struct m_message async[CONFIG_NUM_MBOX_ASYNC_MSGS];
} m_mboxes[MBOXES];
static struct m_queue m_taken_later; /* senders whose message was received */
static struct m_queue m_no_room;
static int m_rooms = CONFIG_NUM_MBOX_ASYNC_MSGS;
static long m_done;
static int64_t m_last_number;

static void init(void)
{
	for (int i = 0; i < MBOXES; i++) {
		k_mbox_init(&mboxes[i]);
	}
	for (int i = 0; i < PATTERNS; i++) {
		for (int k = 0; k < BYTES_MAX; k++) {
			patterns[i][k] = (uint8_t)(i * 41 + k * 7 + 1);
		}
	}
	(void)k_sem_init(&done, 0, K_SEM_MAX_LIMIT);
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(MBOXES);
	op->a = (int32_t)random_below(PATTERNS);
	op->b = (int32_t)random_below(BYTES_MAX + 1);
	op->b |= one_in(3) ? 0 : TAKEN_NOW;
	op->b |= one_in(3) ? FOR_ONE : 0;
	op->b |= one_in(2) ? WITH_SEM : 0;
	if (op->timeout.ticks == K_TICKS_FOREVER && !one_in(4)) {
		op->timeout = K_TICKS(30); /* or soon all wait */
	}
}

static unsigned int sum_of(const uint8_t *bytes, size_t count)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < count; i++) {
		sum += (unsigned int)(i + 1) * bytes[i];
	}
	return sum;
}

static k_tid_t real_partner(const struct op *op)
{
	return (op->b & FOR_ONE) != 0 ? &workers[op->who] : K_ANY;
}

static int m_partner(const struct op *op)
{
	return (op->b & FOR_ONE) != 0 ? op->who : NOBODY;
}

/* ---- sending ---- */

static struct k_mbox_msg real_message(const struct op *op)
{
	return (struct k_mbox_msg){
		.info = (uint32_t)(1 + op->a),
		.size = (size_t)(op->b & BYTES_OF),
		.tx_data = patterns[op->a],
		.tx_target_thread = real_partner(op),
	};
}

static long real_put(const struct op *op)
{
	struct k_mbox_msg msg = real_message(op);
	int result = k_mbox_put(&mboxes[op->object], &msg, op->timeout);

	if (result != 0) {
		return result;
	}
	return (thread_number(msg.tx_target_thread) + 1) * 1000 + (long)msg.size;
}

static struct m_message m_message(const struct op *op)
{
	return (struct m_message){
		.from = model.current,
		.to = m_partner(op),
		.prio = model.thread[model.current].prio,
		.number = ++m_last_number,
		.info = 1 + op->a,
		.bytes = op->b & BYTES_OF,
		.pattern = op->a,
	};
}

static bool suits(const struct m_message *message, const struct m_wanted *wanted, int receiver)
{
	return (message->to == NOBODY || message->to == receiver) &&
	       (wanted->from == NOBODY || wanted->from == message->from);
}

static void receive(int receiver, const struct m_message *message)
{
	m_received[receiver] = *message;
	m_received[receiver].bytes = MIN(message->bytes, m_wanted[receiver].bytes);
}

/* To the first of those who wait that it suits. */
static bool offer(struct m_mbox *mbox, const struct m_message *message)
{
	for (int i = 0; i < mbox->receivers.length; i++) {
		int receiver = mbox->receivers.thread[i];

		if (suits(message, &m_wanted[receiver], receiver)) {
			receive(receiver, message);
			m_wake(receiver, 0);
			return true;
		}
	}
	return false;
}

static enum outcome model_put(const struct op *op, long *result)
{
	struct m_mbox *mbox = &m_mboxes[op->object];

	m_offered[model.current] = m_message(op);
	if (offer(mbox, &m_offered[model.current])) {
		return m_pend(&m_taken_later, K_FOREVER, 0);
	}
	if (op->timeout.ticks == 0) {
		*result = -ENOMSG;
		return DONE;
	}
	return m_pend(&mbox->senders, op->timeout, -EAGAIN);
}

static long real_async_put(const struct op *op)
{
	struct k_mbox_msg msg = real_message(op);

	k_mbox_async_put(&mboxes[op->object], &msg, (op->b & WITH_SEM) != 0 ? &done : NULL);
	return 0;
}

static enum outcome put_into_room(const struct op *op, long *result)
{
	struct m_mbox *mbox = &m_mboxes[op->object];
	struct m_message message = m_message(op);

	message.is_async = true;
	message.with_sem = (op->b & WITH_SEM) != 0;
	if (!offer(mbox, &message)) {
		mbox->async[mbox->num_async++] = message;
	}
	*result = 0;
	return DONE;
}

static enum outcome model_async_put(const struct op *op, long *result)
{
	if (m_rooms == 0) {
		return m_pend(&m_no_room, K_FOREVER, 0);
	}
	m_rooms--;
	return put_into_room(op, result);
}

/* ---- receiving ---- */

static long real_received(const struct k_mbox_msg *msg, const uint8_t *bytes)
{
	long result = (thread_number(msg->rx_source_thread) + 1) * 100 + (long)msg->info * 10 +
		      (long)msg->size;

	return bytes == NULL ? result : result + 10000 * (long)sum_of(bytes, msg->size);
}

static long real_get(const struct op *op)
{
	int self = thread_number(k_current_get());
	struct k_mbox_msg *msg = &kept[self];
	uint8_t bytes[BYTES_MAX];
	bool now = (op->b & TAKEN_NOW) != 0;
	int result;

	if (keeps[self]) {
		return SKIPPED;
	}
	*msg = (struct k_mbox_msg){.size = (size_t)(op->b & BYTES_OF),
				   .rx_source_thread = real_partner(op)};
	result = k_mbox_get(&mboxes[op->object], msg, now ? bytes : NULL, op->timeout);
	if (result != 0) {
		return result;
	}
	keeps[self] = !now && msg->size != 0;
	return real_received(msg, now ? bytes : NULL);
}

static long real_take(const struct op *op)
{
	int self = thread_number(k_current_get());
	uint8_t bytes[BYTES_MAX];
	bool wanted = (op->b & TAKEN_NOW) != 0;

	if (!keeps[self]) {
		return SKIPPED;
	}
	keeps[self] = false;
	k_mbox_data_get(&kept[self], wanted ? bytes : NULL);
	return real_received(&kept[self], wanted ? bytes : NULL);
}

/* Its sender waits for its data to be taken; else it has ended meanwhile. */
static bool m_sender_waits(const struct m_message *message)
{
	return model.thread[message->from].queue == &m_taken_later &&
	       m_offered[message->from].number == message->number;
}

/* Its sender, or whoever waits for room, is told. */
static void m_dispose(const struct m_message *message)
{
	if (!message->is_async) {
		if (m_sender_waits(message)) {
			m_wake(message->from, (model.current + 1) * 1000 + message->bytes);
		}
		return;
	}
	m_done += message->with_sem;
	m_rooms++;
	m_wake_all(&m_no_room, 0); /* the first that runs takes it */
}

/* `taken`: the data, if only to do without. */
static long m_result(const struct m_message *message, bool wanted)
{
	long result = (message->from + 1) * 100 + message->info * 10 + message->bytes;

	return wanted ? result + 10000 * (long)sum_of(patterns[message->pattern],
						      (size_t)message->bytes)
		      : result;
}

static enum outcome take_or_keep(const struct op *op, long *result)
{
	struct m_message *message = &m_received[model.current];
	bool now = (op->b & TAKEN_NOW) != 0;

	if (now && !message->is_async && !m_sender_waits(message)) {
		message->bytes = 0;
	}
	*result = m_result(message, now);
	m_keeps[model.current] = !now && message->bytes != 0;
	if (!m_keeps[model.current]) {
		m_dispose(message);
	}
	return DONE;
}

static bool goes_before(const struct m_message *a, const struct m_message *b)
{
	return a->prio < b->prio || (a->prio == b->prio && a->number < b->number);
}

/* Its place among those who do not wait, or NOBODY. */
static int first_async(const struct m_mbox *mbox)
{
	int best = NOBODY;

	for (int i = 0; i < mbox->num_async; i++) {
		if (suits(&mbox->async[i], &m_wanted[model.current], model.current) &&
		    (best == NOBODY || goes_before(&mbox->async[i], &mbox->async[best]))) {
			best = i;
		}
	}
	return best;
}

static int first_sender(const struct m_mbox *mbox)
{
	for (int i = 0; i < mbox->senders.length; i++) {
		int sender = mbox->senders.thread[i];

		if (suits(&m_offered[sender], &m_wanted[model.current], model.current)) {
			m_offered[sender].prio = model.thread[sender].prio;
			return sender;
		}
	}
	return NOBODY;
}

static void take_async(struct m_mbox *mbox, int place)
{
	receive(model.current, &mbox->async[place]);
	mbox->num_async--;
	for (int i = place; i < mbox->num_async; i++) {
		mbox->async[i] = mbox->async[i + 1];
	}
}

/* It waits on, for its data to be taken, and that without end. */
static void take_from_sender(int sender)
{
	struct m_thread *t = &model.thread[sender];

	receive(model.current, &m_offered[sender]);
	m_dequeue(t->queue, sender);
	t->timeout.armed = false;
	t->queue = &m_taken_later;
	m_enqueue(&m_taken_later, sender);
}

static enum outcome model_get(const struct op *op, long *result)
{
	struct m_mbox *mbox = &m_mboxes[op->object];
	int async;
	int sender;

	if (m_keeps[model.current]) {
		*result = SKIPPED;
		return DONE;
	}
	m_wanted[model.current] = (struct m_wanted){m_partner(op), op->b & BYTES_OF};
	async = first_async(mbox);
	sender = first_sender(mbox);
	if (async != NOBODY &&
	    (sender == NOBODY || goes_before(&mbox->async[async], &m_offered[sender]))) {
		take_async(mbox, async);
		return take_or_keep(op, result);
	}
	if (sender != NOBODY) {
		take_from_sender(sender);
		return take_or_keep(op, result);
	}
	if (op->timeout.ticks == 0) {
		*result = -ENOMSG;
		return DONE;
	}
	return m_pend(&mbox->receivers, op->timeout, -EAGAIN);
}

static enum outcome resume_get(const struct op *op, long *result)
{
	*result = model.thread[model.current].wake_result;
	return *result == 0 ? take_or_keep(op, result) : DONE;
}

static enum outcome model_take(const struct op *op, long *result)
{
	struct m_message *message = &m_received[model.current];
	bool wanted = (op->b & TAKEN_NOW) != 0;

	if (!m_keeps[model.current]) {
		*result = SKIPPED;
		return DONE;
	}
	m_keeps[model.current] = false;
	if (!wanted || (!message->is_async && !m_sender_waits(message))) {
		message->bytes = 0;
	}
	*result = m_result(message, wanted);
	m_dispose(message);
	return DONE;
}

/* ---- state ---- */

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < MBOXES; i++) {
		n += snprintf(text + n, size - (size_t)n, "mbox %d:", i);
		n += show_wait_q(text + n, size - (size_t)n, &mboxes[i].senders);
		n += show_wait_q(text + n, size - (size_t)n, &mboxes[i].receivers);
	}
	return n + snprintf(text + n, size - (size_t)n, " done %u", k_sem_count_get(&done));
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < MBOXES; i++) {
		n += snprintf(text + n, size - (size_t)n, "mbox %d:", i);
		n += show_m_queue(text + n, size - (size_t)n, &m_mboxes[i].senders);
		n += show_m_queue(text + n, size - (size_t)n, &m_mboxes[i].receivers);
	}
	return n + snprintf(text + n, size - (size_t)n, " done %ld", m_done);
}

/* Not the controller's, where they may wait without a time-out. */
static const struct op_type types[] = {
	{"mbox_put", 60, CAN_MASK, generate, real_put, model_put, NULL},
	{"mbox_async_put", 30, CAN_MASK, generate, real_async_put, model_async_put,
	 model_async_put},
	{"mbox_get", 60, CAN_MASK | CAN_CONTROLLER, generate, real_get, model_get, resume_get},
	{"mbox_data_get", 30, CAN_MASK | CAN_CONTROLLER, generate, real_take, model_take, NULL},
};

const struct family family_mbox = {
	"mbox", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

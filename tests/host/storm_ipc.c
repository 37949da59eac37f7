/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storms over messages between threads: calls, what is sent, answers, servers that call others in the middle (in circles, too, which
 * end by time), answers that are left out, and time-outs anywhere. An answer is that of one's own call; what was sent was
 * received once, whole; who serves is as urgent as whoever waits for it.
 */
#include "kernel/hooks/generation.h"
#include "model.h"
#include "storm.h"

#define ENDPOINTS  2
#define BYTES_MAX  (CONFIG_IPC_MESSAGE_MAX / sizeof(uint32_t))
#define NEST_DEPTH 2

enum { SENT, CALLED }; /* word 1; word 0 is the message's number */

static struct k_ipc_endpoint endpoints[ENDPOINTS];
static struct k_ipc_gate gates[ENDPOINTS];
static uint64_t sum_sent, sum_received; /* of the numbers that were sent for no answer */
static uintptr_t next_number;

static void ipc_init_job(void)
{
	for (uintptr_t i = 0; i < ENDPOINTS; i++) {
		k_ipc_endpoint_init(&endpoints[i]);
		k_ipc_gate_init(&gates[i], &endpoints[i], i + 1);
	}
}

static uintptr_t draw_number(void)
{
	unsigned int key = irq_lock();
	uintptr_t number = ++next_number;

	irq_unlock(key);
	return number;
}

static void add(uint64_t *sum, uintptr_t number)
{
	unsigned int key = irq_lock();

	*sum += number;
	irq_unlock(key);
}

static void fill(uint32_t *data, size_t size, uintptr_t number)
{
	for (size_t i = 0; i < size / sizeof(*data); i++) {
		data[i] = (uint32_t)number;
	}
}

static bool is_filled(const uint32_t *data, size_t size, uintptr_t number)
{
	for (size_t i = 0; i < size / sizeof(*data); i++) {
		if (data[i] != (uint32_t)number) {
			return false;
		}
	}
	return true;
}

/* Now and then some bytes, of which there are always as many as there is room for. */
static size_t draw_size(void)
{
	return one_in(2) ? 0 : sizeof(uint32_t) * (1 + random_below((uint32_t)BYTES_MAX));
}

static void send_or_call(bool is_call)
{
	uint32_t data[BYTES_MAX];
	uintptr_t number = draw_number();
	size_t size = draw_size();
	struct k_ipc_message message = {.words = {number, is_call ? CALLED : SENT},
					.data = data,
					.size = size,
					.capacity = sizeof(data)};
	struct k_ipc_gate *gate = &gates[random_below(ENDPOINTS)];
	int result;

	fill(data, size, number);
	result = is_call ? k_ipc_call(gate, &message, storm_timeout())
			 : k_ipc_send(gate, &message, storm_timeout());
	CHECK(result == 0 || result == -EAGAIN || result == -EBUSY ||
	      (is_call && (result == -ECANCELED || result == -EOWNERDEAD)));
	if (result == 0 && is_call) {
		CHECK(message.words[0] == ~number);
		CHECK(is_filled(data, message.size, ~number));
	} else if (result == 0) {
		add(&sum_sent, number);
	}
}

/* What has come, and its answer in its place. */
static void take(struct k_ipc_message *message, uint32_t *data, int depth)
{
	uintptr_t number = message->words[0];

	CHECK(is_filled(data, message->size, number));
	if (message->words[1] == SENT) {
		add(&sum_received, number);
	}
	if (one_in(4)) {
		k_yield();
	}
	if (depth < NEST_DEPTH && one_in(4)) {
		send_or_call(true);
	}
	message->words[0] = ~number;
	message->size = draw_size();
	fill(data, message->size, ~number);
}

static void serve(void)
{
	uint32_t data[BYTES_MAX];
	struct k_ipc_message message = {.data = data, .capacity = sizeof(data)};
	struct k_ipc_endpoint *endpoint = &endpoints[random_below(ENDPOINTS)];
	int result = k_ipc_receive(endpoint, &message, storm_timeout());

	/* Bound: by luck. */
	while (result == 0) {
		take(&message, data, 0);
		if (one_in(8)) {
			return; /* without an answer, until it receives anew */
		}
		if (one_in(2)) {
			result = k_ipc_reply(&message);
			CHECK(result == 0 || result == -ESRCH);
			return;
		}
		message.capacity = sizeof(data);
		result = k_ipc_reply_receive(endpoint, &message, storm_timeout());
	}
	CHECK(result == -EAGAIN || result == -EBUSY);
}

static void ipc_in_thread(int self)
{
	(void)self;
	if (one_in(2)) {
		serve();
	} else {
		send_or_call(one_in(2));
	}
}

/* No call of these is for handlers: what they do is to come in between. */
static void ipc_in_isr(void)
{
}

static void check_owner(const struct k_thread *owner, const _wait_q_t *wait_q)
{
	CHECK(wait_q->head == NULL || owner->prio <= wait_q->head->prio);
}

static void ipc_at_rest(void)
{
	for (int i = 0; i < ENDPOINTS; i++) {
		const struct k_mutex *callers = &endpoints[i].callers;
		int queue = storm_check_waiters(&callers->wait_q);

		CHECK(storm_check_waiters(&endpoints[i].receivers) == 0 || queue == 0);
		if (callers->owner != NULL && callers->generation == callers->owner->generation) {
			check_owner(callers->owner, &callers->wait_q);
		}
	}
	for (int i = 0; i < STORM_THREADS; i++) {
		const _wait_q_t *served = &storm_threads[i].ipc.served.wait_q;

		CHECK(storm_check_waiters(served) <= 1);
		check_owner(&storm_threads[i], served);
	}
}

static void ipc_end(void)
{
	CHECK(sum_sent == sum_received);
	for (int i = 0; i < ENDPOINTS; i++) {
		CHECK(endpoints[i].callers.wait_q.head == NULL);
		CHECK(endpoints[i].receivers.head == NULL);
	}
}

const struct storm_job storm_ipc = {
	"ipc", ipc_init_job, ipc_in_thread, ipc_in_isr, ipc_at_rest, ipc_end,
};

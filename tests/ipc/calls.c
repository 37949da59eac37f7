/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, sends and receives of words: in each state of both sides, and every result. */
#include "server.h"

/* The server is more urgent, less urgent, as urgent, and waits already or not. */
TEST(ipc_a_call_brings_the_answer_whoever_is_more_urgent)
{
	static const int prios[] = {MAIN_PRIO - 1, MAIN_PRIO, MAIN_PRIO + 1};

	for (unsigned int i = 0; i < ARRAY_SIZE(prios); i++) {
		k_tid_t server;

		begin();
		server = start(adds_one, NULL, prios[i]);
		for (uintptr_t n = 0; n < 5; n++) {
			struct k_ipc_message message = message_of(10 * n);

			CHECK_EQ(k_ipc_call(n % 2 == 0 ? &gate : &other_gate, &message, K_FOREVER),
				 0);
			CHECK(is_answer(&message, 10 * n, n % 2 == 0 ? GATE_BADGE : OTHER_BADGE));
			message = message_of(10 * n);
			CHECK_EQ(k_ipc_call(&gate, &message, TIMEOUT), 0);
			CHECK(is_answer(&message, 10 * n, GATE_BADGE));
			k_yield();
		}
		k_thread_abort(server);
	}
}

static void receives_once(void *timeout)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, *(k_timeout_t *)timeout), 0);
	see((int)message.words[0]);
	see((int)message.badge);
}

TEST(ipc_what_is_sent_is_received_whoever_comes_first)
{
	k_timeout_t timeouts[] = {K_FOREVER, TIMEOUT};

	for (unsigned int i = 0; i < ARRAY_SIZE(timeouts); i++) {
		struct k_ipc_message message = message_of(5);

		begin();
		(void)start(receives_once, &timeouts[i], MAIN_PRIO - 1); /* waits before */
		CHECK_EQ(k_ipc_send(&gate, &message, K_NO_WAIT), 0);
		CHECK_EQ(seen, 2);
		(void)start(receives_once, &timeouts[i], MAIN_PRIO + 1); /* comes behind */
		CHECK_EQ(k_ipc_send(&other_gate, &message, K_NO_WAIT), -EBUSY);
		CHECK_EQ(k_ipc_send(&other_gate, &message, timeouts[i]), 0);
		k_sleep(K_TICKS(1));
		CHECK_EQ(seen, 4);
		CHECK_EQ(seen_order[1], GATE_BADGE);
		CHECK_EQ(seen_order[2], 5);
		CHECK_EQ(seen_order[3], OTHER_BADGE);
	}
}

TEST(ipc_every_wait_has_a_time_out)
{
	struct k_ipc_message message = message_of(1);

	begin();
	CHECK_EQ(k_ipc_call(&gate, &message, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_ipc_send(&gate, &message, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_ipc_call(&gate, &message, TIMEOUT), -EAGAIN);
	CHECK_EQ(k_ipc_send(&gate, &message, TIMEOUT), -EAGAIN);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, TIMEOUT), -EAGAIN);
	CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, TIMEOUT), -EAGAIN);
	CHECK(endpoint.callers.wait_q.head == NULL && endpoint.receivers.head == NULL);
	(void)start(adds_one, NULL, MAIN_PRIO - 1); /* and a call that cannot wait is none */
	CHECK_EQ(k_ipc_call(&gate, &message, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
}

static void calls(void *n)
{
	struct k_ipc_message message = message_of((uintptr_t)n);
	int result = k_ipc_call(&gate, &message, K_FOREVER);

	CHECK_EQ(result, 0);
	see((int)message.words[0]);
}

/* The most urgent first; among equals who came first. */
TEST(ipc_who_queues_is_received_by_priority)
{
	struct k_ipc_message message = {.capacity = 0};
	static const int expected[] = {3, 1, 2};

	begin();
	(void)start(calls, (void *)1, MAIN_PRIO - 1);
	(void)start(calls, (void *)2, MAIN_PRIO - 1);
	(void)start(calls, (void *)3, MAIN_PRIO - 2);
	for (unsigned int i = 0; i < 3; i++) {
		CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), 0);
		CHECK_EQ(message.words[0], expected[i]);
		message.words[0] += 100;
		CHECK_EQ(k_ipc_reply(&message), 0);
	}
	k_sleep(K_TICKS(1)); /* who queued as urgent lent main() its priority */
	CHECK_EQ(seen, 3);
	for (unsigned int i = 0; i < 3; i++) {
		CHECK_EQ(seen_order[i], 100 + expected[i]);
	}
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
}

TEST(ipc_nobody_is_answered_twice_or_by_another)
{
	struct k_ipc_message message = {.capacity = 0};

	begin();
	CHECK_EQ(k_ipc_reply(&message), -ESRCH); /* nobody has called */
	(void)start(calls, (void *)1, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	CHECK_EQ(k_ipc_reply(&message), 0);
	CHECK_EQ(k_ipc_reply(&message), -ESRCH);
	CHECK_EQ(seen, 1);
}

static void replies(void *unused)
{
	struct k_ipc_message message = {.capacity = 0};

	see(k_ipc_reply(&message));
}

TEST(ipc_who_has_not_received_a_call_cannot_answer_it)
{
	struct k_ipc_message message = {.capacity = 0};

	begin();
	(void)start(calls, (void *)1, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	(void)start(replies, NULL, MAIN_PRIO - 2); /* more urgent than whom main() serves */
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], -ESRCH);
	CHECK_EQ(k_ipc_reply(&message), 0);
	CHECK_EQ(seen, 2);
}

static void calls_in_vain(void *expected)
{
	struct k_ipc_message message = message_of(1);

	see(k_ipc_call(&gate, &message, K_FOREVER));
}

TEST(ipc_a_call_that_is_not_answered_before_the_next_is_received_is_cancelled)
{
	struct k_ipc_message message = {.capacity = 0};

	begin();
	(void)start(calls_in_vain, NULL, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], -ECANCELED);
	CHECK_EQ(k_ipc_reply(&message), -ESRCH);
}

TEST(ipc_two_servers_share_an_endpoint)
{
	struct k_ipc_message message = message_of(0);

	begin();
	(void)start(adds_one, NULL, MAIN_PRIO - 1);
	(void)start(adds_one, NULL, MAIN_PRIO - 1);
	for (int i = 0; i < 4; i++) {
		message = message_of(3);
		CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
		CHECK(is_answer(&message, 3, GATE_BADGE));
	}
	message.words[0] = UINTPTR_MAX; /* one ends, with the call in its hands */
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), -EOWNERDEAD);
	message = message_of(3);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
}

static void receives_in_isr(void *unused)
{
	struct k_ipc_message message = {.capacity = 0};

	see(k_ipc_receive(&endpoint, &message, K_NO_WAIT));
	see(k_ipc_call(&gate, &message, K_NO_WAIT));
	see(k_ipc_reply(&message));
}

TEST(ipc_an_isr_has_no_messages)
{
	if (ASSERTIONS) {
		return;
	}
	begin();
	in_isr(receives_in_isr, NULL);
	CHECK_EQ(seen, 3);
	for (unsigned int i = 0; i < 3; i++) {
		CHECK_EQ(seen_order[i], -EWOULDBLOCK);
	}
}

TEST(ipc_with_interrupts_masked_or_the_scheduler_locked_a_call_waits_all_the_same)
{
	struct k_ipc_message message = message_of(1);
	unsigned int key;

	begin();
	(void)start(adds_one, NULL, MAIN_PRIO + 1);
	k_sleep(K_TICKS(1));
	key = irq_lock();
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	irq_unlock(key);
	CHECK(is_answer(&message, 1, GATE_BADGE));
	message = message_of(1);
	k_sched_lock();
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	k_sched_unlock();
	CHECK(is_answer(&message, 1, GATE_BADGE));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Either side dies, or gives up, at each place where it can: the other is told, and nothing is left behind. */
#include "forged.h"
#include "server.h"

static void calls(void *unused)
{
	struct k_ipc_message message = message_of(1);

	see(k_ipc_call(&gate, &message, K_FOREVER));
}

static void calls_a_while(void *unused)
{
	struct k_ipc_message message = message_of(1);

	see(k_ipc_call(&gate, &message, TIMEOUT));
}

TEST(ipc_a_caller_that_is_aborted_while_it_is_served_is_no_longer_answered)
{
	struct k_ipc_message message = {.capacity = 0};
	k_tid_t caller;

	begin();
	caller = start(calls, NULL, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO - 1);
	k_thread_abort(caller);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	CHECK_EQ(k_ipc_reply(&message), -ESRCH);
	CHECK_EQ(seen, 0);
}

/* Another thread lives where the caller did, and calls nobody: it is not taken for it. */
static void waits(void *p1, void *p2, void *p3)
{
	k_sleep(K_FOREVER);
}

static void calls_as_thread(void *p1, void *p2, void *p3)
{
	calls(NULL);
}

TEST(ipc_who_lives_where_a_caller_died_is_not_answered)
{
	struct k_ipc_message message = {.capacity = 0};
	static struct k_thread thread;
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);

	begin();
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), calls_as_thread, NULL,
			      NULL, NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	k_thread_abort(&thread);
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), waits, NULL, NULL, NULL,
			      MAIN_PRIO - 1, 0, K_NO_WAIT);
	CHECK_EQ(k_ipc_reply(&message), -ESRCH);
	CHECK((thread.state & K_THREAD_PENDING) != 0);
	k_thread_abort(&thread);
}

K_IPC_ENDPOINT_DEFINE(elsewhere);
K_IPC_GATE_DEFINE(gate_elsewhere, &elsewhere, 9);

static void receives_here(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	see(k_ipc_receive(&endpoint, &message, K_FOREVER));
}

static void answers_and_receives_here(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&elsewhere, &message, K_FOREVER), 0);
	CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, K_FOREVER), 0);
	k_sleep(K_FOREVER);
}

/* What it has received there counts for who lives in its place only once that has received there, too. */
TEST(ipc_who_lives_where_a_receiver_died_inherits_from_who_queues)
{
	struct k_ipc_message message = {.capacity = 0};
	static struct k_thread thread;
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);

	begin();
	k_ipc_endpoint_init(&elsewhere);
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), receives_here, NULL,
			      NULL, NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
	k_thread_abort(&thread);
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack),
			      answers_and_receives_here, NULL, NULL, NULL, MAIN_PRIO - 1, 0,
			      K_NO_WAIT);
	CHECK_EQ(k_ipc_call(&gate_elsewhere, &message, K_FOREVER), 0);
	(void)start(calls, NULL, MAIN_PRIO - 2); /* is served */
	(void)start(calls, NULL, MAIN_PRIO - 4); /* queues */
	CHECK_EQ(k_thread_priority_get(&thread), MAIN_PRIO - 4);
	k_thread_abort(&thread);
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], -EOWNERDEAD);
}

/* Who received last is lent by who queues; its block is something else by now, which looks as if it were still there. */
static void receives_in_vain(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
}

TEST(ipc_a_receiver_whose_block_is_something_else_by_now_is_lent_nothing)
{
	static const uint8_t states[] = {0, K_THREAD_QUEUED, K_THREAD_PENDING, K_THREAD_SUSPENDED};
	static struct forged forged;
	static struct k_thread thread;
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
	struct k_ipc_message message = {.capacity = 0};

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		begin();
		(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack),
				      receives_in_vain, NULL, NULL, NULL, MAIN_PRIO - 1, 0,
				      K_NO_WAIT);
		forged_fill(&forged, &thread, endpoint.callers.generation, states[i]);
		CHECK_EQ(k_ipc_call(&gate, &message, K_TICKS(2)), -EAGAIN);
		(void)start(calls_a_while, NULL, MAIN_PRIO - 1);
		CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), 0);
		CHECK_EQ(k_ipc_reply(&message), 0);
		k_sleep(K_TICKS(20));
		CHECK(forged_holds(&forged, &thread));
	}
}

TEST(ipc_a_caller_that_is_aborted_in_the_queue_is_gone)
{
	struct k_ipc_message message = {.capacity = 0};
	k_tid_t caller;

	begin();
	caller = start(calls, NULL, MAIN_PRIO - 1);
	k_thread_abort(caller);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
}

/* The time-out is for queueing and for the answer together. */
TEST(ipc_a_caller_whose_time_is_over_while_it_is_served_is_no_longer_answered)
{
	struct k_ipc_message message = {.capacity = 0};

	begin();
	(void)start(calls_a_while, NULL, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	k_sleep(K_TICKS(6));
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], -EAGAIN);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	CHECK_EQ(k_ipc_reply(&message), -ESRCH);
}

static void receives_and_stays(void *unused)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	k_sleep(K_FOREVER);
}

TEST(ipc_a_server_that_is_aborted_leaves_its_caller_an_error_and_the_queue_to_the_next)
{
	struct k_ipc_message message = message_of(4);
	k_tid_t server;

	begin();
	server = start(receives_and_stays, NULL, MAIN_PRIO - 1);
	(void)start(calls, NULL, MAIN_PRIO - 2); /* served */
	(void)start(calls, NULL, MAIN_PRIO - 2); /* queues */
	CHECK_EQ(seen, 0);
	CHECK_EQ(k_thread_priority_get(server), MAIN_PRIO - 2);
	k_thread_abort(server);
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], -EOWNERDEAD);
	(void)start(adds_one, NULL, MAIN_PRIO - 1);
	CHECK_EQ(seen, 2);
	CHECK_EQ(seen_order[1], 0);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	CHECK(is_answer(&message, 4, GATE_BADGE));
}

TEST(ipc_a_server_that_is_aborted_while_it_waits_is_called_no_more)
{
	struct k_ipc_message message = message_of(4);
	k_tid_t server;

	begin();
	server = start(adds_one, NULL, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	k_thread_abort(server);
	CHECK_EQ(k_ipc_call(&gate, &message, TIMEOUT), -EAGAIN);
	CHECK_EQ(k_ipc_send(&gate, &message, K_NO_WAIT), -EBUSY);
}

static void aborts_in_isr(void *thread)
{
	k_thread_abort(thread);
}

TEST(ipc_an_interrupt_ends_the_server_or_the_caller)
{
	k_tid_t server, caller;

	begin();
	server = start(receives_and_stays, NULL, MAIN_PRIO - 1);
	(void)start(calls, NULL, MAIN_PRIO - 2);
	in_isr(aborts_in_isr, server);
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], -EOWNERDEAD);
	server = start(receives_and_stays, NULL, MAIN_PRIO - 1);
	caller = start(calls, NULL, MAIN_PRIO - 2);
	in_isr(aborts_in_isr, caller);
	CHECK_EQ(k_thread_priority_get(server), MAIN_PRIO - 1);
	CHECK_EQ(seen, 1);
}

/* A server calls the endpoint that it serves, and one that calls it: circles, which a time-out ends. */
static void calls_itself(void *unused)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	see(k_ipc_call(&gate, &message, TIMEOUT));
	CHECK_EQ(k_ipc_reply(&message), 0);
}

TEST(ipc_a_circle_of_calls_ends_by_its_time_out)
{
	struct k_ipc_message message = message_of(1);

	begin();
	(void)start(calls_itself, NULL, MAIN_PRIO + 1);
	k_sleep(K_TICKS(1));
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], -EAGAIN);
}

static void suspended_receiver(void *unused)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	see((int)message.words[0]);
	CHECK_EQ(k_ipc_reply(&message), 0);
}

TEST(ipc_a_server_that_is_suspended_has_received_and_serves_when_it_goes_on)
{
	k_tid_t server;

	begin();
	server = start(suspended_receiver, NULL, MAIN_PRIO - 1);
	k_thread_suspend(server);
	(void)start(calls, NULL, MAIN_PRIO - 2);
	CHECK_EQ(seen, 0);
	k_thread_resume(server);
	CHECK_EQ(seen, 2);
	CHECK_EQ(seen_order[0], 1);
	CHECK_EQ(seen_order[1], 0);
}

TEST(ipc_a_caller_that_is_suspended_has_its_answer_when_it_goes_on)
{
	struct k_ipc_message message = {.capacity = 0};
	k_tid_t caller;

	begin();
	caller = start(calls, NULL, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	k_thread_suspend(caller);
	CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
	CHECK_EQ(seen, 0);
	k_thread_resume(caller);
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], 0);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers that find more than one caller that waits: one that is suspended or queues, a server that owns a mutex besides, a
 * second server. A port's fast path has to leave them to the kernel's middle, or to do the same.
 */
#include "users.h"

static K_SEM_DEFINE(pause, 0, 1);
static K_MUTEX_DEFINE(contested);

enum { LOCKS_NOTHING, LOCKS_BEFORE, LOCKS_MEANWHILE }; /* it receives; the first call */

/*
 * Pauses in each call; until the second with a mutex. It begins by an answer to nobody, which has its right to the
 * endpoint remembered: so its first answer is fast, if nothing is in the way.
 */
static void serves_slowly(void *locks, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	if ((intptr_t)locks == LOCKS_BEFORE) {
		(void)k_mutex_lock(&contested, K_FOREVER);
	}
	servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	if ((intptr_t)locks == LOCKS_MEANWHILE) {
		(void)k_mutex_lock(&contested, K_FOREVER);
	}
	while (servers.result == 0) {
		if (++servers.word == 2 && (intptr_t)locks != LOCKS_NOTHING) {
			(void)k_mutex_unlock(&contested);
		}
		(void)k_sem_take(&pause, K_FOREVER);
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static void calls_for_long(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = message_of(1);

	(void)k_ipc_call(&gate, &message, K_FOREVER);
	clients.is_done = true;
}

/* A server that waits. */
static void start_server(intptr_t locks)
{
	begin();
	k_sem_reset(&pause);
	prepare_server(serves_slowly, (void *)locks, NULL);
	k_thread_access_grant(&server, &pause, &contested);
	k_thread_start(&server);
}

/* And a client that has called it. */
static void start_client(void)
{
	prepare_client(calls_for_long, NULL, NULL);
	k_thread_start(&client);
	CHECK_EQ(servers.word, 1);
}

static void start_slowly(intptr_t locks)
{
	start_server(locks);
	start_client();
}

TEST(ipc_a_caller_that_is_suspended_is_answered_fast_when_it_goes_on)
{
	start_slowly(LOCKS_NOTHING);
	k_thread_suspend(&client);
	k_sem_give(&pause);
	CHECK(!clients.is_done);
	k_thread_resume(&client);
	CHECK(clients.is_done);
	end_both();
}

static void calls_as_kernel(void *unused)
{
	struct k_ipc_message message = message_of(50);

	see(k_ipc_call(&gate, &message, K_TICKS(20)));
}

TEST(ipc_who_queues_behind_a_fast_call_is_received_after_its_answer)
{
	start_slowly(LOCKS_NOTHING);
	(void)start(calls_as_kernel, NULL, MAIN_PRIO - 1);
	k_sem_give(&pause);
	CHECK(clients.is_done);
	CHECK_EQ(servers.word, 2);
	k_sem_give(&pause);
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], 0);
	end_both();
}

static void locks_for_long(void *unused)
{
	see(k_mutex_lock(&contested, K_FOREVER));
	CHECK_EQ(k_mutex_unlock(&contested), 0);
}

/* The server has inherited by the mutex: it keeps that over its answer, and for no longer than it has the mutex. */
static void check_inherits_by_the_mutex_alone(void)
{
	CHECK(clients.is_done);
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO - 4);
	(void)start(calls_as_kernel, NULL, MAIN_PRIO - 1);
	CHECK_EQ(seen, 1); /* it has the mutex */
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO - 2);
	k_sem_give(&pause);
	CHECK_EQ(seen, 2);
	end_both();
}

TEST(ipc_a_server_that_answers_keeps_what_it_inherits_by_a_mutex)
{
	start_slowly(LOCKS_MEANWHILE);
	(void)start(locks_for_long, NULL, MAIN_PRIO - 4);
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO - 4);
	k_sem_give(&pause);
	check_inherits_by_the_mutex_alone();
}

TEST(ipc_a_server_that_answers_keeps_what_it_inherited_before_it_was_called)
{
	start_server(LOCKS_BEFORE);
	(void)start(locks_for_long, NULL, MAIN_PRIO - 4);
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO - 4);
	start_client();
	k_sem_give(&pause);
	check_inherits_by_the_mutex_alone();
}

/* Less urgent, and there before the server: it is the second in the queue, and the server the last that came. */
TEST(ipc_a_second_server_that_waits_while_the_first_answers_is_not_lost)
{
	struct k_ipc_message message = message_of(5);

	begin();
	(void)start(adds_one, NULL, MAIN_PRIO - 1);
	k_sem_reset(&pause);
	prepare_server(serves_slowly, (void *)LOCKS_NOTHING, NULL);
	k_thread_access_grant(&server, &pause);
	k_thread_start(&server);
	start_client();
	k_sem_give(&pause);
	CHECK(clients.is_done);
	k_thread_abort(&server);
	CHECK_EQ(k_ipc_call(&gate, &message, TIMEOUT), 0);
	CHECK(is_answer(&message, 5, GATE_BADGE));
	CHECK_EQ(k_ipc_call(&gate, &(struct k_ipc_message){.words = {UINTPTR_MAX}}, TIMEOUT),
		 -EOWNERDEAD);
	end_both();
}

TEST(ipc_who_receives_lends_from_who_queues_whoever_received_in_between)
{
	struct k_ipc_message message = {.capacity = 0};

	start_slowly(LOCKS_NOTHING);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), -EBUSY); /* the last receiver */
	k_sem_give(&pause);
	CHECK(clients.is_done);
	(void)start(calls_as_kernel, NULL, MAIN_PRIO - 1); /* is served */
	(void)start(calls_as_kernel, NULL, MAIN_PRIO - 4); /* queues */
	CHECK_EQ(servers.word, 2);
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO - 4);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	k_sem_give(&pause);
	k_sem_give(&pause);
	CHECK_EQ(seen, 2);
	end_both();
}

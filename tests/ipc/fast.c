/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and answers that wait for as long as it takes, which ports have a fast path for: what may come in between,
 * while either side waits so, and that a right counts for no longer than the thread has it.
 */
#include "users.h"

#define ROUNDS 3

K_APPMEM_PARTITION_DECLARE(client_memory);
static K_APP_BMEM(client_memory) void *volatile through;
/* Of its calls, for bytes that do not come. */
static K_APP_BMEM(client_memory) volatile size_t room;
static K_SEM_DEFINE(pause, 0, 1);

static void serves(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	while (servers.result == 0) {
		for (int i = 0; i < K_IPC_WORDS; i++) {
			message.words[i] += 10;
		}
		servers.word++;
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static bool call_once(uintptr_t first)
{
	struct k_ipc_message message = message_of(first);
	bool is_right = true;

	message.data = clients.bytes;
	message.capacity = room;
	clients.result = k_ipc_call(through, &message, K_FOREVER);
	for (uintptr_t i = 0; i < K_IPC_WORDS; i++) {
		is_right = is_right && message.words[i] == first + i + 10;
	}
	return is_right;
}

/* Some calls, a pause in which main() does something, and one more. */
static void calls_and_pauses(void *unused_1, void *unused_2, void *unused_3)
{
	for (uintptr_t i = 0; i < ROUNDS; i++) {
		clients.word += call_once(i);
	}
	(void)k_sem_take(&pause, K_FOREVER);
	clients.word += call_once(100);
	clients.is_done = true;
}

static void start_both(void *gate_of_client)
{
	begin();
	prepare_server(serves, NULL, NULL);
	prepare_client(calls_and_pauses, NULL, NULL);
	k_thread_access_grant(&client, &pause);
	through = gate_of_client;
	k_thread_start(&server);
	k_thread_start(&client);
	CHECK_EQ(clients.word, ROUNDS);
	CHECK_EQ(servers.word, ROUNDS);
}

TEST(ipc_a_right_that_is_taken_between_two_calls_is_the_end)
{
	start_both(&gate);
	k_object_access_revoke(&gate, &client);
	k_sem_give(&pause);
	CHECK(!clients.is_done);
	CHECK_EQ(faults, 1);
	CHECK_EQ(servers.word, ROUNDS);
	end_both();
}

TEST(ipc_a_right_that_is_given_back_counts_again)
{
	start_both(&gate);
	k_object_access_revoke(&gate, &client);
	k_thread_access_grant(&client, &gate);
	k_sem_give(&pause);
	CHECK(clients.is_done);
	CHECK_EQ(clients.word, ROUNDS + 1);
	CHECK_EQ(faults, 0);
	end_both();
}

TEST(ipc_a_gate_that_is_freed_between_two_calls_is_the_end)
{
	static struct k_ipc_gate mortal;

	begin();
	k_ipc_gate_init(&mortal, &endpoint, 3);
	prepare_server(serves, NULL, NULL);
	prepare_client(calls_and_pauses, NULL, NULL);
	k_thread_access_grant(&client, &pause, &mortal);
	through = &mortal;
	k_thread_start(&server);
	k_thread_start(&client);
	CHECK_EQ(clients.word, ROUNDS);
	k_object_free(&mortal);
	k_sem_give(&pause);
	CHECK(!clients.is_done);
	CHECK_EQ(faults, 1);
	end_both();
}

/* A right of everybody's is looked at each time, since nobody is told when it ends. */
TEST(ipc_a_gate_that_everybody_may_use_is_the_end_once_it_is_freed)
{
	static struct k_ipc_gate public;

	for (size_t i = 0; i < 2; i++) {
		begin();
		k_ipc_gate_init(&public, &endpoint, 3);
		k_object_access_all_grant(&public);
		prepare_server(serves, NULL, NULL);
		prepare_client(calls_and_pauses, NULL, NULL);
		k_thread_access_grant(&client, &pause);
		through = &public;
		room = i * sizeof(uintptr_t);
		k_thread_start(&server);
		k_thread_start(&client);
		CHECK_EQ(clients.word, ROUNDS);
		k_object_free(&public);
		k_sem_give(&pause);
		CHECK(!clients.is_done);
		CHECK_EQ(faults, 1);
		CHECK_EQ(servers.word, ROUNDS);
		end_both();
	}
	room = 0;
}

TEST(ipc_a_servers_right_that_is_taken_ends_it_at_its_next_receipt)
{
	start_both(&gate);
	k_object_access_revoke(&endpoint, &server);
	k_sem_give(&pause); /* the server answers by a call that it has no right to */
	CHECK_EQ(faults, 1);
	CHECK_EQ(clients.result, -EOWNERDEAD);
	CHECK_EQ(clients.word, ROUNDS);
	end_both();
}

static void calls_the_gate_it_is_not_granted(void *object, void *receives, void *unused_3)
{
	struct k_ipc_message message = message_of(1);

	clients.result = receives == NULL ? k_ipc_call(object, &message, K_FOREVER)
					  : k_ipc_reply_receive(object, &message, K_FOREVER);
	clients.is_done = true;
}

TEST(ipc_the_next_thread_in_the_same_place_has_none_of_its_rights)
{
	void *const forged[] = {NULL, &gate, &endpoint, &client, clients.bytes, (void *)1};

	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(forged); i++) {
		start_both(&gate);
		k_thread_abort(&client);
		prepare_client(calls_the_gate_it_is_not_granted, forged[i / 2],
			       i % 2 == 0 ? NULL : &client);
		k_object_access_revoke(&gate, &client);
		k_thread_start(&client);
		CHECK(!clients.is_done);
		CHECK_EQ(faults, 1);
		CHECK_EQ(servers.word, ROUNDS);
		end_both();
	}
}

TEST(ipc_a_server_that_waits_fast_is_called_by_others_too)
{
	static char bytes[8];
	struct k_ipc_message message = message_of(40);

	start_both(&gate);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0); /* a kernel thread */
	CHECK_EQ(message.words[3], 53);
	CHECK_EQ(k_ipc_call(&gate, &message, TIMEOUT), 0);
	CHECK_EQ(message.words[3], 63);
	message.data = bytes;
	message.size = sizeof(bytes);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), -ENOSPC);
	CHECK_EQ(k_ipc_send(&gate, &(struct k_ipc_message){.words = {1}}, K_NO_WAIT), 0);
	CHECK_EQ(servers.word, ROUNDS + 3);
	k_sem_give(&pause);
	CHECK(clients.is_done);
	CHECK_EQ(clients.word, ROUNDS + 1);
	CHECK_EQ(faults, 0);
	end_both();
}

TEST(ipc_a_server_that_waits_fast_may_be_suspended_and_given_another_priority)
{
	start_both(&gate);
	k_thread_suspend(&server);
	k_sem_give(&pause);
	CHECK(!clients.is_done);
	CHECK_EQ(servers.word, ROUNDS);
	k_thread_priority_set(&server, MAIN_PRIO - 3);
	k_thread_resume(&server);
	CHECK(clients.is_done);
	CHECK_EQ(clients.word, ROUNDS + 1);
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO - 3);
	end_both();
}

/* Answers, but in the last call does what it is told. */
enum { REPLIES, REPLIES_BYTES, RECEIVES_ANEW, ENDS, SLEEPS };

static void serves_badly(void *how, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	while (message.words[0] != 100) {
		for (int i = 0; i < K_IPC_WORDS; i++) {
			message.words[i] += 10;
		}
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
	message.words[0] = 77;
	message.data = servers.bytes;
	message.size = (intptr_t)how == REPLIES_BYTES ? 8 : 0;
	switch ((intptr_t)how) {
	case REPLIES:
	case REPLIES_BYTES:
		servers.result = k_ipc_reply(&message);
		break;
	case RECEIVES_ANEW:
		servers.result = k_ipc_receive(&endpoint, &message, K_NO_WAIT);
		break;
	case SLEEPS:
		k_sleep(K_FOREVER);
		break;
	default:
		break;
	}
	servers.is_done = true;
}

TEST(ipc_a_caller_that_waits_fast_learns_of_any_end_and_of_no_words)
{
	static const intptr_t results[] = {0, -ENOSPC, -ECANCELED, -EOWNERDEAD};

	for (intptr_t how = REPLIES; how <= ENDS; how++) {
		begin();
		prepare_server(serves_badly, (void *)how, NULL);
		prepare_client(calls_and_pauses, NULL, NULL);
		k_thread_access_grant(&client, &pause);
		through = &gate;
		k_thread_start(&server);
		k_thread_start(&client);
		CHECK_EQ(clients.word, ROUNDS);
		k_sem_give(&pause);
		k_sleep(K_TICKS(1));
		CHECK(clients.is_done && servers.is_done);
		CHECK_EQ(clients.result, results[how]);
		CHECK_EQ(clients.word, ROUNDS);
		CHECK_EQ(faults, 0);
		end_both();
	}
}

TEST(ipc_a_caller_that_waits_fast_may_be_ended)
{
	begin();
	prepare_server(serves_badly, (void *)SLEEPS, NULL);
	prepare_client(calls_and_pauses, NULL, NULL);
	k_thread_access_grant(&client, &pause);
	through = &gate;
	k_thread_priority_set(&client, MAIN_PRIO - 3); /* so that the server inherits */
	k_thread_start(&server);
	k_thread_start(&client);
	k_sem_give(&pause);
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO - 3);
	k_thread_abort(&client);
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO - 2);
	CHECK_EQ(clients.word, ROUNDS);
	CHECK(!clients.is_done);
	end_both();
}

TEST(ipc_a_second_server_that_waits_beside_one_that_is_called_fast_is_not_lost)
{
	k_tid_t other;

	begin();
	prepare_server(serves, NULL, NULL);
	prepare_client(calls_and_pauses, NULL, NULL);
	k_thread_access_grant(&client, &pause);
	through = &gate;
	k_thread_start(&server);
	other = start(adds_one, NULL, MAIN_PRIO - 2);
	k_thread_start(&client);
	CHECK_EQ(servers.word, 2); /* both in turn: who has waited longest */
	k_thread_abort(&server);
	k_sem_give(&pause);
	CHECK(clients.is_done);
	CHECK_EQ(clients.result, 0);
	CHECK_EQ(faults, 0);
	k_thread_abort(other);
	end_both();
}

/* ---- what is more urgent than both, and could not run, since who runs gives way to nobody ---- */

#define COOPERATIVE (-2)

static K_SEM_DEFINE(urgent, 0, 1);

static void says_how_far_they_are(void *unused)
{
	(void)k_sem_take(&urgent, K_FOREVER);
	see((int)(servers.word * 10 + clients.word));
}

static void wakes_and_calls(void *unused_1, void *unused_2, void *unused_3)
{
	clients.word += call_once(0);
	k_sem_give(&urgent);
	clients.word += call_once(0);
	clients.is_done = true;
}

static void wakes_and_answers(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	while (servers.result == 0) {
		for (int i = 0; i < K_IPC_WORDS; i++) {
			message.words[i] += 10;
		}
		if (++servers.word == 2) {
			k_sem_give(&urgent);
		}
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static void calls_twice(void *unused_1, void *unused_2, void *unused_3)
{
	clients.word += call_once(0);
	clients.word += call_once(0);
	clients.is_done = true;
}

/* Returns how often it was served, times ten, and answered, when what is urgent ran. */
static int run_cooperatively(k_thread_entry_t answers, k_thread_entry_t calls)
{
	begin();
	k_sem_reset(&urgent);
	(void)start(says_how_far_they_are, NULL, COOPERATIVE - 1);
	prepare_server(answers, NULL, NULL);
	prepare_client(calls, NULL, NULL);
	k_thread_access_grant(&client, &urgent);
	k_thread_access_grant(&server, &urgent);
	through = &gate;
	k_thread_priority_set(&server, COOPERATIVE);
	k_thread_priority_set(&client, COOPERATIVE);
	k_thread_start(&server);
	k_sleep(K_TICKS(1));
	k_thread_start(&client);
	k_sleep(K_TICKS(1));
	CHECK(clients.is_done);
	CHECK_EQ(clients.word, 2);
	CHECK_EQ(seen, 1);
	CHECK_EQ(faults, 0);
	end_both();
	return seen_order[0];
}

TEST(ipc_what_is_more_urgent_and_ready_runs_before_a_server_that_is_called)
{
	CHECK_EQ(run_cooperatively(serves, wakes_and_calls), 11);
}

TEST(ipc_what_is_more_urgent_and_ready_runs_before_a_caller_that_is_answered)
{
	CHECK_EQ(run_cooperatively(wakes_and_answers, calls_twice), 21);
}

/* ---- calls with a time-out ---- */

static void calls_a_while_and_pauses(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = message_of(1);

	clients.word += call_once(0); /* its answer's straight from the next on */
	clients.result = k_ipc_call(&gate, &message, TIMEOUT);
	(void)k_sem_take(&pause, K_FOREVER);
	clients.is_done = true;
}

TEST(ipc_a_time_out_of_who_was_answered_in_time_is_over)
{
	begin();
	prepare_server(serves, NULL, NULL);
	prepare_client(calls_a_while_and_pauses, NULL, NULL);
	k_thread_access_grant(&client, &pause);
	through = &gate;
	k_thread_start(&server);
	k_thread_start(&client);
	CHECK_EQ(clients.result, 0);
	k_sleep(K_TICKS(10));
	CHECK(!clients.is_done); /* nothing else has woken it */
	end_both();
}

/* It waits by the fast path for its second call, and never answers that. */
static void answers_once(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	message = message_of(message.words[0]);
	message.words[3] += message.words[0];
	servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	servers.word++;
	k_sleep(K_FOREVER);
}

TEST(ipc_a_call_with_a_time_out_ends_though_its_server_waited_fast)
{
	begin();
	prepare_server(answers_once, NULL, NULL);
	prepare_client(calls_a_while_and_pauses, NULL, NULL);
	k_thread_access_grant(&client, &pause);
	through = &gate;
	k_thread_start(&server);
	k_thread_start(&client);
	k_sleep(K_TICKS(10));
	CHECK_EQ(servers.word, 1);
	CHECK_EQ(clients.result, -EAGAIN);
	end_both();
}

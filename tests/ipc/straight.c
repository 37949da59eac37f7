/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and answers that wait for as long as it takes, which ports have a straight way for: what may come in between,
 * while either side waits so, and that a right counts for no longer than the thread has it.
 */
#include "users.h"

#define ROUNDS 3

K_APPMEM_PARTITION_DECLARE(client_memory);
static K_APP_BMEM(client_memory) void *volatile through;
static K_SEM_DEFINE(pause, 0, 1);

static void serves(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.room = 0};

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

TEST(ipc_a_server_that_waits_straight_is_called_by_others_too)
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

TEST(ipc_a_server_that_waits_straight_may_be_suspended_and_given_another_priority)
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
	struct k_ipc_message message = {.room = 0};

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

TEST(ipc_a_caller_that_waits_straight_learns_of_any_end_and_of_no_words)
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

TEST(ipc_a_caller_that_waits_straight_may_be_ended)
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

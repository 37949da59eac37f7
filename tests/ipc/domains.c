/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between two domains: they arrive, and nothing else of the other's is in reach. */
#include "users.h"

static void serves(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.data = servers.bytes, .capacity = BYTES};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	for (;;) {
		servers.word = (intptr_t)message.badge;
		for (int i = 0; i < K_IPC_WORDS; i++) {
			message.words[i] += 10;
		}
		for (size_t i = 0; i < message.size; i++) {
			servers.bytes[i]++;
		}
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static void calls(void *size, void *timeout, void *unused)
{
	struct k_ipc_message message = message_of(1);

	for (int round = 0; round < 3; round++) {
		message = message_of((uintptr_t)round);
		message.data = clients.bytes;
		message.size = (size_t)size;
		message.capacity = BYTES;
		for (size_t i = 0; i < (size_t)size; i++) {
			clients.bytes[i] = (char)i;
		}
		clients.result = k_ipc_call(&gate, &message,
					    timeout == NULL ? K_FOREVER : K_TICKS(100));
		for (uintptr_t i = 0; i < K_IPC_WORDS; i++) {
			clients.word += message.words[i] == (uintptr_t)round + i + 10;
		}
		clients.word += message.size == (size_t)size && message.badge == 0 &&
				message.capacity == BYTES && message.data == clients.bytes;
		for (size_t i = 0; i < (size_t)size; i++) {
			clients.word += clients.bytes[i] == (char)(i + 1);
		}
	}
	clients.is_done = true;
}

TEST(ipc_messages_go_between_domains)
{
	static const size_t sizes[] = {0, 1, 24, 64, 65, BYTES};

	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(sizes); i++) {
		size_t size = sizes[i / 2];

		begin();
		prepare_server(serves, NULL, NULL);
		prepare_client(calls, (void *)size, i % 2 == 0 ? NULL : &client);
		k_thread_start(&server);
		k_thread_start(&client);
		CHECK(clients.is_done);
		CHECK_EQ(clients.result, 0);
		CHECK_EQ(clients.word, 3 * (5 + (intptr_t)size));
		CHECK_EQ(servers.word, GATE_BADGE);
		CHECK_EQ(faults, 0);
		end_both();
	}
}

TEST(ipc_a_client_that_comes_before_its_server_is_served)
{
	begin();
	prepare_client(calls, (void *)BYTES, NULL);
	k_thread_start(&client);
	CHECK(!clients.is_done);
	prepare_server(serves, NULL, NULL);
	k_thread_start(&server);
	k_sleep(K_TICKS(1));
	CHECK(clients.is_done);
	CHECK_EQ(clients.word, 3 * (5 + BYTES));
	CHECK_EQ(faults, 0);
	end_both();
}

static void reads(void *address, void *unused_2, void *unused_3)
{
	clients.word = *(volatile char *)address;
	clients.is_done = true;
}

TEST(ipc_neither_reaches_the_memory_of_the_other)
{
	if (IS_ENABLED(CONFIG_HOSTED)) {
		return; /* which protects nothing */
	}
	begin();
	prepare_client(reads, &servers.bytes[0], NULL);
	k_thread_start(&client);
	CHECK(!clients.is_done);
	CHECK_EQ(faults, 1);
	prepare_client(reads, &clients.bytes[0], NULL);
	k_thread_start(&client);
	CHECK(clients.is_done);
	end_both();
}

static void sends_and_receives(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = message_of(70);

	clients.result = k_ipc_send(&gate, &message, K_FOREVER);
	clients.is_done = true;
}

static void receives_and_replies(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	servers.result = k_ipc_receive(&endpoint, &message, K_TICKS(50));
	servers.word = (intptr_t)message.words[3];
	servers.bytes[0] = (char)-k_ipc_reply(&message); /* to nobody: it was no call */
	servers.is_done = true;
}

TEST(ipc_what_is_sent_between_domains_has_no_answer)
{
	begin();
	prepare_server(receives_and_replies, NULL, NULL);
	prepare_client(sends_and_receives, NULL, NULL);
	k_thread_start(&client);
	CHECK(!clients.is_done);
	k_thread_start(&server);
	k_sleep(K_TICKS(1));
	CHECK(clients.is_done && servers.is_done);
	CHECK_EQ(servers.word, 73);
	CHECK_EQ(servers.bytes[0], ESRCH);
	CHECK_EQ(clients.result + servers.result, 0);
	end_both();
}

/* A server that faults in the middle of a call, by itself. */
static void receives_and_faults(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	servers.result = k_ipc_receive((void *)&servers, &message, K_FOREVER); /* no endpoint */
	servers.is_done = true;
}

TEST(ipc_a_server_that_faults_leaves_its_caller_an_error)
{
	begin();
	prepare_server(receives_and_faults, NULL, NULL);
	prepare_client(calls, NULL, NULL);
	k_thread_start(&server);
	k_thread_start(&client);
	CHECK_EQ(faults, 1);
	CHECK(!servers.is_done);
	CHECK_EQ(clients.result, -EOWNERDEAD);
	end_both();
}

/* ---- memory that one of both only reads ---- */

#define SHARED_SIZE 4096 /* a partition on any board with pages; a power of two for the others */

static char shared_memory[SHARED_SIZE] __aligned(SHARED_SIZE);

static void share(struct k_mem_domain *domain, k_mem_partition_attr_t attr, bool is_there)
{
	struct k_mem_partition part = {(uintptr_t)shared_memory, SHARED_SIZE, attr};

	CHECK_EQ(is_there ? k_mem_domain_add_partition(domain, &part)
			  : k_mem_domain_remove_partition(domain, &part),
		 0);
}

/* Answers with as many bytes, from where they came, the first of them one more if they are its own. */
static void serves_at(void *place, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.data = place, .capacity = BYTES};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	while (servers.result == 0) {
		servers.word++;
		servers.bytes[0]++;
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static void calls_from(void *place, void *size, void *unused_3)
{
	struct k_ipc_message message = {.data = place, .capacity = BYTES};

	for (int round = 0; round < 3; round++) {
		message.size = (size_t)size;
		clients.result = k_ipc_call(&gate, &message, K_FOREVER);
		clients.word += clients.result == 0 && message.size == (size_t)size;
	}
	clients.is_done = true;
}

/*
 * The kernel runs on the sender's view of memory, in which the receiver's may be read only: what it then has to do
 * differs by port, and by where the bytes travel.
 */
static void exchange(size_t size, bool server_writes)
{
	struct k_mem_domain *writes = server_writes ? &server_domain : &client_domain;
	struct k_mem_domain *reads = server_writes ? &client_domain : &server_domain;

	begin();
	share(writes, K_MEM_PARTITION_P_RW_U_RW, true);
	share(reads, K_MEM_PARTITION_P_RO_U_RO, true);
	prepare_server(serves_at, server_writes ? shared_memory : servers.bytes, NULL);
	prepare_client(calls_from, server_writes ? clients.bytes : shared_memory, (void *)size);
	for (size_t i = 0; i < size; i++) {
		shared_memory[i] = (char)(server_writes ? 99 : i);
		clients.bytes[i] = (char)i;
	}
	k_thread_start(&server);
	k_thread_start(&client);
	CHECK(clients.is_done);
	CHECK_EQ(clients.result, 0);
	CHECK_EQ(clients.word, 3);
	CHECK_EQ(servers.word, 3);
	CHECK_EQ(faults, 0);
	for (size_t i = 0; i < size; i++) {
		CHECK_EQ(shared_memory[i], (char)(i == 0 && !server_writes ? 3 : i));
	}
	share(writes, K_MEM_PARTITION_P_RW_U_RW, false);
	share(reads, K_MEM_PARTITION_P_RO_U_RO, false);
	end_both();
}

TEST(ipc_bytes_reach_memory_that_their_sender_only_reads)
{
	static const size_t sizes[] = {1, 8, 24, 48, 56, 64, BYTES};

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		exchange(sizes[i], true);
		exchange(sizes[i], false);
	}
}

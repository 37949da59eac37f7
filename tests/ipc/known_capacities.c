/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rooms that were looked at already (fast_bytes.c): of every size, and what becomes of what was found where a
 * thread's memory, or how much of it is meant, has changed since. Each call here has others before it that went by the fast path.
 */
#include <string.h>
#include "users.h"

#define GOOD     2  /* calls before the one that is looked at */
#define CAPACITY 80 /* more than goes by the fast path, in bytes */
#define SIZE     16

K_APPMEM_PARTITION_DECLARE(client_memory);

K_IPC_ENDPOINT_DEFINE(others_endpoint);
K_IPC_GATE_DEFINE(others_gate, &others_endpoint, 9);

static K_MEM_PARTITION_DEFINE(part, 0, 0, K_MEM_PARTITION_P_RW_U_RW);
#define PART MAX(256U, ARCH_PARTITION_ALIGN)
static char part_memory[PART] __aligned(PART);
static K_SEM_DEFINE(pause, 0, 1);

static void share(struct k_mem_domain *domain, k_mem_partition_attr_t attr)
{
	part.start = (uintptr_t)part_memory;
	part.size = sizeof(part_memory);
	part.attr = attr;
	CHECK_EQ(k_mem_domain_add_partition(domain, &part), 0);
}

/* Answers with the complement of what came, into as much room as it began with. */
static void complements(void *bytes, void *room, void *unused)
{
	struct k_ipc_message message = {.data = bytes, .capacity = (uintptr_t)room};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	while (servers.result == 0) {
		servers.word++;
		for (size_t i = 0; i < message.size; i++) {
			((char *)bytes)[i] = (char)~((char *)bytes)[i];
		}
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

/* How many bytes are not as they have to be behind a call with `size` of them. */
static unsigned int wrong_bytes(const char *bytes, size_t size)
{
	unsigned int wrong = 0;

	for (size_t i = 0; i < CAPACITY; i++) {
		char sent = (char)(size + i);

		wrong += bytes[i] != (i < size ? (char)~sent : sent);
	}
	return wrong;
}

/* Before each there is a call of no bytes, so that its room is known. */
static void sends_each_size(void *bytes, void *servers_capacity, void *unused)
{
	struct k_ipc_message message = {.data = bytes, .capacity = CAPACITY};

	for (size_t i = 0; i < 2 * (CAPACITY + 1); i++) {
		size_t size = i % 2 == 0 ? 0 : i / 2;
		bool fits = size <= (uintptr_t)servers_capacity;

		for (size_t n = 0; n < CAPACITY; n++) {
			((char *)bytes)[n] = (char)(size + n);
		}
		message.size = size;
		clients.result = k_ipc_call(&gate, &message, K_FOREVER);
		clients.word += fits ? clients.result != 0 || message.size != size ||
						wrong_bytes(bytes, size) != 0
				     : clients.result != -ENOSPC;
	}
	clients.is_done = true;
}

static void send_each_size(uintptr_t servers_capacity)
{
	begin();
	prepare_server(complements, servers.bytes, (void *)servers_capacity);
	prepare_client(sends_each_size, clients.bytes, (void *)servers_capacity);
	(void)memset(servers.bytes, 5, sizeof(servers.bytes));
	k_thread_start(&server);
	k_thread_start(&client);
	CHECK(clients.is_done);
	CHECK_EQ(clients.word, 0);
	CHECK_EQ(servers.word, CAPACITY + 1 + servers_capacity + 1);
	CHECK_EQ(servers.bytes[servers_capacity], 5);
	CHECK_EQ(faults, 0);
	end_both();
}

TEST(ipc_bytes_of_any_number_arrive_and_no_others_are_changed)
{
	send_each_size(CAPACITY);
	send_each_size(SIZE); /* what is longer is refused, though it is in its sender's memory */
	send_each_size(SIZE + 4);
	send_each_size(0);
}

/* ---- memory that was its own ---- */

/* The last call is another one: of so many bytes, from the same place, with such a capacity. */
struct last {
	size_t size;
	size_t capacity;
};

static void calls_then(void *bytes, void *last_place, void *unused)
{
	const struct last *last = last_place;
	struct k_ipc_message message = {.data = bytes, .capacity = SIZE};

	for (int i = 0; i < GOOD; i++) {
		message.size = SIZE;
		clients.word += k_ipc_call(&gate, &message, K_FOREVER) == 0;
	}
	(void)k_sem_take(&pause, K_FOREVER);
	message.size = last->size;
	message.capacity = last->capacity;
	clients.result = k_ipc_call(&gate, &message, K_FOREVER);
	clients.is_done = true;
}

static void start_both(char *clients_place, struct last last, char *servers_place)
{
	begin();
	prepare_server(complements, servers_place, (void *)(SIZE * 2));
	prepare_client(calls_then, clients_place, clients.bytes + SIZE * 4);
	(void)memcpy(clients.bytes + SIZE * 4, &last, sizeof(last));
	k_thread_access_grant(&client, &pause);
	k_thread_start(&server);
	k_thread_start(&client);
	CHECK_EQ(clients.word, GOOD);
	CHECK_EQ(servers.word, GOOD);
}

static void call_and_end(void)
{
	k_sem_give(&pause);
	CHECK(!clients.is_done);
	CHECK_EQ(faults, 1);
	CHECK_EQ(servers.word, GOOD);
	end_both();
}

TEST(ipc_a_room_that_was_looked_at_is_no_larger_than_it_was)
{
	char *behind = (char *)client_memory.start + client_memory.size - SIZE;

	start_both(behind, (struct last){SIZE * 2, SIZE}, servers.bytes);
	call_and_end();
	start_both(behind, (struct last){SIZE, SIZE * 2}, servers.bytes);
	call_and_end();
}

TEST(ipc_a_room_that_was_looked_at_and_taken_away_is_not_the_threads)
{
	for (size_t i = 0; i < 4; i++) {
		share(&client_domain, K_MEM_PARTITION_P_RW_U_RW);
		start_both(part_memory, (struct last){i / 2 * SIZE, SIZE}, servers.bytes);
		CHECK_EQ(k_mem_domain_remove_partition(&client_domain, &part), 0);
		if (i % 2 == 1) {
			share(&client_domain, K_MEM_PARTITION_P_RO_U_RO);
		}
		call_and_end();
		(void)k_mem_domain_remove_partition(&client_domain, &part);
	}
}

/* Calls, then serves two calls of others, and calls from the same place in between. */
static void calls_and_serves(void *bytes, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.data = bytes, .capacity = SIZE};

	for (int i = 0; i < GOOD; i++) {
		message.size = SIZE;
		clients.word += k_ipc_call(&gate, &message, K_FOREVER) == 0;
	}
	clients.word += k_ipc_receive(&others_endpoint, &message, K_FOREVER) == 0;
	clients.word += k_ipc_reply_receive(&others_endpoint, &message, K_FOREVER) == 0;
	clients.word += k_ipc_reply_receive(&others_endpoint, &message, K_FOREVER) == 0;
	message.size = SIZE;
	clients.result = k_ipc_call(&gate, &message, K_FOREVER);
	clients.is_done = true;
}

/* The sender's was looked at since, as it began to wait for its last call; the receiver's was not. */
TEST(ipc_a_room_that_was_taken_away_since_its_thread_waits_is_not_reached)
{
	struct k_ipc_message message = {.capacity = 0};

	begin();
	k_ipc_endpoint_init(&others_endpoint);
	share(&server_domain, K_MEM_PARTITION_P_RW_U_RW);
	prepare_server(complements, part_memory, (void *)SIZE);
	prepare_client(calls_and_serves, clients.bytes, NULL);
	k_thread_access_grant(&client, &others_endpoint);
	k_thread_start(&server);
	k_thread_start(&client);
	CHECK_EQ(k_ipc_call(&others_gate, &message, K_FOREVER), 0);
	CHECK_EQ(k_mem_domain_remove_partition(&server_domain, &part), 0);
	CHECK_EQ(k_ipc_call(&others_gate, &message, K_FOREVER), 0);
	(void)memset(part_memory, 5, sizeof(part_memory));
	CHECK_EQ(clients.word, GOOD + 2);
	CHECK_EQ(servers.word, GOOD);
	CHECK_EQ(k_ipc_call(&others_gate, &message, TIMEOUT), -EAGAIN);
	CHECK_EQ(clients.word, GOOD + 3);
	CHECK(!clients.is_done);
	CHECK_EQ(servers.word, GOOD);
	CHECK_EQ(servers.result, -EFAULT);
	CHECK_EQ(part_memory[0], 5);
	end_both();
}

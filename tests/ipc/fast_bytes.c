/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that go by the fast path: after calls that went so, one with memory that is not its thread's, or more than there is room
 * for. What fast_bytes.c looks at is looked at by the slow path as well, to which it leaves what is not as usual.
 */
#include <string.h>
#include "users.h"

#define GOOD 2  /* calls before the bad one */
#define SIZE 16 /* of a message that goes by the fast path, in bytes */

K_APPMEM_PARTITION_DECLARE(client_memory);
K_APPMEM_PARTITION_DECLARE(server_memory);

/* The bytes of one side's messages: in the call, or the answer, that is not as the others. */
struct odd {
	char *data;
	size_t size;
	size_t capacity;
};

static char kernels[BYTES];
static K_MEM_PARTITION_DEFINE(part, 0, 0, K_MEM_PARTITION_P_RW_U_RW);
#define PART MAX(256U, ARCH_PARTITION_ALIGN)
static char part_memory[PART] __aligned(PART);
static K_SEM_DEFINE(pause, 0, 1);

static void serves(void *bytes, void *odd_place, void *unused)
{
	const struct odd *odd = odd_place;
	struct k_ipc_message message = {.data = bytes, .capacity = SIZE};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	while (servers.result == 0) {
		servers.word++;
		if (servers.word > GOOD && odd->data != NULL) {
			message.data = odd->data;
			message.size = odd->size;
			message.capacity = odd->capacity;
		}
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
	servers.is_done = true;
}

static void calls(void *bytes, void *odd_place, void *unused)
{
	const struct odd *odd = odd_place;

	for (int i = 0; i <= GOOD; i++) {
		struct k_ipc_message message = {.data = bytes, .size = SIZE, .capacity = SIZE};

		if (i == GOOD) {
			(void)k_sem_take(&pause, K_FOREVER);
		}
		if (i == GOOD && odd->data != NULL) {
			message.data = odd->data;
			message.size = odd->size;
			message.capacity = odd->capacity;
		}
		clients.result = k_ipc_call(&gate, &message, K_FOREVER);
		clients.word += clients.result == 0;
	}
	clients.is_done = true;
}

/* Up to the pause, with SIZE bytes in places of the sides' own. */
static void start_both(char *clients_place, struct odd clients_odd, char *servers_place,
		       struct odd servers_odd)
{
	begin();
	prepare_server(serves, servers_place, servers.bytes + SIZE * 4);
	prepare_client(calls, clients_place, clients.bytes + SIZE * 4);
	(void)memcpy(servers.bytes + SIZE * 4, &servers_odd, sizeof(servers_odd));
	(void)memcpy(clients.bytes + SIZE * 4, &clients_odd, sizeof(clients_odd));
	k_thread_access_grant(&client, &pause);
	(void)memset(kernels, 3, sizeof(kernels));
	(void)memset(clients.bytes, 1, SIZE);
	k_thread_start(&server);
	k_thread_start(&client);
	CHECK_EQ(clients.word, GOOD);
	CHECK_EQ(servers.word, GOOD);
	CHECK_EQ(servers.bytes[0], servers_place == servers.bytes ? clients_place[0] : 0);
}

static void share(struct k_mem_domain *domain, k_mem_partition_attr_t attr)
{
	part.start = (uintptr_t)part_memory;
	part.size = sizeof(part_memory);
	part.attr = attr;
	CHECK_EQ(k_mem_domain_add_partition(domain, &part), 0);
}

static void call_from_there_and_end(char *place, struct odd odd)
{
	start_both(place, odd, servers.bytes, (struct odd){.data = NULL});
	(void)memset(servers.bytes, 5, SIZE);
	k_sem_give(&pause);
	CHECK(!clients.is_done);
	CHECK_EQ(faults, 1);
	CHECK_EQ(servers.word, GOOD);
	CHECK_EQ(servers.bytes[0], 5);
	CHECK_EQ(kernels[0], 3);
	end_both();
}

static void call_and_end(struct odd odd)
{
	call_from_there_and_end(clients.bytes, odd);
}

TEST(ipc_a_fast_call_with_memory_that_is_not_its_threads_is_the_end)
{
	char *behind = (char *)client_memory.start + client_memory.size - SIZE;

	call_and_end((struct odd){kernels, SIZE, 0});
	call_and_end((struct odd){kernels, SIZE, SIZE});
	call_and_end((struct odd){kernels, 0, SIZE});
	call_and_end((struct odd){servers.bytes, SIZE, SIZE});
	call_and_end((struct odd){behind, SIZE, SIZE * 2});
	call_and_end((struct odd){behind, SIZE * 2, SIZE});
	call_from_there_and_end(behind,
				(struct odd){behind, SIZE, SIZE * 2}); /* of a known place */
	call_from_there_and_end(behind, (struct odd){behind, 0, SIZE * 2});
	share(&client_domain, K_MEM_PARTITION_P_RO_U_RO); /* to be sent, and no room */
	call_and_end((struct odd){part_memory, SIZE, SIZE});
	CHECK_EQ(k_mem_domain_remove_partition(&client_domain, &part), 0);
}

static void answer_and_end(struct odd odd)
{
	start_both(clients.bytes, (struct odd){.data = NULL}, servers.bytes, odd);
	(void)memset(clients.bytes, 1, SIZE);
	k_sem_give(&pause);
	CHECK(!servers.is_done);
	CHECK_EQ(faults, 1);
	CHECK_EQ(clients.result, -EOWNERDEAD);
	CHECK_EQ(clients.bytes[0], 1);
	CHECK_EQ(kernels[0], 3);
	end_both();
}

TEST(ipc_a_fast_answer_with_memory_that_is_not_its_threads_is_the_end)
{
	char *behind = (char *)server_memory.start + server_memory.size - SIZE;

	answer_and_end((struct odd){kernels, SIZE, 0});
	answer_and_end((struct odd){kernels, SIZE, SIZE});
	answer_and_end((struct odd){clients.bytes + SIZE, SIZE, SIZE});
	answer_and_end((struct odd){behind, SIZE, SIZE * 2});
	share(&server_domain, K_MEM_PARTITION_P_RO_U_RO);
	answer_and_end((struct odd){part_memory, SIZE, SIZE});
	CHECK_EQ(k_mem_domain_remove_partition(&server_domain, &part), 0);
}

/* By a byte, and by a word: where those are in registers, the first never is. */
static const size_t too_many[] = {SIZE + 1, SIZE + sizeof(uintptr_t)};

TEST(ipc_a_fast_call_with_more_than_there_is_room_for_is_refused)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(too_many); i++) {
		start_both(clients.bytes, (struct odd){clients.bytes, too_many[i], SIZE},
			   servers.bytes, (struct odd){.data = NULL});
		(void)memset(servers.bytes, 5, SIZE * 2);
		k_sem_give(&pause);
		CHECK(clients.is_done);
		CHECK_EQ(clients.result, -ENOSPC);
		CHECK_EQ(servers.word, GOOD);
		CHECK_EQ(servers.bytes[0], 5);
		CHECK_EQ(servers.bytes[SIZE], 5);
		CHECK_EQ(faults, 0);
		end_both();
	}
}

TEST(ipc_a_fast_answer_with_more_than_there_is_room_for_is_refused)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(too_many); i++) {
		start_both(clients.bytes, (struct odd){.data = NULL}, servers.bytes,
			   (struct odd){servers.bytes, too_many[i], SIZE});
		(void)memset(clients.bytes, 1, SIZE * 2);
		k_sem_give(&pause);
		CHECK(clients.is_done);
		CHECK_EQ(clients.result, -ENOSPC);
		CHECK_EQ(clients.bytes[SIZE], 1);
		CHECK_EQ(faults, 0);
		end_both();
	}
}

/* What it waits with is not its own any more: the server's in a call, the client's in an answer is in refused.c. */
TEST(ipc_a_fast_call_to_memory_that_was_taken_away_does_not_reach_it)
{
	const struct odd odds[] = {{.data = NULL}, {clients.bytes, SIZE, 0}};

	for (unsigned int i = 0; i < ARRAY_SIZE(odds); i++) {
		share(&server_domain, K_MEM_PARTITION_P_RW_U_RW);
		start_both(clients.bytes, odds[i], part_memory, (struct odd){.data = NULL});
		CHECK_EQ(k_mem_domain_remove_partition(&server_domain, &part), 0);
		part_memory[0] = 5;
		k_sem_give(&pause);
		CHECK_EQ(part_memory[0], 5);
		CHECK_EQ(servers.word, GOOD);
		CHECK_EQ(servers.result, -EFAULT);
		CHECK_EQ(faults, 0);
		CHECK(!clients.is_done);
		end_both();
	}
}

/* ---- another alignment ---- */

/* Have a core that would access words anywhere refuse where it can. */
static void refuse_misaligned(bool is_on)
{
#ifdef __arm__
	volatile uint32_t *ccr = (volatile uint32_t *)0xE000ED14;
	const uint32_t unalign_trp = 1UL << 3;

	*ccr = is_on ? *ccr | unalign_trp : *ccr & ~unalign_trp;
#else
	(void)is_on;
#endif
}

static void exchange_misaligned(struct odd clients_odd, struct odd servers_odd)
{
	start_both(clients.bytes, clients_odd, servers.bytes, servers_odd);
	(void)memset(clients.bytes, 1, SIZE + 2);
	(void)memset(servers.bytes, 1, SIZE + 2);
	refuse_misaligned(true);
	k_sem_give(&pause);
	refuse_misaligned(false);
	CHECK(clients.is_done);
	CHECK_EQ(clients.result, 0);
	CHECK_EQ(servers.word, GOOD + 1);
	CHECK_EQ(clients.bytes[SIZE], 1);
	CHECK_EQ(faults, 0);
	end_both();
}

TEST(ipc_bytes_that_are_not_aligned_to_words_arrive_without_a_misaligned_access)
{
	const struct odd none = {.data = NULL};

	exchange_misaligned((struct odd){clients.bytes + 1, SIZE, SIZE}, none);
	exchange_misaligned((struct odd){clients.bytes + 2, SIZE, 0},
			    (struct odd){servers.bytes, 0, SIZE});
	exchange_misaligned(none, (struct odd){servers.bytes + 1, SIZE, SIZE});
	exchange_misaligned((struct odd){clients.bytes, SIZE - 1, SIZE}, none);
}

/* ---- nothing is left of a message with bytes ---- */

/* Counts the bytes that come; the second answer has some. */
static void serves_bytes(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.data = servers.bytes, .capacity = 8};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	while (servers.result == 0) {
		servers.bytes[100] += (char)message.size;
		servers.word++;
		message.size = servers.word == 2 ? 8 : 0;
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static void calls_with_and_without_bytes(void *size, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = message_of(1);

	message.data = clients.bytes;
	message.size = (size_t)size;
	message.capacity = 8;
	clients.result = k_ipc_call(&gate, &message, TIMEOUT);
	message = message_of(2);
	clients.word = k_ipc_call(&gate, &message, K_FOREVER);
	clients.is_done = true;
}

TEST(ipc_the_room_of_the_last_message_is_none_of_the_next)
{
	begin();
	prepare_server(serves_bytes, NULL, NULL);
	prepare_client(calls_with_and_without_bytes, NULL, NULL);
	(void)memset(clients.bytes, 1, 8);
	k_thread_start(&server);
	(void)memset(servers.bytes, 5, 8);
	k_thread_start(&client);
	CHECK(clients.is_done);
	CHECK_EQ(clients.result, 0);
	CHECK_EQ(clients.word, -ENOSPC);
	CHECK_EQ(clients.bytes[0], 1);
	CHECK_EQ(faults, 0);
	end_both();
}

TEST(ipc_bytes_that_nobody_received_are_not_sent_with_the_next_message)
{
	begin();
	prepare_client(calls_with_and_without_bytes, (void *)8, NULL);
	k_thread_start(&client);
	k_sleep(K_TICKS(10));
	CHECK_EQ(clients.result, -EAGAIN);
	CHECK(!clients.is_done);
	prepare_server(serves_bytes, NULL, NULL);
	k_thread_start(&server);
	k_sleep(K_TICKS(1));
	CHECK(clients.is_done);
	CHECK_EQ(servers.word, 1);
	CHECK_EQ(servers.bytes[100], 0);
	CHECK_EQ(faults, 0);
	end_both();
}

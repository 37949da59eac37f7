/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages with bytes as no library makes them: user mode loads the registers itself, and says how many bytes there are. What it
 * says is not believed: ports find their way behind such a call by it.
 */
#include <string.h>
#include "tests/user/attack/registers.h"
#include "users.h"

#define ROOM 64
#ifdef __x86_64__
#define IS_ANY_SAID false /* a byte says how many there are */
#else
#define IS_ANY_SAID true
#endif

/* The assembly that makes the call has an entry for the attackers of tests/user/attack. */
void attack(void);
void attack(void)
{
}

static void serves(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.data = servers.bytes, .capacity = ROOM};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	while (servers.result == 0) {
		servers.word = (intptr_t)message.size;
		message.size = 0;
		servers.result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

/* Twice as others do, so that the third may go by the fast path. */
static void calls(void *size, void *unused_2, void *unused_3)
{
	struct registers registers __aligned(16);
	const struct byte_call call = {true, (uintptr_t)&gate, (uintptr_t)clients.bytes,
				       (uintptr_t)size, 0};

	for (int i = 0; i < 2; i++) {
		struct k_ipc_message message = {
			.data = clients.bytes, .size = 8, .capacity = sizeof(uintptr_t)};

		clients.word += k_ipc_call(&gate, &message, K_FOREVER) == 0;
	}
	(void)memset(&registers, 0, sizeof(registers));
	registers.sp = (uintptr_t)&registers;
	byte_call_load(&registers, &call);
	attack_trap_bytes(&registers);
	clients.result = (int)registers.a[0];
	clients.is_done = true;
}

/* How many of them go by the fast path. */
static bool is_fast(size_t size)
{
	if (IS_ENABLED(CONFIG_SIZE_OPTIMIZATIONS) || IS_ENABLED(CONFIG_SWITCH_HOOKS)) {
		return false; /* there is no fast path: kernel/ipc/fast_wait.h */
	}
	if (NUM_BYTE_WORDS == 0 && IS_ENABLED(CONFIG_FPU)) {
		return false; /* nor for who computes, as whoever loads all registers does: arch/cortex_m/ipc.S */
	}
	if (NUM_BYTE_WORDS == 0) {
		return size <= ROOM;
	}
	return size <= NUM_BYTE_WORDS * sizeof(uintptr_t) && size % sizeof(uintptr_t) == 0;
}

TEST(ipc_bytes_of_any_number_that_user_mode_says_are_sent_as_they_are_or_not_at_all)
{
	static const size_t sizes[] = {0,  1,  4,  7,  8,  9,   24,  47,  48,  52,  56,  57,  63,
				       64, 65, 72, 80, 96, 120, 127, 128, 136, 200, 248, 252, 255};

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		begin();
		prepare_server(serves, NULL, NULL);
		prepare_client(calls, (void *)sizes[i], NULL);
		(void)memset(servers.bytes, 5, BYTES);
		k_thread_start(&server);
		k_thread_start(&client);
		CHECK(clients.is_done);
		CHECK_EQ(clients.word, 2);
		CHECK_EQ(clients.result, is_fast(sizes[i]) ? 0 : 1);
		CHECK_EQ(servers.word, is_fast(sizes[i]) ? (intptr_t)sizes[i] : 8);
		CHECK_EQ(servers.bytes[ROOM], 5);
		CHECK_EQ(faults, 0);
		end_both();
	}
}

/* What looks like a time-out may be no such call: its thread's end. */
TEST(ipc_as_many_bytes_as_no_memory_has_are_not_sent)
{
	static const uintptr_t sizes[] = {
		256, 4096, UINT32_MAX, UINTPTR_MAX, UINTPTR_MAX - 7, INTPTR_MAX, INTPTR_MAX - 7};

	if (!IS_ANY_SAID) {
		return;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		begin();
		prepare_server(serves, NULL, NULL);
		prepare_client(calls, (void *)sizes[i], NULL);
		k_thread_start(&server);
		k_thread_start(&client);
		CHECK_EQ(clients.word, 2);
		CHECK_EQ(clients.result, clients.is_done ? 1 : 99);
		CHECK_EQ(faults, clients.is_done ? 0 : 1);
		CHECK_EQ(servers.word, 8);
		end_both();
	}
}

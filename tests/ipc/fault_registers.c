/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of a thread that has faulted: its handler sees them, and changes them, if it has room for them. */
#include "users.h"

/* Of probes(): a register that calls keep, one that they do not, and how many a handler sees. */
#if defined(__riscv)
#define KEPT           "s1"
#define KEPT_REGISTER  9
#define OTHER          "t2"
#define OTHER_REGISTER 7
#define NUM_REGISTERS  32
#define LOAD           ".option push\n\t.option norvc\n\tlw zero, 0(%2)\n\t.option pop"
#elif defined(__aarch64__)
#define KEPT           "x20"
#define KEPT_REGISTER  20
#define OTHER          "x9"
#define OTHER_REGISTER 9
#define NUM_REGISTERS  32
#define LOAD           "ldr wzr, [%2]"
#elif defined(__x86_64__)
#define KEPT           "rbx"
#define KEPT_REGISTER  1
#define OTHER          "r9"
#define OTHER_REGISTER 9
#define NUM_REGISTERS  16
#define LOAD           "%{disp32%} testb $0, 0(%2)"
#define LOAD_BYTES     7
#define ADDRESS        "D" /* a register that needs no byte more */
#else
#define KEPT           "r5"
#define KEPT_REGISTER  5
#define OTHER          "r3"
#define OTHER_REGISTER 3
#define NUM_REGISTERS  17
#define LOAD           "ldr.w r12, [%2]"
#endif
#ifndef LOAD_BYTES
#define LOAD_BYTES 4
#define ADDRESS    "r"
#endif
#define KEPT_WORD  ((uintptr_t)0x5a11U)
#define OTHER_WORD ((uintptr_t)0x5b22U)
#define PRIO       (MAIN_PRIO - 3)

K_IPC_ENDPOINT_DEFINE(probes_arrive);
K_IPC_GATE_DEFINE(probe_gate, &probes_arrive, 56);

static struct k_thread handler;
static K_THREAD_STACK_DEFINE(handler_stack, 1024);
static uintptr_t registers[K_IPC_FAULT_REGISTERS + 1];
static size_t came;
static volatile uint32_t out_of_reach;

static void handles(void *answer, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.data = registers, .capacity = sizeof(registers)};

	CHECK_EQ(k_ipc_receive(&probes_arrive, &message, K_FOREVER), 0);
	came = message.size;
	registers[KEPT_REGISTER] += 1U;
	registers[OTHER_REGISTER] += 2U;
	message.words[K_IPC_FAULT_KIND] = K_IPC_FAULT_RESUME;
	message.words[K_IPC_FAULT_PC] += LOAD_BYTES;
	if (answer != NULL) {
		message.size = (uintptr_t)answer;
	}
	(void)k_ipc_reply_receive(&probes_arrive, &message, K_FOREVER);
}

/* Has the thread fault twice, and has no room the second time; but its answer brings what it has from the first. */
static void handles_without_room(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.data = registers, .capacity = sizeof(registers)};

	CHECK_EQ(k_ipc_receive(&probes_arrive, &message, K_FOREVER), 0);
	came = message.size;
	message.words[K_IPC_FAULT_KIND] = K_IPC_FAULT_RESUME;
	message.size = 0;
	message.capacity = 0;
	CHECK_EQ(k_ipc_reply_receive(&probes_arrive, &message, K_FOREVER), 0);
	CHECK_EQ(message.size, 0);
	registers[KEPT_REGISTER] += 1U;
	registers[OTHER_REGISTER] += 2U;
	message.words[K_IPC_FAULT_KIND] = K_IPC_FAULT_RESUME;
	message.words[K_IPC_FAULT_PC] += LOAD_BYTES;
	message.size = came;
	(void)k_ipc_reply_receive(&probes_arrive, &message, K_FOREVER);
}

static void start_as(k_thread_entry_t entry, size_t answer)
{
	(void)k_thread_create(&handler, handler_stack, K_THREAD_STACK_SIZEOF(handler_stack), entry,
			      (void *)answer, NULL, NULL, PRIO, 0, K_NO_WAIT);
}

static void start_handler(size_t answer)
{
	start_as(handles, answer);
}

/* A load of what it may not read, with known words in two registers, which tell what becomes of them. */
static void probes(void *word, void *unused_2, void *unused_3)
{
	register uintptr_t kept __asm__(KEPT) = KEPT_WORD;
	register uintptr_t other __asm__(OTHER) = OTHER_WORD;

#ifdef __arm__
	__asm__ volatile(LOAD : "+r"(kept), "+r"(other) : ADDRESS(word) : "memory", "r12");
#else
	__asm__ volatile(LOAD : "+r"(kept), "+r"(other) : ADDRESS(word) : "memory");
#endif
	clients.result = (intptr_t)kept;
	clients.word = (intptr_t)other;
	clients.is_done = true;
}

static void start_client(void)
{
	prepare_client(probes, (void *)(uintptr_t)&out_of_reach, NULL);
	CHECK_EQ(k_ipc_fault_gate_set(&client, &probe_gate, K_FOREVER), 0);
	k_thread_start(&client);
	k_sleep(K_TICKS(10));
}

static void finish(void)
{
	k_thread_abort(&client);
	k_thread_abort(&handler);
}

static void check_changed(void)
{
	CHECK(clients.is_done);
	CHECK_EQ(came, NUM_REGISTERS * sizeof(uintptr_t));
	CHECK_EQ(registers[KEPT_REGISTER], KEPT_WORD + 1U);
	CHECK_EQ(registers[OTHER_REGISTER], OTHER_WORD + 2U);
	CHECK_EQ(clients.result, KEPT_WORD + 1U);
	CHECK_EQ(clients.word, OTHER_WORD + 2U);
	CHECK_EQ(faults, 0);
}

TEST(ipc_fault_shows_the_handler_the_registers_and_takes_them_back_changed)
{
	begin();
	k_ipc_endpoint_init(&probes_arrive);
	start_handler(0);
	start_client();
	check_changed();
	finish();
}

TEST(ipc_fault_that_has_queued_brings_the_registers_too)
{
	begin();
	k_ipc_endpoint_init(&probes_arrive);
	start_client();
	CHECK(!clients.is_done);
	start_handler(0);
	k_sleep(K_TICKS(2));
	check_changed();
	finish();
}

TEST(ipc_fault_whose_handler_has_no_room_may_be_answered_with_registers)
{
	begin();
	k_ipc_endpoint_init(&probes_arrive);
	start_as(handles_without_room, 0);
	start_client();
	check_changed();
	finish();
}

TEST(ipc_fault_answered_with_few_registers_changes_these_alone)
{
	begin();
	k_ipc_endpoint_init(&probes_arrive);
	start_handler(sizeof(uintptr_t) * (MIN(KEPT_REGISTER, OTHER_REGISTER) + 1U));
	start_client();
	CHECK(clients.is_done);
	CHECK_EQ(clients.result, KEPT_WORD + (KEPT_REGISTER < OTHER_REGISTER ? 1U : 0U));
	CHECK_EQ(clients.word, OTHER_WORD + (KEPT_REGISTER < OTHER_REGISTER ? 0U : 2U));
	finish();
}

TEST(ipc_fault_answered_with_more_than_the_registers_ends_the_thread)
{
	begin();
	k_ipc_endpoint_init(&probes_arrive);
	start_handler(sizeof(registers));
	start_client();
	CHECK(!clients.is_done);
	CHECK_EQ(faults, 1);
	finish();
}

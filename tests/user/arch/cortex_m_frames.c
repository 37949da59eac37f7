/* SPDX-License-Identifier: Apache-2.0 */
/* Wherever a user thread's stack pointer leads, and whoever changes the frame that the core pushed. */
#include <board.h>
#include "cortex_m.h"

/* ---- where the stack pointer may be ---- */

enum how {
	BY_SVC,
	BY_INTERRUPT,
	BY_FAULT,
	HOWS,
};

__attribute__((naked, used)) static void with_sp_(uintptr_t sp, uintptr_t how)
{
	__asm__ volatile("mov r4, sp\n\tmov r5, lr\n\tmov sp, r0\n\t"
			 "cmp r1, #1\n\tbeq 1f\n\tbhi 2f\n\t"
			 "adr lr, 3f\n\torr lr, lr, #1\n\tmov r12, %0\n\tsvc #0\n\t"
			 ".balign 4\n3:\tmov sp, r4\n\tbx r5\n"
			 "1:\tb 1b\n"
			 "2:\tudf #0\n" ::"i"(CALL_k_yield));
}

static void with_sp(void *sp, void *how, void *p3)
{
	seen[0] = 1;
	__asm__ volatile("mov r0, %0\n\tmov r1, %1\n\tbl with_sp_" ::"r"(sp), "r"(how)
			 : "r4", "r5", CALLER_SAVED);
	seen[1] = 1;
}

static void wakes(void *arg, void *p2, void *p3)
{
	for (int i = 0; i < 3; i++) {
		k_sleep(K_TICKS(1));
	}
}

static K_APP_BMEM(shared) uint64_t in_partition[16];

TEST(cortex_m_a_stack_pointer_that_leads_nowhere_is_a_fault_of_its_thread)
{
	extern char _isr_stack_top[];
	const uintptr_t nowhere[] = {
		0,
		4,
		32, /* so that the frame would be at 0 */
		64,
		0x2000,
		BOARD_RAM_BASE,
		BOARD_RAM_BASE + BOARD_RAM_SIZE,
		0x30000000U,
		BOARD_UART_BASE + 32,
		0xE000E120U,
		UINTPTR_MAX,
		UINTPTR_MAX & ~(uintptr_t)7,
		(uintptr_t)_isr_stack_top,
		(uintptr_t)&in_kernel,
		(uintptr_t)other_stack + sizeof(other_stack),
		(uintptr_t)user_stack + CONFIG_PRIVILEGED_STACK_SIZE,
		(uintptr_t)user_stack + CONFIG_PRIVILEGED_STACK_SIZE + 24, /* half a frame */
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(nowhere); i++) {
		for (uintptr_t how = BY_SVC; how < HOWS; how++) {
			begin(0, wakes, NULL);
			CHECK(faults(with_sp, nowhere[i], how));
			CHECK(fatal_reason == K_ERR_CPU_EXCEPTION ||
			      fatal_reason == K_ERR_STACK_CHK_FAIL);
			CHECK_EQ(seen[0], 1);
			CHECK_EQ(seen[1], 0);
			finish(0);
		}
	}
}

/* ARMv8-M's guard is a limit below which no stack pointer of the thread's may be, the user's either. */
#define HAS_LIMIT (IS_ENABLED(CONFIG_STACK_GUARD) && IS_ENABLED(CONFIG_CORTEX_M_PSPLIM))

TEST(cortex_m_a_call_needs_a_frame_on_its_own_stack)
{
	const uintptr_t start_of_stack = (uintptr_t)user_stack + CONFIG_PRIVILEGED_STACK_SIZE;

	CHECK(!faults(with_sp, start_of_stack + 32, BY_SVC)); /* the last that has room */
	CHECK_EQ(seen[1], 1);
	CHECK(!faults(with_sp, start_of_stack + 36, BY_SVC)); /* against the ABI */
	/* The core can write there, but others can, too. */
	CHECK(faults(with_sp, (uintptr_t)&in_partition[16], BY_SVC));
	CHECK_EQ(fatal_reason, HAS_LIMIT ? K_ERR_CPU_EXCEPTION : K_ERR_KERNEL_OOPS);
	CHECK(faults(with_sp, (uintptr_t)&in_partition[16], BY_FAULT));
	CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
}

/* ---- a frame that somebody changes while its thread does not run ---- */

static void changes_frame(void *arg, void *p2, void *p3)
{
	volatile uint32_t *frame = (volatile uint32_t *)&in_partition[12];
	const uintptr_t *what = arg;

	k_sleep(K_TICKS(2)); /* the thread spins, and its frame is that of this interrupt */
	frame[what[0]] = what[1];
	if (what[2] != 0) { /* continued by arch_switch(), and not by the end of an interrupt */
		k_sleep(K_TICKS(1));
	}
}

TEST(cortex_m_a_frame_that_is_forged_is_user_modes_all_the_same)
{
	static const uintptr_t forged[][2] = {
		{7, 0}, /* xPSR: Arm state */
		{7, 0x0100000B}, /* a handler's */
		{7, 0x01000003},  {7, 0x01000800}, /* in an IT block */
		{6, 0xFFFFFFFDU}, /* pc */
		{6, 0},           {6, BOARD_RAM_BASE}, {6, 0xE000ED00U},
	};

	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(forged); i++) {
		uintptr_t what[] = {forged[i / 2][0], forged[i / 2][1], i % 2};
		bool may_go_on = what[1] == 0x01000800U;

		(void)user_prepare(with_sp, &in_partition[16], (void *)BY_INTERRUPT, NULL);
		begin(0, changes_frame, what);
		begin(1, wakes, NULL);
		k_thread_start(&user_thread);
		finish(0);
		finish(1);
		CHECK(k_thread_join(&user_thread, K_TICKS(4)) == 0 || may_go_on);
		CHECK(fatal_count == 1 || may_go_on);
		k_thread_abort(&user_thread);
		CHECK_EQ(in_kernel, 43);
	}
}

static struct k_mem_domain narrow;

static void takes_partition(void *arg, void *p2, void *p3)
{
	k_sleep(K_TICKS(2));
	(void)k_mem_domain_remove_partition(&narrow, &shared);
}

TEST(cortex_m_a_frame_whose_memory_goes_is_a_fault_of_its_thread)
{
	struct k_mem_partition *parts[] = {&shared};

	CHECK_EQ(k_mem_domain_init(&narrow, 1, parts), 0);
	(void)user_prepare(with_sp, &in_partition[16], (void *)BY_INTERRUPT, NULL);
	(void)k_mem_domain_add_thread(&narrow, &user_thread);
	begin(0, takes_partition, NULL);
	CHECK(!user_finish());
	finish(0);
	CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
}

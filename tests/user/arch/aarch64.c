/* SPDX-License-Identifier: Apache-2.0 */
/* Ends that only AArch64 has: registers by their names. */
#include <board.h>
#include "../own_calls.h"
#include "../user.h"

/* Calls a function with &sem, and stores what x1 to x17 hold then, which were 0 before, ored; and x8, the number. */
#define LOOK_AFTER(function)                                                                     \
	__asm__ volatile("mov x0, %2\n\t"                                                        \
			 ".irp r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n\t" \
			 "mov x\\r, #0\n\t.endr\n\t"                                             \
			 "bl " #function "\n\tmov %0, x1\n\t"                                    \
			 ".irp r, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17\n\t"       \
			 "orr %0, %0, x\\r\n\t.endr\n\tmov %1, x8"                               \
			 : "=&r"(all), "=&r"(number)                                             \
			 : "r"(&sem)                                                             \
			 : "x30", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9",    \
			   "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "cc", "memory")

#include "left_over.h"

/* By x18 the API knows its mode: before a call, an interrupt, a fault. */
static void spoils_x18(void *p1, void *p2, void *p3)
{
	__asm__ volatile("mov x18, #0x1234\n\t"
			 "bl __wrap_k_yield\n\t"
			 "mov x18, #0\n\t"
			 "mov x0, #16960\n\tmovk x0, #40, lsl #16\n"
			 "1:\tsubs x0, x0, #1\n\t"
			 "b.ne 1b\n\t"
			 "cbnz x18, 2f\n\t"
			 "brk #1\n2:" ::
				 : "x30", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8",
				   "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
				   "x18", "cc", "memory");
}

TEST(user_what_a_user_leaves_in_x18_is_its_own)
{
	int rounds = 0;

	(void)start(wakes_often, &rounds, USER_PRIO - 2);
	CHECK(!user_run(spoils_x18, NULL, NULL, NULL));
	CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
	CHECK_EQ(fatal_count, 1);
	CHECK(rounds > 0);
}

/* Interrupted while its stack pointer leads nowhere, or where it has no rights: nobody stores there. */
static void spins_with(void *sp, void *p2, void *p3)
{
	seen[0] = 1;
	__asm__ volatile("mov x19, sp\n\tmov sp, %0\n\t"
			 "mov x0, #16960\n\tmovk x0, #40, lsl #16\n"
			 "1:\tsubs x0, x0, #1\n\t"
			 "b.ne 1b\n\t"
			 "mov sp, x19" ::"r"(sp)
			 : "x0", "x19", "cc", "memory");
	seen[1] = 1;
}

TEST(user_a_stack_pointer_that_leads_nowhere_is_nobodys_matter)
{
	static const uintptr_t places[] = {
		0, 8, UINTPTR_MAX - 15, (uintptr_t)&sem + sizeof(sem), 0x8000000000000000U,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(places); i++) {
		int rounds = 0;

		(void)start(wakes_often, &rounds, USER_PRIO - 2);
		CHECK(user_run(spins_with, (void *)places[i], NULL, NULL));
		CHECK_EQ(seen[1], 1);
		CHECK(rounds > 0);
	}
	CHECK_EQ(k_sem_count_get(&sem), 1); /* the test before gave one */
}

/* User mode writes it, so what the one before wrote is not for the next to see. */
static void writes_tpidr(void *p1, void *p2, void *p3)
{
	__asm__ volatile("msr tpidr_el0, %0" ::"r"(0x5ec2e7UL));
	seen[0] = 1;
}

static void reads_tpidr(void *p1, void *p2, void *p3)
{
	uintptr_t found;

	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(found));
	seen[0] = (intptr_t)found;
	seen[1] = 1;
}

TEST(user_a_register_that_user_mode_writes_is_not_read_by_the_next)
{
	CHECK(user_run(writes_tpidr, NULL, NULL, NULL));
	CHECK(user_run(reads_tpidr, NULL, NULL, NULL));
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 1);
}

/* An instruction each, and a return: user mode has none of them. */
#define INSTRUCTION(name, text)                                  \
	static void name(void *p1, void *p2, void *p3)           \
	{                                                        \
		seen[0] = 1;                                     \
		__asm__ volatile(text ::: "x0", "cc", "memory"); \
		seen[1] = 1;                                     \
	}

INSTRUCTION(calls_hypervisor, "hvc #0")
INSTRUCTION(calls_firmware, "smc #0")
INSTRUCTION(returns_from_exception, "eret")
INSTRUCTION(reads_level, "mrs x0, currentel")
INSTRUCTION(writes_tables, "msr ttbr0_el1, xzr")
INSTRUCTION(forgets_translations, "tlbi vmalle1")
INSTRUCTION(masks_all, "msr daifset, #15")
INSTRUCTION(selects_stack, "msr spsel, #1")
INSTRUCTION(writes_kernels_word, "msr tpidrro_el0, xzr")
INSTRUCTION(counts, "mrs x0, pmccntr_el0")
INSTRUCTION(sets_alarm, "msr cntv_ctl_el0, xzr")
#ifndef CONFIG_FPU
INSTRUCTION(uses_floating_point, ".inst 0x1e602800") /* fadd d0, d0, d0 */
#endif
INSTRUCTION(stops, "hlt #1")

TEST(memory_privileged_instructions_of_aarch64_are_refused)
{
	static const k_thread_entry_t entries[] = {
		calls_hypervisor,
		calls_firmware,
		returns_from_exception,
		reads_level,
		writes_tables,
		forgets_translations,
		masks_all,
		selects_stack,
		writes_kernels_word,
		counts,
		sets_alarm,
#ifndef CONFIG_FPU
		uses_floating_point,
#endif
		stops,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(entries); i++) {
		CHECK(!user_run(entries[i], NULL, NULL, NULL));
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
	}
}

static void jumps_to(void *address, void *p2, void *p3)
{
	seen[0] = 1;
	((void (*)(void))address)();
	seen[1] = 1;
}

/* The port's own entries, jumped to: they run in user mode, and get nowhere. */
TEST(memory_entries_of_the_port_have_no_rights_in_user_mode)
{
	extern char aarch64_vectors[], aarch64_user_exception[], aarch64_resume_user[],
		aarch64_interrupt[], aarch64_exception[], aarch64_user_load[], arch_user_enter[],
		arch_switch[], _start[];
	char *const places[] = {
		aarch64_vectors,
		aarch64_vectors + 0x200,
		aarch64_vectors + 0x480,
		aarch64_user_exception,
		aarch64_resume_user,
		aarch64_interrupt,
		aarch64_exception,
		aarch64_user_load,
		arch_user_enter,
		(char *)arch_user_call_done,
		arch_switch,
		_start,
		(char *)1,
		(char *)0x8000000000000000U,
		aarch64_vectors + 2,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(places); i++) {
		CHECK(!user_run(jumps_to, places[i], NULL, NULL));
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
	}
}

static void reads(void *address, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = *(const volatile unsigned char *)address;
	seen[2] = 1;
}

/* They lie on pages of their own; the application's are everybody's. */
TEST(memory_constants_of_the_kernels_own_are_not_a_users)
{
	extern char aarch64_text_end[], aarch64_users_start[];
	static const char own = 'x';
	const uintptr_t kernels[] = {(uintptr_t)aarch64_text_end,
				     (uintptr_t)aarch64_users_start - 1};

	CHECK(kernels[0] < kernels[1]);
	for (unsigned int i = 0; i < ARRAY_SIZE(kernels); i++) {
		CHECK(!user_run(reads, (void *)kernels[i], NULL, NULL));
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[2], 0);
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
	}
	CHECK(user_run(reads, (void *)&own, NULL, NULL));
	CHECK_EQ(seen[1], 'x');
}

static void measures(void *address, void *p2, void *p3)
{
	seen[1] = own_length(address);
}

/* What it cannot read itself no call reads for it. */
TEST(calls_read_no_constants_of_the_kernels_own_for_a_user)
{
	extern char aarch64_text_end[];

	CHECK(user_run(measures, aarch64_text_end, NULL, NULL));
	CHECK_EQ(seen[1], -EFAULT);
}

static void asks_for(void *address, void *size, void *p3)
{
	seen[1] = own_asks(address, (size_t)size, OWN_MAY_READ);
	seen[2] = 1;
}

static bool may_read(uintptr_t address, size_t size)
{
	CHECK(user_run(asks_for, (void *)address, (void *)size, NULL));
	CHECK_EQ(seen[2], 1);
	return seen[1] != 0;
}

TEST(calls_read_no_further_than_code_and_constants_reach)
{
	extern char aarch64_text_start[], aarch64_text_end[];
	extern char aarch64_users_start[], aarch64_user_words_end[];

	CHECK(may_read((uintptr_t)aarch64_text_end - 4, 4));
	CHECK(!may_read((uintptr_t)aarch64_text_end - 4, 8));
	CHECK(!may_read((uintptr_t)aarch64_text_start - 4, 8));
	CHECK(may_read((uintptr_t)aarch64_user_words_end - 4, 4));
	CHECK(!may_read((uintptr_t)aarch64_user_words_end - 4, 8));
	CHECK(!may_read((uintptr_t)aarch64_users_start - 4, 8));
	CHECK(!may_read((uintptr_t)aarch64_text_start, SIZE_MAX));
}

#define READS(name, register)                                         \
	static void name(void *p1, void *p2, void *p3)                \
	{                                                             \
		uintptr_t value;                                      \
                                                                      \
		seen[0] = 1;                                          \
		__asm__ volatile("mrs %0, " #register : "=r"(value)); \
		seen[1] = 1;                                          \
	}

READS(reads_the_physical_counter, cntpct_el0)
READS(reads_the_virtual_counter, cntvct_el0)
READS(reads_the_physical_timer, cntp_ctl_el0)
READS(reads_the_virtual_timer, cntv_ctl_el0)
READS(reads_the_cycles, pmccntr_el0)

TEST(memory_the_cores_counters_and_timers_are_not_a_users)
{
	static const k_thread_entry_t all[] = {
		reads_the_physical_counter, reads_the_virtual_counter, reads_the_physical_timer,
		reads_the_virtual_timer,    reads_the_cycles,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(all); i++) {
		CHECK(!user_run(all[i], NULL, NULL, NULL));
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
	}
}

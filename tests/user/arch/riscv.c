/* SPDX-License-Identifier: Apache-2.0 */
/* Ends that only RISC-V has: registers by their names. */
#include "../user.h"

/* Calls a function with &sem, and stores what t0 to t6 and a1 to a6 hold then, which were 0 before, ored; and a7. */
#define LOOK_AFTER(function)                                                                       \
	__asm__ volatile("mv a0, %2\n\t"                                                           \
			 ".irp r, a1, a2, a3, a4, a5, a6, t0, t1, t2, t3, t4, t5, t6\n\t"          \
			 "li \\r, 0\n\t.endr\n\t"                                                  \
			 "call " #function "\n\tmv %0, a1\n\t"                                     \
			 ".irp r, a2, a3, a4, a5, a6, t0, t1, t2, t3, t4, t5, t6\n\t"              \
			 "or %0, %0, \\r\n\t.endr\n\tmv %1, a7"                                    \
			 : "=&r"(all), "=&r"(number)                                               \
			 : "r"(&sem)                                                               \
			 : "ra", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", \
			   "t3", "t4", "t5", "t6", "memory")

#include "left_over.h"

#if __riscv_xlen == 64
#define STORE "sd"
#define WORD  "8"
#else
#define STORE "sw"
#define WORD  "4"
#endif

static K_EVENT_DEFINE(event);

/* Calls a function with `object` and 1 to 5 in a1 to a5; what those hold then is stored. */
#define LEAVES(function, object, left)                                                             \
	__asm__ volatile("mv a0, %1\n\tmv s1, %0\n\tli a1, 1\n\tli a2, 2\n\tli a3, 3\n\t"          \
			 "li a4, 4\n\tli a5, 5\n\tcall __wrap_" #function "\n\t" STORE             \
			 " a1, 0(s1)\n\t" STORE " a2, " WORD "(s1)\n\t" STORE " a3, 2*" WORD       \
			 "(s1)\n\t" STORE " a4, 3*" WORD "(s1)\n\t" STORE " a5, 4*" WORD "(s1)"    \
			 :                                                                         \
			 : "r"(left), "r"(object)                                                  \
			 : "ra", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", \
			   "t2", "t3", "t4", "t5", "t6", "memory")

static void passes_more_than_it_takes(void *p1, void *p2, void *p3)
{
	uintptr_t of_sem[5], of_event[5];

	LEAVES(k_sem_give, &sem, of_sem);
	LEAVES(k_event_post, &event, of_event);
	for (unsigned int i = 0; i < ARRAY_SIZE(of_sem); i++) {
		seen[i] = (intptr_t)(of_sem[i] | of_event[i]);
	}
	seen[5] = 1;
}

/* Which of these a fast call needs is the compiler's choice: they are cleared, all of them, whoever's they were. */
TEST(calls_that_are_fast_clear_each_register_that_they_may_use)
{
	k_sem_reset(&sem);
	(void)k_event_clear(&event, 1);
	k_thread_access_grant(user_prepare(passes_more_than_it_takes, NULL, NULL, NULL), &sem,
			      &event);
	CHECK(user_finish());
	for (int i = 0; i < 5; i++) {
		CHECK_EQ(seen[i], 0);
	}
	CHECK_EQ(seen[5], 1);
	CHECK_EQ(k_sem_count_get(&sem), 1);
	CHECK_EQ(k_event_test(&event, 1), 1);
}

/* The kernel reaches its data by gp, which user mode may change: before a call, an interrupt, a fault. */
static void spoils_gp(void *p1, void *p2, void *p3)
{
	__asm__ volatile("li gp, 0x12345678\n\t"
			 "call __wrap_k_yield\n\t"
			 "li gp, 0x12345678\n\t"
			 "li t0, 1000000\n"
			 "1:\taddi t0, t0, -1\n\t"
			 "bnez t0, 1b\n\t"
			 "li gp, 0x12345678\n\t"
			 "ebreak" ::
				 : "ra", "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5", "a6",
				   "a7", "t3", "t4", "t5", "t6", "memory");
}

TEST(user_what_a_user_leaves_in_gp_is_not_the_kernels)
{
	int rounds = 0;

	(void)start(wakes_often, &rounds, USER_PRIO - 2);
	CHECK(!user_run(spoils_gp, NULL, NULL, NULL));
	CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
	CHECK_EQ(fatal_count, 1);
	CHECK(rounds > 0);
}

/* As the ABI has a word of 32 bits in a register: extended by its sign, whatever its type. */
static bool is_extended(uint32_t flags)
{
	intptr_t all;

	__asm__("mv %0, %1" : "=r"(all) : "r"(flags));
	return all == (intptr_t)INT32_MIN;
}

static void uses_the_last_flag(void *p1, void *p2, void *p3)
{
	const uint32_t last = 0x80000000U;

	(void)k_event_set(&event, last);
	seen[0] = is_extended(k_event_wait(&event, last, false, K_NO_WAIT));
	seen[1] = is_extended(k_event_wait_all(&event, last, false, K_NO_WAIT));
	seen[2] = is_extended(k_event_post(&event, last));
	seen[3] = is_extended(k_event_set(&event, last));
	seen[4] = is_extended(k_event_test(&event, last));
}

TEST(calls_that_return_flags_extend_the_last_one)
{
	k_thread_access_grant(user_prepare(uses_the_last_flag, NULL, NULL, NULL), &event);
	CHECK(user_finish());
	for (int i = 0; i < 5; i++) {
		CHECK_EQ(seen[i], 1);
	}
	(void)k_event_clear(&event, 0xFFFFFFFFU);
}

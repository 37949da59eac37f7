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

/* SPDX-License-Identifier: Apache-2.0 */
/* Words of control with CONFIG_FPU: whoever comes next has its own. tests/kernel/floating has all else. */
#include "../user.h"

#define MXCSR_AT_RESET   0x1F80
#define CONTROL_AT_RESET 0x37F

/* Errors in x87 trap, and one waits to be told by the next instruction, which is never there. */
static void leaves_an_error(void *p1, void *p2, void *p3)
{
	const uint16_t control = CONTROL_AT_RESET & ~4;
	const uint32_t mxcsr = MXCSR_AT_RESET | 0x6000;
	const double zero = 0.0;

	__asm__ volatile("ldmxcsr %0\n\tfninit\n\tfldcw %1\n\tfld1\n\tfdivl %2" ::"m"(mxcsr),
			 "m"(control), "m"(zero));
	seen[0] = 1;
}

static void looks(void *p1, void *p2, void *p3)
{
	uint32_t mxcsr;
	uint16_t control, status;

	__asm__ volatile("stmxcsr %0\n\tfnstcw %1\n\tfnstsw %2\n\tfwait"
			 : "=m"(mxcsr), "=m"(control), "=m"(status));
	seen[0] = (intptr_t)mxcsr;
	seen[1] = control;
	seen[2] = status;
}

TEST(x86_64_an_error_in_floating_point_is_its_threads_alone)
{
	for (unsigned int i = 0; i < 3; i++) {
		CHECK(user_run(leaves_an_error, NULL, NULL, NULL));
		CHECK_EQ(seen[0], 1);
		CHECK(user_run(looks, NULL, NULL, NULL));
		CHECK_EQ(seen[0], MXCSR_AT_RESET);
		CHECK_EQ(seen[1], CONTROL_AT_RESET);
		CHECK_EQ(seen[2], 0);
	}
}

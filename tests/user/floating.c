/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Without CONFIG_FPU floating point is off in user mode, also where the core has it: so nobody reads in its registers what another thread
 * computed with, or left there before the kernel began.
 */
#include "user.h"

#if defined(__riscv)
#define READ_A_REGISTER  ".word 0xe0000553" /* fmv.x.w a0, ft0 */
#define WRITE_A_REGISTER ".word 0xf0050053" /* fmv.w.x ft0, a0 */
#define FIRST            "a0"
#elif defined(__aarch64__)
#define READ_A_REGISTER  ".inst 0x1e260000" /* fmov w0, s0 */
#define WRITE_A_REGISTER ".inst 0x1e270000" /* fmov s0, w0 */
#define FIRST            "x0"
#elif defined(__x86_64__)
#define READ_A_REGISTER  ".byte 0x66, 0x0f, 0x7e, 0xc0" /* movd %xmm0, %eax */
#define WRITE_A_REGISTER ".byte 0xd9, 0xee" /* fldz */
#define FIRST            "rax"
#else
#define READ_A_REGISTER  ".inst.w 0xee100a10" /* vmov r0, s0 */
#define WRITE_A_REGISTER ".inst.w 0xee000a10" /* vmov s0, r0 */
#define FIRST            "r0"
#endif

static void reads(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	__asm__ volatile(READ_A_REGISTER ::: FIRST, "memory");
	seen[1] = 1;
}

static void writes(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	__asm__ volatile(WRITE_A_REGISTER ::: FIRST, "memory");
	seen[1] = 1;
}

TEST(memory_floating_point_registers_are_nobodys_in_user_mode)
{
	k_thread_entry_t const tries[] = {reads, writes};

	for (unsigned int i = 0; i < ARRAY_SIZE(tries); i++) {
		CHECK(!user_run(tries[i], NULL, NULL, NULL));
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
	}
}

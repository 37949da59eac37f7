/* SPDX-License-Identifier: Apache-2.0 */
/* A new thread's first frame, and the offsets that assembly relies on. */
#include "kernel.h"
#include "offsets.h"

BUILD_ASSERT(offsetof(struct kernel, current) == KERNEL_CURRENT, "offsets.h");
BUILD_ASSERT(offsetof(struct kernel, best) == KERNEL_BEST, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, sp) == THREAD_SP, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, wake_value) == THREAD_WAKE_VALUE, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, prio) == THREAD_PRIO, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, threshold) == THREAD_THRESHOLD, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, state) == THREAD_STATE, "offsets.h");
BUILD_ASSERT(offsetof(struct riscv_cpu, in_isr) == CPU_IN_ISR, "offsets.h");
BUILD_ASSERT(offsetof(struct riscv_cpu, switch_pending) == CPU_SWITCH, "offsets.h");
BUILD_ASSERT(K_THREAD_QUEUED == 0x80, "trap.S");

void riscv_thread_start(void);

void arch_stack_init(struct k_thread *thread, k_thread_entry_t entry, void *p1, void *p2, void *p3)
{
	uintptr_t top = ROUND_DOWN(thread->stack_start + thread->stack_size, ARCH_STACK_ALIGN);
	uintptr_t *frame = (uintptr_t *)(top - FRAME_SIZE);

	frame[FRAME_KEY / 4] = ARCH_IRQ_KEY_OPEN;
	frame[FRAME_RA / 4] = (uintptr_t)riscv_thread_start;
	frame[FRAME_S(0) / 4] = (uintptr_t)entry;
	frame[FRAME_S(1) / 4] = (uintptr_t)p1;
	frame[FRAME_S(2) / 4] = (uintptr_t)p2;
	frame[FRAME_S(3) / 4] = (uintptr_t)p3;
	thread->sp = frame;
}

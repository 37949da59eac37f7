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
BUILD_ASSERT(K_THREAD_QUEUED == 0x80, "handlers.S");

void cortex_m_thread_start(void);

void arch_stack_init(struct k_thread *thread, k_thread_entry_t entry, void *p1, void *p2, void *p3)
{
	uintptr_t top = ROUND_DOWN(thread->stack_start + thread->stack_size, ARCH_STACK_ALIGN);
	uintptr_t *frame = (uintptr_t *)(top - FRAME_SIZE);

	frame[FRAME_KEY / 4] = ARCH_IRQ_KEY_OPEN;
	frame[FRAME_R4 / 4] = (uintptr_t)entry;
	frame[FRAME_R5 / 4] = (uintptr_t)p1;
	frame[FRAME_R6 / 4] = (uintptr_t)p2;
	frame[FRAME_R7 / 4] = (uintptr_t)p3;
	frame[FRAME_PC / 4] = (uintptr_t)cortex_m_thread_start;
	thread->sp = frame;
}

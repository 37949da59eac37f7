/* SPDX-License-Identifier: Apache-2.0 */
/* What kernel/stack/stackguard.c has to know of this port: see "stack checks" in arch/arch.h. */
#ifndef FOLIOT_ARCH_CHECKS_H
#define FOLIOT_ARCH_CHECKS_H

#include <stdint.h>

/* Bytes: the frame, and below it what PendSV needs to resume it (asserted in offsets.c). */
#ifdef CONFIG_FPU
#define ARCH_FPU_FRAME_SIZE 72U /* s16 to s31, FPSCR and where to go on: floating_point.inc */
#else
#define ARCH_FPU_FRAME_SIZE 0U
#endif
#define ARCH_SWITCH_FRAME_SIZE (72U + ARCH_FPU_FRAME_SIZE)

/*
 * sched_preempt() is PendSV's, on the main stack. Where it interrupted user mode, that one's stack
 * pointer is its own matter: the switch saves on the stack of its system calls, which is empty
 * then.
 */
static inline uintptr_t arch_preempted_sp(uintptr_t frame)
{
	uintptr_t psp;

	(void)frame;
#ifdef CONFIG_USERSPACE
	uintptr_t control;

	__asm__ volatile("mrs %0, control" : "=r"(control));
	if ((control & 1U) != 0) {
		return UINTPTR_MAX;
	}
#endif
	__asm__ volatile("mrs %0, psp" : "=r"(psp));
	return psp;
}

void arch_preempted_fault(unsigned int reason, const char *cause);

#endif /* FOLIOT_ARCH_CHECKS_H */

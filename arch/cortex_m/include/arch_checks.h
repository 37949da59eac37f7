/* SPDX-License-Identifier: Apache-2.0 */
/* What kernel/protect/stackguard.c has to know of this port: see "stack checks" in arch/arch.h. */
#ifndef FOLIOT_ARCH_CHECKS_H
#define FOLIOT_ARCH_CHECKS_H

#include <stdint.h>

/* Bytes: the frame, and below it what PendSV needs to resume it (asserted in offsets.c). */
#define ARCH_SWITCH_FRAME_SIZE 72U

/* sched_preempt() is PendSV's, on the main stack. */
static inline uintptr_t arch_preempted_sp(uintptr_t frame)
{
	uintptr_t psp;

	(void)frame;
	__asm__ volatile("mrs %0, psp" : "=r"(psp));
	return psp;
}

void arch_preempted_fault(unsigned int reason, const char *cause);

#endif /* FOLIOT_ARCH_CHECKS_H */

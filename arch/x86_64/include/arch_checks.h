/* SPDX-License-Identifier: Apache-2.0 */
/* What kernel/stack/stackguard.c has to know of this port: see "stack checks" in arch/arch.h. */
#ifndef FOLIOT_ARCH_CHECKS_H
#define FOLIOT_ARCH_CHECKS_H

#include <stdint.h>

#define ARCH_SWITCH_FRAME_SIZE 64U /* bytes; asserted in offsets.c */

/* The end of an interrupt calls sched_preempt() on the interrupted thread's own stack. */
static inline uintptr_t arch_preempted_sp(uintptr_t frame)
{
	return frame;
}

#define arch_preempted_fault(reason, cause) \
	arch_fault_raise(reason, cause, (uintptr_t)__builtin_return_address(0), FATAL_IN_THREAD)

#endif /* FOLIOT_ARCH_CHECKS_H */

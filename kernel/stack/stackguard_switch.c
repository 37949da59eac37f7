/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What no region can see of an overflow: whether a switch has room for its frame, and where the
 * guard is a pattern, whether that stands. Not where the port's switch does it itself
 * (CONFIG_STACK_GUARD_HW).
 */
#include "kernel/stack/stackguard_pattern.h"
#include "kernel/sched/sched.h"
#include <arch_checks.h>

/* A stack pointer `sp` leaves room for the switch's frame; or the thread is dead anyway. */
static bool is_sound(const struct k_thread *thread, uintptr_t sp)
{
	uintptr_t lowest = stackguard_end(thread) + ARCH_SWITCH_FRAME_SIZE;

	return (sp >= lowest && stackguard_stands(thread)) || (thread->state & K_THREAD_DEAD) != 0;
}

void stackguard_check_switch(struct k_thread *current, struct k_thread *next)
{
	if (likely(is_sound(current, (uintptr_t)__builtin_frame_address(0)))) {
		return;
	}
	if ((next->state & K_THREAD_QUEUED) == 0 && next != current) {
		ready_add_first(next); /* it was about to be handed the CPU past the queue */
	}
	arch_fault_raise(K_ERR_STACK_CHK_FAIL, "stack overflow seen at a switch",
			 (uintptr_t)__builtin_return_address(0), FATAL_IN_THREAD);
}

void stackguard_check_preempt(struct k_thread *current)
{
	uintptr_t sp = arch_preempted_sp((uintptr_t)__builtin_frame_address(0));

	if (unlikely(!is_sound(current, sp))) {
		arch_preempted_fault(K_ERR_STACK_CHK_FAIL, "stack overflow seen at a preemption");
	}
}

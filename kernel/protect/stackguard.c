/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack overflow without canaries. A push into the guard faults at once where the core
 * guards it; what is checked here is what no region can see: whether a switch still has
 * room for its frame, and on cores without a movable region whether the pattern stands.
 */
#include "kernel/sched/sched.h"
#include <arch_checks.h>

#define PATTERN 0x5afe57acU

#ifdef CONFIG_USERSPACE
BUILD_ASSERT(4 * CONFIG_STACK_GUARD_SIZE <= CONFIG_PRIVILEGED_STACK_SIZE,
	     "CONFIG_STACK_GUARD_SIZE: it comes out of CONFIG_PRIVILEGED_STACK_SIZE, twice");
#endif

#ifdef CONFIG_STACK_GUARD_HW
static void fill(struct k_thread *thread)
{
}

static bool is_intact(const struct k_thread *thread)
{
	return true;
}
#else
static void fill(struct k_thread *thread)
{
	uint32_t *word = (uint32_t *)stackguard_start(thread);

	for (unsigned int i = 0; i < CONFIG_STACK_GUARD_SIZE / sizeof(*word); i++) {
		word[i] = PATTERN;
	}
}

static bool is_intact(const struct k_thread *thread)
{
	const uint32_t *word = (const uint32_t *)stackguard_start(thread);
	uint32_t differs = 0;

	for (unsigned int i = 0; i < CONFIG_STACK_GUARD_SIZE / sizeof(*word); i++) {
		differs |= word[i] ^ PATTERN;
	}
	return differs == 0;
}
#endif

/*
 * Where user threads may live, below the stack of system calls that lies in front, whose first
 * word is not the thread's: a kernel thread there may use that, too.
 */
static uintptr_t guard_of(const char *stack)
{
	size_t in_front = user_stack_reserved(stack);

	if (in_front != 0) {
		return ROUND_UP((uintptr_t)stack - in_front + USER_STACK_TAG_SIZE,
				CONFIG_STACK_GUARD_SIZE);
	}
	return ROUND_UP(stack, CONFIG_STACK_GUARD_SIZE);
}

/* Found once: a switch asks for it of both threads. */
void stackguard_thread_init(struct k_thread *thread)
{
	thread->stack_guard = guard_of(thread->stack_start);
	fill(thread);
}

void stackguard_start_up(const struct k_thread *first)
{
#ifdef CONFIG_STACK_GUARD_HW
	arch_guard_init();
#endif
	stackguard_switch(first);
}

/* A stack pointer `sp` leaves room for the switch's frame; or the thread is dead anyway. */
static bool is_sound(const struct k_thread *thread, uintptr_t sp)
{
	uintptr_t lowest = stackguard_end(thread) + ARCH_SWITCH_FRAME_SIZE;

	return (sp >= lowest && is_intact(thread)) || (thread->state & K_THREAD_DEAD) != 0;
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

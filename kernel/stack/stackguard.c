/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack overflow without canaries: where each thread's guard lies. A push into it faults at once
 * where the core guards it; elsewhere it holds a pattern (stackguard_pattern.h).
 */
#include "kernel/stack/stackguard_pattern.h"

#ifdef CONFIG_USERSPACE
BUILD_ASSERT(4 * CONFIG_STACK_GUARD_SIZE <= CONFIG_PRIVILEGED_STACK_SIZE,
	     "CONFIG_STACK_GUARD_SIZE: it comes out of CONFIG_PRIVILEGED_STACK_SIZE, twice");
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
				stackguard_size(stack));
	}
	return ROUND_UP(stack, CONFIG_STACK_GUARD_SIZE);
}

/* Found once: a switch asks for it of both threads. */
void stackguard_thread_init(struct k_thread *thread)
{
	thread->stack_guard_end = guard_of(thread->stack_start) +
				  stackguard_size(thread->stack_start);
	stackguard_fill(thread);
}

void stackguard_start_up(void)
{
	stackguard_init();
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Catching threads that overflow their stacks. At the low end of each stack lie
 * CONFIG_STACK_GUARD_SIZE bytes that belong to nobody: unwritable while the thread runs, where
 * the core can do that (CONFIG_STACK_GUARD_HW), and filled with a pattern elsewhere. Where there
 * are page tables (CONFIG_STACK_GUARD_PAGES) the stacks that user threads may have begin with a
 * whole page that is read only, whoever runs, so a switch moves nothing; other stacks are no whole
 * pages, and have the pattern. At a switch from a thread there must be room above them for what the
 * switch saves. Where the core guards them, arch_switch() itself looks for that and moves the
 * guard: it has the registers for it at hand. Interrupts masked. Nothing without
 * CONFIG_STACK_GUARD.
 */
#ifndef FOLIOT_KERNEL_STACKGUARD_H
#define FOLIOT_KERNEL_STACKGUARD_H

#include "kernel/base/kernel.h"
#include "kernel/base/user_stack.h"

#ifdef CONFIG_STACK_GUARD

#ifdef CONFIG_STACK_GUARD_HW
#include <arch_guard.h>
#endif

/* Is it a page that nobody can write? */
static inline bool stackguard_is_page(const char *stack)
{
	return IS_ENABLED(CONFIG_STACK_GUARD_PAGES) && user_stack_reserved(stack) != 0;
}

static inline size_t stackguard_size(const char *stack)
{
#ifdef CONFIG_STACK_GUARD_PAGES
	return stackguard_is_page(stack) ? ARCH_PAGE : CONFIG_STACK_GUARD_SIZE;
#else
	return CONFIG_STACK_GUARD_SIZE;
#endif
}

static inline uintptr_t stackguard_start(const struct k_thread *thread)
{
	return thread->stack_guard_end - stackguard_size(thread->stack_start);
}

/* The lowest address that it may use. */
static inline uintptr_t stackguard_end(const struct k_thread *thread)
{
	return thread->stack_guard_end;
}

/* Bytes at the low end of a stack that its thread must not touch. */
static inline size_t stackguard_reserved(const struct k_thread *thread)
{
	if (user_stack_reserved(thread->stack_start) != 0) {
		return 0;
	}
	return stackguard_end(thread) - (uintptr_t)thread->stack_start;
}

/* Is `address` in the running thread's guard? For fault handlers. */
static inline bool stackguard_holds(uintptr_t address)
{
	return k_cpu.current != NULL && address - stackguard_start(k_cpu.current) <
						stackguard_size(k_cpu.current->stack_start);
}

/* At start, and for each new thread. */
void stackguard_start_up(void);
void stackguard_thread_init(struct k_thread *thread);

#ifndef CONFIG_STACK_GUARD_HW
/* `current` calls the scheduler, which has settled on `next`; or is interrupted. */
void stackguard_check_switch(struct k_thread *current, struct k_thread *next);
void stackguard_check_preempt(struct k_thread *current);
#else
static inline void stackguard_check_switch(struct k_thread *current, struct k_thread *next)
{
}

static inline void stackguard_check_preempt(struct k_thread *current)
{
}
#endif

#else

static inline uintptr_t stackguard_end(const struct k_thread *thread)
{
	return (uintptr_t)thread->stack_start;
}

static inline size_t stackguard_reserved(const struct k_thread *thread)
{
	return 0;
}

static inline bool stackguard_holds(uintptr_t address)
{
	return false;
}

static inline void stackguard_start_up(void)
{
}

static inline void stackguard_thread_init(struct k_thread *thread)
{
}

static inline void stackguard_check_switch(struct k_thread *current, struct k_thread *next)
{
}

static inline void stackguard_check_preempt(struct k_thread *current)
{
}

#endif

#endif /* FOLIOT_KERNEL_STACKGUARD_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Catching threads that overflow their stacks. At the low end of each stack lie
 * CONFIG_STACK_GUARD_SIZE bytes that belong to nobody: unwritable while the thread runs, where
 * the core can do that (CONFIG_STACK_GUARD_HW), and filled with a pattern elsewhere. At
 * a switch from a thread there must be room above them for what the switch saves.
 * Interrupts masked. Nothing without CONFIG_STACK_GUARD.
 */
#ifndef FOLIOT_KERNEL_STACKGUARD_H
#define FOLIOT_KERNEL_STACKGUARD_H

#include "kernel/core/kernel.h"
#include "kernel/core/user_stack.h"

#ifdef CONFIG_STACK_GUARD

#ifdef CONFIG_STACK_GUARD_HW
#include <arch_guard.h>
#endif

static inline uintptr_t stackguard_start(const struct k_thread *thread)
{
	return thread->stack_guard;
}

/* The lowest address that it may use. */
static inline uintptr_t stackguard_end(const struct k_thread *thread)
{
	return stackguard_start(thread) + CONFIG_STACK_GUARD_SIZE;
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
	return k_cpu.current != NULL &&
	       address - stackguard_start(k_cpu.current) < CONFIG_STACK_GUARD_SIZE;
}

/* At start, and for each new thread. */
void stackguard_start_up(const struct k_thread *first);
void stackguard_thread_init(struct k_thread *thread);

/* `current` calls the scheduler, which has settled on `next`; or is interrupted. */
void stackguard_check_switch(struct k_thread *current, struct k_thread *next);
void stackguard_check_preempt(struct k_thread *current);

#ifdef CONFIG_STACK_GUARD_HW
static inline void stackguard_switch(const struct k_thread *in)
{
	arch_guard_move(stackguard_start(in));
}
#else
static inline void stackguard_switch(const struct k_thread *in)
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

static inline void stackguard_start_up(const struct k_thread *first)
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

static inline void stackguard_switch(const struct k_thread *in)
{
}

#endif

#endif /* FOLIOT_KERNEL_STACKGUARD_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fast paths of calls of which none is short, but all of it can be done with interrupts masked
 * since the trap, where they would mask them at once anyway: they are let in where the call itself
 * does, and where it switches. What is not usable at the first look, an allocated object too, is
 * for the slow path. Compiled as fast.c is.
 */
#include "kernel/syscall/fast.h"
#include "kernel/objects/condition_variable_ops.h"
#include "kernel/objects/mutex.h"
#include "kernel/sched/masked.h"

GOES_ON_IN(masked, condvar_wait_masked, struct k_condvar *, struct k_mutex *, uintptr_t, uintptr_t)
GOES_ON_IN(masked, thread_start_masked, k_tid_t, uintptr_t, uintptr_t, uintptr_t)
GOES_ON_IN(masked, thread_suspend_masked, k_tid_t, uintptr_t, uintptr_t, uintptr_t)
GOES_ON_IN(masked, thread_resume_masked, k_tid_t, uintptr_t, uintptr_t, uintptr_t)
GOES_ON_IN(masked, yield_masked, uintptr_t, uintptr_t, uintptr_t, uintptr_t)

OPERATION(int, k_condvar_wait,
	  (struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout),
	  (condvar, mutex, timeout), IS_USABLE(condvar, struct k_condvar, K_OBJ_CONDVAR))
{
	if (!IS_USABLE(mutex, struct k_mutex, K_OBJ_MUTEX) ||
	    unlikely(timeout.ticks != K_TICKS_FOREVER)) {
		return GO_ON(verified, k_condvar_wait, condvar, mutex, timeout);
	}
	return masked_condvar_wait_masked(condvar, mutex, NO_WORD, NO_WORD, condvar_wait_masked);
}

OPERATION(void, k_thread_start, (k_tid_t thread), (thread),
	  IS_USABLE(thread, struct k_thread, K_OBJ_THREAD))
{
	return masked_thread_start_masked(thread, NO_WORD, NO_WORD, NO_WORD, thread_start_masked);
}

OPERATION(void, k_thread_suspend, (k_tid_t thread), (thread),
	  IS_USABLE(thread, struct k_thread, K_OBJ_THREAD))
{
	return masked_thread_suspend_masked(thread, NO_WORD, NO_WORD, NO_WORD,
					    thread_suspend_masked);
}

OPERATION(void, k_thread_resume, (k_tid_t thread), (thread),
	  IS_USABLE(thread, struct k_thread, K_OBJ_THREAD))
{
	return masked_thread_resume_masked(thread, NO_WORD, NO_WORD, NO_WORD, thread_resume_masked);
}

/*
 * The best of its level, queued, with another behind it: the ring is turned, as
 * kernel/sched/yield.c does.
 */
intptr_t fast_k_yield(void);
intptr_t fast_k_yield(void)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *next = current->next;

	if (SWITCHES_FAST && likely(k_cpu.best == current && next != current)) {
		k_cpu.level[PRIO_LEVEL(current->prio)] = next;
		k_cpu.best = next;
		k_cpu.current = next;
		return arch_user_call_switch(current, next);
	}
	return masked_yield_masked(NO_WORD, NO_WORD, NO_WORD, NO_WORD, yield_masked);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An operation that may block is written once, in its object's header (sem_ops.h), and entered from
 * three sides: a kernel thread's or a handler's call, a user thread's fast path, and its slow path,
 * the system call in full. The head of a body says it all:
 *
 *	OPERATION(int, k_sem_take, (struct k_sem *sem, k_timeout_t timeout),
 *		  (sem, TIMEOUT(timeout)), IS_USABLE(sem, struct k_sem, K_OBJ_SEM))
 *	{ ... }
 *
 * the result's type, the name, the parameters, the arguments, and what a user thread has to have a
 * right to. The body runs with interrupts masked and ends in one of the endings: done(), WAIT(),
 * WAKE() and those of its object alone. What these do is their includer's: here that of the call
 * itself, which restores `key`; in kernel/syscall/fast.h that of the fast path, which goes back to
 * user mode. IN_FULL() is what the latter does where it cannot end so: the call goes on by its slow
 * path, as if nothing had been done. kernel/syscall/slow.h makes that one.
 */
#ifndef FOLIOT_KERNEL_OBJECTS_OPERATION_H
#define FOLIOT_KERNEL_OBJECTS_OPERATION_H

#include "kernel/hooks/poll.h"
#include "kernel/sched/wait_wake.h"

#define UNPACKED(...) __VA_ARGS__

#define OPERATION(type, name, parameters, arguments, ...)                                 \
	static ALWAYS_INLINE intptr_t body_##name(UNPACKED parameters, unsigned int key); \
	type name parameters                                                              \
	{                                                                                 \
		return (type)body_##name(UNPACKED arguments, arch_irq_lock());            \
	}                                                                                 \
	static ALWAYS_INLINE intptr_t body_##name(UNPACKED parameters, unsigned int key)

/* The slow path looks at more than what a user thread has a right to. */
#define OPERATION_LOOKED_AT OPERATION

/* It masks where it has to, not from its beginning on. */
#define OPERATION_UNMASKED(type, name, parameters, arguments, ...)                        \
	static ALWAYS_INLINE intptr_t body_##name(UNPACKED parameters, unsigned int key); \
	type name parameters                                                              \
	{                                                                                 \
		return (type)body_##name(UNPACKED arguments, 0);                          \
	}                                                                                 \
	static ALWAYS_INLINE intptr_t body_##name(UNPACKED parameters, unsigned int key)

#define OPERATION_UNMASKED_LOOKED_AT OPERATION_UNMASKED
#define MASK()                       arch_irq_lock()
#define done_unmasked(result)        ((intptr_t)(result))
#define APART                        __noinline int /* lest the rest saves registers, or masks */

/* What a user thread gave may be longer than any. */
#define TIMEOUT(timeout) (timeout)

#define IS_FAST      false /* the fast path of a system call? */
#define STAYS_MASKED true /* may it block or wake from here? */
#define IN_FULL(...) 0 /* nothing is left to anybody */

/* Something is there for nobody who waits in a call of its own: who polls is told. */
#define DONE_OFFERING(object, state)               \
	({                                         \
		poll_unlock(object, (state), key); \
		(intptr_t)0;                       \
	})

static inline intptr_t done(intptr_t result, unsigned int key)
{
	arch_irq_unlock(key);
	return result;
}

#endif /* FOLIOT_KERNEL_OBJECTS_OPERATION_H */

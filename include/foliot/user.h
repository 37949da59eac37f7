/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * User threads (CONFIG_USERSPACE): K_USER among the options of k_thread_create(), or
 * k_thread_user_mode_enter() later on. What one may touch is its stack, the partitions of its
 * domain (mem_domain.h), and code and constants, which it may read; what it may use is what it
 * was given access to (object.h). A call of the API is a system call then. Anything else ends
 * the thread, with a report; the others go on.
 *
 * Its stack is one that K_THREAD_STACK_DEFINE() made, whose size K_THREAD_STACK_SIZEOF() tells:
 * sizeof() counts the part that system calls run on, too.
 */
#ifndef FOLIOT_USER_H
#define FOLIOT_USER_H

#include <foliot/thread.h>

#ifdef CONFIG_USERSPACE

#include <arch_user.h>

/** Returns true when the caller is in user mode, and its calls trap. Context: either. */
static inline bool k_is_user_context(void)
{
	return arch_is_user_context();
}

/**
 * The caller becomes a user thread, and goes on at `entry` with an empty, wiped stack. It keeps the
 * access to objects that it was given. Its end is that of the thread, and no longer the system's
 * (K_ESSENTIAL).
 * A stack that cannot be a user's (K_KERNEL_STACK_DEFINE()) is a fatal error of the thread.
 * Context: thread, in kernel mode.
 */
void k_thread_user_mode_enter(k_thread_entry_t entry, void *p1, void *p2, void *p3)
	__attribute__((noreturn));

#else

static inline bool k_is_user_context(void)
{
	return false;
}

/* There is no user mode to enter: the thread goes on at `entry` where it is, and ends with it. */
__attribute__((noreturn)) static inline void k_thread_user_mode_enter(k_thread_entry_t entry,
								      void *p1, void *p2, void *p3)
{
	k_current_get()->options &= (uint8_t)~K_ESSENTIAL;
	entry(p1, p2, p3);
	k_thread_abort(k_current_get());
	__builtin_unreachable();
}

#endif /* CONFIG_USERSPACE */

#endif /* FOLIOT_USER_H */

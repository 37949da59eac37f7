/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits on the stack of a new user thread's system calls: the way to user mode, in place of
 * its entry.
 */
#ifndef FOLIOT_KERNEL_USER_ENTRY_H
#define FOLIOT_KERNEL_USER_ENTRY_H

#include "kernel/hooks/user.h"

BUILD_ASSERT(sizeof(struct user_entry) % 16 == 0 || sizeof(void *) != 4, "a stack's alignment");

/*
 * On that stack, in kernel mode: the last that happens there without a call. p1 is a struct
 * user_entry.
 */
void user_begin(void *p1, void *p2, void *p3);

/* Where the entry waits for user_begin(): above its first frame. */
static inline struct user_entry *user_entry_place(const struct k_thread *thread)
{
	return (struct user_entry *)(uintptr_t)thread->stack_start - 1;
}

/* As user_thread_made(). */
static inline void user_thread_make(struct k_thread *thread, const struct user_entry *entry)
{
	struct user_entry *place = user_entry_place(thread);

	arch_user_prepare(thread);
	*place = *entry;
	thread->sp = arch_stack_init((char *)place, user_begin, place, NULL, NULL);
}

#endif /* FOLIOT_KERNEL_USER_ENTRY_H */

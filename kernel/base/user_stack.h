/* SPDX-License-Identifier: Apache-2.0 */
/* Where the stack of a thread's system calls lies, for the guard as for the boundary. */
#ifndef FOLIOT_KERNEL_USER_STACK_H
#define FOLIOT_KERNEL_USER_STACK_H

#include <foliot/util.h>

#ifdef CONFIG_USERSPACE
#include <foliot/object.h>
#include <foliot/user.h>

/* The first word of such a stack is the kernel's. */
#define USER_STACK_TAG_SIZE sizeof(struct k_object_tag)

/* Bytes in front of what a thread may use of `stack`: where its system calls run. */
static inline size_t user_stack_reserved(const char *stack)
{
	extern char _user_stacks_start[], _user_stacks_end[];

	return (uintptr_t)stack - (uintptr_t)_user_stacks_start <
			       (uintptr_t)_user_stacks_end - (uintptr_t)_user_stacks_start
		       ? ARCH_USER_STACK_RESERVED
		       : 0;
}
#else
#define USER_STACK_TAG_SIZE 0U

static inline size_t user_stack_reserved(const char *stack)
{
	return 0;
}
#endif

/*
 * Around what kernel mode touches of user mode's memory otherwise than by a guarded copy, where a
 * port needs that.
 */
#ifndef ARCH_USER_OPEN
#define ARCH_USER_OPEN()  ((void)0)
#define ARCH_USER_CLOSE() ((void)0)
#endif

#endif /* FOLIOT_KERNEL_USER_STACK_H */

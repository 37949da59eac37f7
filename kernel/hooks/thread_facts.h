/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread carries for people and applications, each by an option of its own: a name, a
 * word of custom data, and a stack filled so that what was never used of it can be told.
 */
#ifndef FOLIOT_KERNEL_THREAD_FACTS_H
#define FOLIOT_KERNEL_THREAD_FACTS_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_INIT_STACKS
/* Before anything lies on it. Bound: its size. */
void thread_facts_fill_stack(k_thread_stack_t *stack, size_t size);
#else
static inline void thread_facts_fill_stack(k_thread_stack_t *stack, size_t size)
{
}
#endif

#ifdef CONFIG_THREAD_NAME
/* k_thread_name_set(). Who reads meanwhile always finds an end. */
void thread_facts_set_name(struct k_thread *thread, const char *name);
#else
static inline void thread_facts_set_name(struct k_thread *thread, const char *name)
{
}
#endif

/* A new thread has none of its predecessor's. */
static inline void thread_facts_init(struct k_thread *thread)
{
#ifdef CONFIG_THREAD_NAME
	thread->name[0] = '\0';
	thread->name[sizeof(thread->name) - 1U] = '\0';
#endif
#ifdef CONFIG_THREAD_CUSTOM_DATA
	thread->custom_data = NULL;
#endif
#ifdef CONFIG_ERRNO
	thread->errno_value = 0;
#endif
}

#endif /* FOLIOT_KERNEL_THREAD_FACTS_H */

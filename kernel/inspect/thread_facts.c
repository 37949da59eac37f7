/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's name, and what it never used of its stack: thread_facts.h. */
#include "kernel/hooks/thread_facts.h"
#include "kernel/hooks/stackguard.h"
#include "lib/string.h"

#ifdef CONFIG_THREAD_NAME
void thread_facts_set_name(struct k_thread *thread, const char *name)
{
	size_t i = 0;

	/* Bound: CONFIG_THREAD_MAX_NAME_LEN. */
	while (i < sizeof(thread->name) - 1U && name[i] != '\0') {
		thread->name[i] = name[i];
		i++;
	}
	thread->name[i] = '\0';
}

int k_thread_name_set(k_tid_t thread, const char *name)
{
	thread_facts_set_name(thread == NULL ? k_cpu.current : thread, name);
	return 0;
}

const char *k_thread_name_get(k_tid_t thread)
{
	return thread->name;
}

int k_thread_name_copy(k_tid_t thread, char *buf, size_t size)
{
	size_t bytes = strlen(thread->name) + 1U;

	if (bytes > size) {
		return -ENOSPC;
	}
	memcpy(buf, thread->name, bytes);
	return 0;
}
#else
int k_thread_name_set(k_tid_t thread, const char *name)
{
	return -ENOSYS;
}

IN_EITHER_MODE const char *k_thread_name_get(k_tid_t thread)
{
	static const char none[1] ARCH_EITHER_MODE_CONSTANT;

	return none;
}

int k_thread_name_copy(k_tid_t thread, char *buf, size_t size)
{
	return -ENOSYS;
}
#endif

#ifdef CONFIG_INIT_STACKS
#define STACK_FILL 0xaa

void thread_facts_fill_stack(k_thread_stack_t *stack, size_t size)
{
	memset(stack, STACK_FILL, size);
}

int k_thread_stack_space_get(k_tid_t thread, size_t *unused_bytes)
{
	size_t reserved = stackguard_reserved(thread);
	size_t unused = reserved;
	/* Once: it is NULL from one moment to the next where the thread ends. */
	const char *stack = *(char *const volatile *)&thread->stack_start;

	if (stack == NULL) {
		return -EINVAL;
	}
	ARCH_USER_OPEN(); /* it may be the caller's own */
	/* Bound: the stack's size. */
	while (unused < thread->stack_size && (unsigned char)stack[unused] == STACK_FILL) {
		unused++;
	}
	ARCH_USER_CLOSE();
	*unused_bytes = unused - reserved;
	return 0;
}
#else
int k_thread_stack_space_get(k_tid_t thread, size_t *unused_bytes)
{
	return -ENOTSUP;
}
#endif

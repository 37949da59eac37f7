/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the life of a thread changes in the table of objects: its block and its stack are in use or
 * not, its rights begin, and end. Kernel threads pass here, too, since a user thread must not get a
 * block or a stack that one of them has; most of them are in no table, and what those need is
 * inline (thread_marks.h).
 */
#include "kernel/access/object_rights.h"
#include "kernel/access/thread_rights.h"
#include "kernel/hooks/user.h"
#include "kernel/syscall/verify.h"

CALLS_DIRECTLY(k_object_grant_);

bool user_thread_fits(const struct k_thread *thread, const char *stack, uint32_t options)
{
	unsigned int key;
	bool fits;

	if ((options & K_USER) != 0 && user_stack_reserved(stack) == 0) {
		return false;
	}
	if (likely(object_entry_of_thread(thread) != NULL)) {
		return true;
	}
	key = arch_irq_lock();
	fits = object_make_thread_known((struct k_thread *)(uintptr_t)thread, key) == 0;
	arch_irq_unlock(key);
	return fits;
}

/* The entry of what the thread lives on; NULL: it is no known stack. */
static inline struct object_entry *entry_of_stack(const struct k_thread *thread)
{
	size_t reserved = user_stack_reserved(thread->stack_start);
	struct object_entry *entry = reserved == 0
					     ? NULL
					     : object_entry_at(thread->stack_start - reserved, 0);

	return entry != NULL && entry_kind(entry) == K_OBJ_THREAD_STACK_ELEMENT ? entry : NULL;
}

void user_thread_known(struct k_thread *thread)
{
	unsigned int key = arch_irq_lock();
	struct object_entry *block = object_entry_of_thread(thread);
	struct object_entry *stack = entry_of_stack(thread);
	uint32_t heir = GENERATION_NONE;

	if (stack != NULL) {
		mark(stack, true, false);
	}
	if (block != NULL) {
		heir = begin_rights(thread, block, thread->options);
	}
	arch_irq_unlock(key);
	if (unlikely(heir != GENERATION_NONE)) {
		references_inherit(heir);
	}
}

void user_access_self(struct k_thread *thread)
{
	(void)k_object_grant_(thread, K_OBJ_THREAD, 0, thread);
}

void user_thread_known_ended(struct k_thread *thread)
{
	struct object_entry *block = object_entry_of_thread(thread);
	struct object_entry *stack = entry_of_stack(thread);

	if (block != NULL) {
		if (unlikely(references_has_any(thread))) {
			references_end(thread);
		} else {
			grant_nothing(thread);
		}
		mark(block, false, false);
	}
	if (stack != NULL) {
		mark(stack, false, true);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the life of a thread changes in the table of objects: its block and its stack are in use or not, its
 * rights begin, and end. Kernel threads pass here, too, since a user thread must not get a block or a stack that one
 * of them has; most of them are in no table, and what those need is inline (thread_marks.h).
 */
#include "kernel/protect/access.h"
#include "kernel/protect/references.h"
#include "kernel/protect/user.h"

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
	fits = object_make_thread_known((struct k_thread *)(uintptr_t)thread) == 0;
	arch_irq_unlock(key);
	return fits;
}

/* Somebody lives in what that entry is of, a block or a stack, or nobody does. */
static inline void mark(struct object_entry *entry, bool inhabited, bool is_ready)
{
	unsigned int kind = entry->kind;

	entry->kind = (uint8_t)(is_ready ? kind & ~OBJECT_NOT_READY : kind | OBJECT_NOT_READY);
	entry_renamed(entry);
	if (likely((kind & OBJECT_ALLOCATED) == 0)) {
		return;
	}
	if (inhabited) {
		reference_add(entry);
	} else {
		reference_drop(entry);
	}
}

/* It may use itself from the beginning; its entry is there, since user_thread_fits() has seen to that. */
static inline void grant_self(struct k_thread *thread, struct object_entry *entry)
{
	unsigned int index = entry_index(entry);

	thread->user.grants[index / 32] |= (uint32_t)1 << (index % 32);
	if (unlikely((entry->kind & OBJECT_ALLOCATED) != 0)) {
		reference_add(entry);
	}
}

/* It begins with none, or with its creator's, if that has any. */
static void begin_grants(struct k_thread *thread)
{
	const struct k_thread *creator = k_cpu.current;
	bool inherits = (thread->options & K_INHERIT_PERMS) != 0 &&
			object_entry_of_thread(creator) != NULL;

	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.grants); i++) {
		thread->user.grants[i] = inherits ? creator->user.grants[i] : 0;
	}
	thread->user.both_held = 0;
	references_polled_none(thread);
	if (inherits) {
		references_inherited(thread);
	}
}

void user_thread_known(struct k_thread *thread)
{
	unsigned int key = arch_irq_lock();
	struct object_entry *entry = object_entry_of_thread(thread);

	if (entry != NULL) {
		begin_grants(thread);
		mark(entry, true, true);
		if ((thread->options & K_USER) != 0 && !object_is_own(thread, entry)) {
			grant_self(thread, entry);
		}
	}
	arch_irq_unlock(key);
}

void user_stack_known(const char *stack, bool inhabited)
{
	unsigned int key = arch_irq_lock();
	struct object_entry *entry = object_entry_at(stack, 0);

	if (entry != NULL && entry_kind(entry) == K_OBJ_THREAD_STACK_ELEMENT) {
		mark(entry, inhabited, !inhabited);
	}
	arch_irq_unlock(key);
}

void user_access_self(struct k_thread *thread)
{
	(void)k_object_grant_(thread, K_OBJ_THREAD, 0, thread);
}

void user_thread_known_ended(struct k_thread *thread)
{
	struct object_entry *entry = object_entry_of_thread(thread);

	if (entry != NULL) {
		references_end(
			thread); /* of allocated objects, and those that it is in a call with */
		mark(entry, false, false);
	}
}

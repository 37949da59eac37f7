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

/* As object_entry_at(), of a living thread's block or stack: the tag may be read. */
static inline struct object_entry *object_entry_at_tag(const struct k_object_tag *tag,
						       const void *object, unsigned int kind)
{
	struct object_entry *entry = &object_table[object_index_at((uintptr_t)tag)];

	return entry->object == object && entry_kind(entry) == kind ? entry : NULL;
}

/* The entry of what the thread lives on; NULL: it is no known stack. */
static inline struct object_entry *entry_of_stack(const struct k_thread *thread)
{
	size_t reserved = user_stack_reserved(thread->stack_start);
	const char *stack = thread->stack_start - reserved;

	return reserved == 0 ? NULL
			     : object_entry_at_tag((const struct k_object_tag *)(uintptr_t)stack,
						   stack, K_OBJ_THREAD_STACK_ELEMENT);
}

void user_thread_known(struct k_thread *thread)
{
	unsigned int key = arch_irq_lock();
	struct object_entry *block = object_entry_of_thread(thread);
	struct object_entry *stack = entry_of_stack(thread);
	uint32_t heir = GENERATION_NONE;

	if (stack != NULL) {
		mark_inhabited(stack, false);
	}
	if (block != NULL) {
		begin_with_none(thread);
		mark_inhabited(block, true);
		if ((thread->options & K_USER) != 0) {
			grant_self(thread, block);
		}
		if (unlikely((thread->options & K_INHERIT_PERMS) != 0) && inherit_defined(thread)) {
			heir = generation_of(thread);
		}
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

/* What it refers to is referred to by it no more, nor what it lived in; either may be NULL. */
static __noinline void drop_references(struct k_thread *thread, struct object_entry *block,
				       struct object_entry *stack)
{
	if (block != NULL) {
		references_end(thread);
		reference_drop(block);
	}
	if (stack != NULL) {
		reference_drop(stack);
	}
}

void user_stack_ends(struct k_thread *thread)
{
	size_t reserved = user_stack_reserved(thread->stack_start);
	struct object_entry *stack;

	if (reserved == 0) {
		return;
	}
	stack = stack_is_marked_known(thread->stack_start - reserved, false)
			? entry_of_stack(thread)
			: NULL;
	thread->stack_start = NULL;
	if (stack != NULL) {
		mark_ready(stack, true);
		reference_drop(stack);
	}
}

/* Calls nobody unless last, so that it saves no register: all that an end does is one step. */
void user_thread_known_ended(struct k_thread *thread)
{
	struct object_entry *block = object_entry_at_tag(&thread->object_tag, thread, K_OBJ_THREAD);
	struct object_entry *stack = entry_of_stack(thread);
	bool refers = false;

	if (block != NULL) {
		mark_ready(block, false);
		refers = references_has_any(thread) || (block->kind & OBJECT_ALLOCATED) != 0;
	}
	if (stack != NULL) {
		mark_ready(stack, true);
		refers |= (stack->kind & OBJECT_ALLOCATED) != 0;
	}
	if (unlikely(refers)) {
		drop_references(thread, block, stack);
	}
}

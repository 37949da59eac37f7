/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the life of a thread changes in the table of objects: its block and its stack are in use or not, its
 * rights begin, and end. Kernel threads pass here, too, since a user thread must not get a block or a stack that one
 * of them has; most of them are in no table, and what those need is inline (thread_marks.h).
 */
#include "kernel/protect/access.h"
#include "kernel/protect/references.h"
#include "kernel/protect/user.h"
#include "kernel/protect/verify.h"
#include "kernel/sched/thread_create.h"

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

static inline void grant_nothing(struct k_thread *thread)
{
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.grants); i++) {
		thread->user.grants[i] = 0;
	}
}

/* It begins with none, or with its creator's, if that has any. */
static void begin_grants(struct k_thread *thread)
{
	const struct k_thread *creator = k_cpu.current;

	grant_nothing(thread);
	thread->user.both_held = 0;
	references_polled_none(thread);
	if (likely((thread->options & K_INHERIT_PERMS) == 0) ||
	    object_entry_of_thread(creator) == NULL) {
		return;
	}
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.grants); i++) {
		thread->user.grants[i] = creator->user.grants[i];
	}
	references_inherited(thread);
}

static ALWAYS_INLINE void begin_rights(struct k_thread *thread, struct object_entry *block)
{
	begin_grants(thread);
	mark(block, true, true);
	if ((thread->options & K_USER) != 0 && !object_is_own(thread, block)) {
		grant_self(thread, block);
	}
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

	if (stack != NULL) {
		mark(stack, true, false);
	}
	if (block != NULL) {
		begin_rights(thread, block);
	}
	arch_irq_unlock(key);
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
		}
		grant_nothing(thread);
		mark(block, false, false);
	}
	if (stack != NULL) {
		mark(stack, false, true);
	}
}

void user_thread_create_in(const struct thread_create_args *args, struct object_entry *block,
			   struct object_entry *stack)
{
	struct k_thread *thread = args->thread;

	thread_fill_user(thread, args->stack + ARCH_USER_STACK_RESERVED, args->size, args->prio,
			 args->options);
	(void)user_thread_created(thread, ARCH_USER_STACK_RESERVED); /* known: here they are */
	mark(stack, true, false);
	begin_rights(thread, block);
	user_thread_made(thread, &args->begins);
}

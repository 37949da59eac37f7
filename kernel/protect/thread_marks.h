/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the boundary has to do when a thread begins and ends, inline: kernel threads pass here, too, since no
 * user thread may get a block or a stack that one of them has. For one that is in no table it is some
 * stores, and a look at where the tags of its block and its stack lead.
 *
 * A tag here is that of a block that a kernel thread named, or a verifier has confirmed, so it lies in memory and
 * aligned; the index in it may be anything all the same, and is believed when it leads back.
 */
#ifndef FOLIOT_KERNEL_THREAD_MARKS_H
#define FOLIOT_KERNEL_THREAD_MARKS_H

#include "kernel/core/user_stack.h"
#include "kernel/protect/object_table.h"

/* The rest for who is in the table, or has rights; interrupts masked. */
void user_thread_known(struct k_thread *thread);
void user_thread_known_ended(struct k_thread *thread);
void user_stack_known(struct object_entry *entry, bool inhabited);

/* Where that tag leads, if `object` is there. */
static inline struct object_entry *entry_of_tag(const struct k_object_tag *tag, const void *object)
{
	unsigned int index = tag->index % CONFIG_USER_OBJECTS;
	struct object_entry *entry = &object_table[index];

	return entry->object == object ? entry : NULL;
}

/* Somebody lives on its stack, or nobody does: the tag at the low end says so, and its entry if it has one. */
static inline void mark_stack(char *start, bool inhabited)
{
	struct k_object_tag *tag = (struct k_object_tag *)(uintptr_t)start;
	struct object_entry *entry = entry_of_tag(tag, start);

	tag->is_ready = inhabited;
	if (unlikely(entry != NULL)) {
		user_stack_known(entry, inhabited);
	}
}

static inline void user_access_created(struct k_thread *thread)
{
	unsigned int key = arch_irq_lock();
	bool is_known = entry_of_tag(&thread->object_tag, thread) != NULL;

	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.grants); i++) {
		thread->user.grants[i] = 0;
	}
	thread->user.both_held = 0;
	thread->object_tag.is_ready = 1;
	if (likely(user_stack_reserved(thread->stack_start) != 0)) {
		mark_stack(thread->stack_start - ARCH_USER_STACK_RESERVED, true);
	}
	if (unlikely(is_known || (thread->options & K_INHERIT_PERMS) != 0)) {
		user_thread_known(thread);
	}
	arch_irq_unlock(key);
}

static inline void user_thread_ended(struct k_thread *thread)
{
	uint32_t any = thread->user.both_held;

	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.grants); i++) {
		any |= thread->user.grants[i];
	}
	thread->object_tag.is_ready = 0;
	if (unlikely(any != 0 || entry_of_tag(&thread->object_tag, thread) != NULL)) {
		user_thread_known_ended(thread);
	}
	if (likely(user_stack_reserved(thread->stack_start) != 0)) {
		mark_stack(thread->stack_start - ARCH_USER_STACK_RESERVED, false);
	}
}

#endif /* FOLIOT_KERNEL_THREAD_MARKS_H */

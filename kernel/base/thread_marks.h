/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the boundary has to do when a thread begins and ends, inline: kernel threads pass here, too,
 * since no user thread may get a block or a stack that one of them has. For one that is in no table
 * it is to say in the tags of its block and its stack that they are in use, and to look whether
 * they are known to a table; such a thread has no rights, and what stands in its block for them is
 * nobody's.
 *
 * A tag here is that of a block that a kernel thread named, or a verifier has confirmed, so it lies
 * in memory and aligned. What is in a new block's may be anything: then it is looked up in vain.
 * Who makes a block or a stack known says so in the tag before it asks whether it is in use,
 * masked, so one of both learns of the other.
 */
#ifndef FOLIOT_KERNEL_THREAD_MARKS_H
#define FOLIOT_KERNEL_THREAD_MARKS_H

#include "kernel/base/user_stack.h"
#include "kernel/base/object_table.h"

/*
 * The rest for a block or a stack that is in the table, or looks so; interrupts masked at the end,
 * as they are at the beginning.
 */
void user_thread_known(struct k_thread *thread);
void user_thread_known_ended(struct k_thread *thread);
/*
 * `thread` ends in steps, and runs no more: its stack is nobody's from now on, and is NULL in its
 * block, so that nobody gives it back once more who ends the thread meanwhile.
 */
void user_stack_ends(struct k_thread *thread);

static inline bool tag_says_known(const struct k_object_tag *tag)
{
	return *(const volatile uint8_t *)&tag->is_known != 0;
}

/*
 * Somebody lives on the stack that has its tag there, or nobody does. Returns whether it is known,
 * and its entry has to say so, too. Where the callers have nothing more to do for what is not, they
 * call nobody, and need no frame.
 */
static inline bool stack_is_marked_known(char *start, bool inhabited)
{
	struct k_object_tag *tag = (struct k_object_tag *)(uintptr_t)start;

	*(volatile uint8_t *)&tag->is_ready = inhabited;
	return tag_says_known(tag);
}

/*
 * `reserved`: bytes in front of its stack, which then is one that user threads may have. True:
 * user_thread_known() is next.
 */
static inline bool user_access_created(struct k_thread *thread, size_t reserved)
{
	bool is_known;

	*(volatile uint8_t *)&thread->object_tag.is_ready = 1;
	is_known = tag_says_known(&thread->object_tag);
	if (likely(reserved != 0)) {
		is_known |= stack_is_marked_known(thread->stack_start - reserved, true);
	}
	return unlikely(is_known);
}

/* Interrupts masked. True: user_thread_known_ended() is next. */
static inline bool user_thread_ended(struct k_thread *thread)
{
	size_t reserved = user_stack_reserved(thread->stack_start);
	bool is_known = tag_says_known(&thread->object_tag);

	thread->object_tag.is_ready = 0;
	if (likely(reserved != 0)) {
		is_known |= stack_is_marked_known(thread->stack_start - reserved, false);
	}
	return unlikely(is_known);
}

#endif /* FOLIOT_KERNEL_THREAD_MARKS_H */

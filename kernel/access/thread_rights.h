/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread whose block or stack is in the table begins with and ends with there; interrupts
 * masked.
 */
#ifndef FOLIOT_KERNEL_THREAD_RIGHTS_H
#define FOLIOT_KERNEL_THREAD_RIGHTS_H

#include "kernel/access/object_rights.h"
#include "kernel/access/references.h"
#include "kernel/hooks/generation.h"

/*@ requires is_entry(entry) && \valid(entry);
  @ assigns entry->kind, object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @ ensures entry->kind == \old(entry->kind) % OBJECT_NOT_READY + (is_ready ? 0 : OBJECT_NOT_READY);
  @*/
static inline void mark_ready(struct object_entry *entry, bool is_ready)
{
	unsigned int kind = entry->kind;

	entry->kind = (uint8_t)(is_ready ? kind & ~OBJECT_NOT_READY : kind | OBJECT_NOT_READY);
	entry_renamed(entry);
}

/* Somebody lives in what that entry is of from now on, a block or a stack. */
/*@ requires is_entry(entry) && \valid(entry);
  @ assigns entry->kind, entry->references, object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @ ensures entry->kind == \old(entry->kind) % OBJECT_NOT_READY + (is_ready ? 0 : OBJECT_NOT_READY);
  @ ensures is_counted(entry) ==> entry->references == (uint16_t)(\old(entry->references) + 1);
  @ ensures !is_counted(entry) ==> entry->references == \old(entry->references);
  @*/
static inline void mark_inhabited(struct object_entry *entry, bool is_ready)
{
	mark_ready(entry, is_ready);
	if (unlikely((entry->kind & OBJECT_ALLOCATED) != 0)) {
		reference_add(entry);
	}
}

/*
 * It may use itself from the beginning; its entry is there, since user_thread_fits() has seen to
 * that.
 */
static inline void grant_self(struct k_thread *thread, struct object_entry *entry)
{
	unsigned int index = entry_index(entry);

	thread->user.grants[index / 32] |= (uint32_t)1 << (index % 32);
	if (unlikely((entry->kind & OBJECT_ALLOCATED) != 0)) {
		reference_add(entry);
		references_begin(thread);
	}
}

/*@ requires \valid(thread);
  @ assigns thread->user.grants[0 .. CONFIG_USER_OBJECTS / 32 - 1];
  @ ensures \forall integer i; 0 <= i < CONFIG_USER_OBJECTS / 32 ==> thread->user.grants[i] == 0;
  @*/
static inline void grant_nothing(struct k_thread *thread)
{
	/*@ loop invariant 0 <= i <= CONFIG_USER_OBJECTS / 32;
	  @ loop invariant \forall integer j; 0 <= j < i ==> thread->user.grants[j] == 0;
	  @ loop assigns i, thread->user.grants[0 .. CONFIG_USER_OBJECTS / 32 - 1];
	  @ loop variant CONFIG_USER_OBJECTS / 32 - i;
	  @*/
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.grants); i++) {
		thread->user.grants[i] = 0;
	}
}

static inline void begin_with_none(struct k_thread *thread)
{
	grant_nothing(thread);
	references_none(thread);
}

/*
 * What its creator may use, if that may use anything at all: what is defined at once. Returns
 * whether there are allocated objects, to each of which it is to get a reference
 * (references_inherit()).
 */
static inline bool inherit_defined(struct k_thread *thread)
{
	const struct k_thread *creator = k_cpu.current;
	uint32_t allocated = 0;

	if (object_entry_of_thread(creator) == NULL) {
		return false;
	}
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.grants); i++) {
		thread->user.grants[i] |= creator->user.grants[i] & ~allocated_objects[i];
		allocated |= creator->user.grants[i] & allocated_objects[i];
	}
	return allocated != 0;
}

#endif /* FOLIOT_KERNEL_THREAD_RIGHTS_H */

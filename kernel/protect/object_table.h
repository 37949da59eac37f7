/* SPDX-License-Identifier: Apache-2.0 */
/* The table of objects that user threads use: access.h says why there is one. */
#ifndef FOLIOT_KERNEL_OBJECT_TABLE_H
#define FOLIOT_KERNEL_OBJECT_TABLE_H

#include <board.h>
#include "kernel/core/kernel.h"

#define OBJECT_NOT_READY 0x80U /* beside a kind: known, and not initialised or not alive */
#define OBJECT_ALLOCATED 0x40U /* beside it: its references are counted (references.h) */
#define OBJECT_PUBLIC    0x01U /* in flags: all threads may use it */

struct object_entry {
	const void *object; /* NULL: free */
	uint8_t kind; /* enum k_objects, and the bits above */
	uint8_t flags;
	uint16_t references; /* to an allocated object */
	size_t size; /* of a stack, bytes that the thread gets; of others, bytes behind the object */
	struct k_heap *pool; /* which an allocated object came from; NULL: a stack */
} __aligned(16); /* a power of two: an entry's index is a shift away */

extern struct object_entry object_table[CONFIG_USER_OBJECTS];

static inline unsigned int entry_index(const struct object_entry *entry)
{
	return (unsigned int)(entry - object_table);
}

/* What it is, whatever its state. */
static inline unsigned int entry_kind(const struct object_entry *entry)
{
	return entry->kind & ~(OBJECT_NOT_READY | OBJECT_ALLOCATED);
}

/* Where the tag of an object of that kind lies. */
#define OBJECT_TAG_OFFSET(type) offsetof(type, object_tag)

/* The entry of `object`, whatever its kind and whose it may be; NULL: it is no known object. */
static inline struct object_entry *object_entry_at(const void *object, size_t tag_offset)
{
	uintptr_t tag = (uintptr_t)object + tag_offset;
	struct object_entry *entry;
	unsigned int index;

	if (unlikely(tag - BOARD_RAM_BASE > BOARD_RAM_SIZE - sizeof(struct k_object_tag) ||
		     tag % sizeof(struct k_object_tag) != 0)) {
		return NULL;
	}
	index = ((const volatile struct k_object_tag *)tag)->index;
	if (unlikely(index >= CONFIG_USER_OBJECTS)) {
		return NULL;
	}
	entry = &object_table[index];
	return likely(entry->object == object) ? entry : NULL;
}

static inline bool object_is_granted(const struct k_thread *thread,
				     const struct object_entry *entry)
{
	unsigned int index = entry_index(entry);

	return (thread->user.grants[index / 32] >> (index % 32) & 1U) != 0 ||
	       (entry->flags & OBJECT_PUBLIC) != 0;
}

#endif /* FOLIOT_KERNEL_OBJECT_TABLE_H */

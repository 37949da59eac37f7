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

/*
 * Does that word lie in memory, so that it can be read? With a RAM that is a power of two, where it
 * begins too, that is one comparison of the upper bits.
 */
static inline bool object_tag_is_in_ram(uintptr_t tag)
{
	const uintptr_t base = BOARD_RAM_BASE;
	const uintptr_t size = BOARD_RAM_SIZE;

	if ((size & (size - 1U)) == 0 && base % size == 0) {
		return (tag ^ base) < size;
	}
	return (tag & ~(uintptr_t)3) - base <= size - sizeof(struct k_object_tag);
}

/*
 * What a tag says its index is. It is the entry that decides, since none but a real object's address stands in
 * one: so a tag that is not aligned may be read where it is, a byte, or where it would be, and an index that is too
 * large be taken modulo. The host's sanitizer holds the gaps between variables for nobody's.
 */
#ifdef CONFIG_HOST_SANITIZERS
__attribute__((no_sanitize("address")))
#endif
static inline unsigned int
object_index_at(uintptr_t tag)
{
	unsigned int index = CONFIG_USER_OBJECTS <= 256
				     ? *(const volatile uint8_t *)tag
				     : *(const volatile uint32_t *)(tag & ~(uintptr_t)3) &
					       UINT16_MAX;

	return index % CONFIG_USER_OBJECTS;
}

/* The entry of `object`, whatever its kind and whose it may be; NULL: it is no known object. */
static inline struct object_entry *object_entry_at(const void *object, size_t tag_offset)
{
	uintptr_t tag = (uintptr_t)object + tag_offset;
	struct object_entry *entry;

	if (unlikely(!object_tag_is_in_ram(tag))) {
		return NULL;
	}
	entry = &object_table[object_index_at(tag)];
	return likely(entry->object == object) ? entry : NULL;
}

/* A thread's, alive or not; NULL: it is no known thread. */
static inline struct object_entry *object_entry_of_thread(const struct k_thread *thread)
{
	struct object_entry *entry = object_entry_at(thread, OBJECT_TAG_OFFSET(struct k_thread));

	return likely(entry == NULL || entry_kind(entry) == K_OBJ_THREAD) ? entry : NULL;
}

/* Has the thread a right of its own to it, not one of everybody's? */
static inline bool object_is_own(const struct k_thread *thread, const struct object_entry *entry)
{
	unsigned int index = entry_index(entry);

	return (thread->user.grants[index / 32] >> (index % 32) & 1U) != 0;
}

static inline bool object_is_granted(const struct k_thread *thread,
				     const struct object_entry *entry)
{
	unsigned int index = entry_index(entry);
	uint32_t word = thread->user.grants[index / 32];

	return likely((word >> (index % 32) & 1U) != 0) || (entry->flags & OBJECT_PUBLIC) != 0;
}

/*
 * May the running thread use `object`, of that kind and ready, which nobody allocated? With interrupts masked,
 * or what was looked at first may be another object's by now.
 */
static inline bool object_is_usable_masked(const void *object, size_t tag_offset, unsigned int kind)
{
	uintptr_t tag = (uintptr_t)object + tag_offset;
	const struct object_entry *entry;
	unsigned int index;

	if (unlikely(!object_tag_is_in_ram(tag))) {
		return false;
	}
	index = object_index_at(tag);
	entry = &object_table[index];
	if (unlikely(entry->object != object || entry->kind != kind)) {
		return false;
	}
	return likely((k_cpu.current->user.grants[index / 32] >> (index % 32) & 1U) != 0) ||
	       (entry->flags & OBJECT_PUBLIC) != 0;
}

BUILD_ASSERT(offsetof(struct k_object_tag, index) == 0 && sizeof(struct k_object_tag) == 4 &&
		     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	     "object_entry_at()");

#endif /* FOLIOT_KERNEL_OBJECT_TABLE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* The table of objects that user threads use: object_rights.h says why there is one. */
#ifndef FOLIOT_KERNEL_OBJECT_TABLE_H
#define FOLIOT_KERNEL_OBJECT_TABLE_H

#include <board.h>
#include "kernel/base/kernel.h"
#include "kernel/base/user_stack.h"
#include "lib/bits.h"
#ifdef CONFIG_STACK_GUARD_HW
#include <arch_guard.h>
#endif

#define OBJECT_NOT_READY 0x80U /* beside a kind: known, and not initialised or not alive */
#define OBJECT_ALLOCATED 0x40U /* beside it: its references are counted (references.h) */
#define OBJECT_PUBLIC    0x20U /* beside it: all threads may use it */

struct object_entry {
	const void *object; /* NULL: free */
	uint8_t kind; /* enum k_objects, and the bits above */
	uint16_t references; /* to an allocated object */
	/* of a stack, bytes that the thread gets; of others, bytes behind the object */
	size_t size;
	struct k_heap *pool; /* which an allocated object came from; NULL: a stack */
} __aligned(16); /* a power of two: an entry's index is a shift away */

extern struct object_entry object_table[CONFIG_USER_OBJECTS];

/*
 * Beside each entry, in one word: where its object is, and in the highest byte, exclusive or, its
 * kind with its state. An object lies in RAM, whose addresses agree in that byte, so a pointer into
 * RAM and a kind agree with a name only where both are the entry's: one comparison for what would
 * be two loads and two. 0: a free entry's, which no pointer agrees with, since RAM does not begin
 * at a kind (asserted below).
 */
#if CONFIG_USER_OBJECTS <= 64
#define OBJECT_NAMES_PLACE ARCH_NEAR
#else
#define OBJECT_NAMES_PLACE /* too long to lie near */
#endif
extern uintptr_t object_names[CONFIG_USER_OBJECTS] OBJECT_NAMES_PLACE;

/*@ requires kind <= UINT8_MAX;
  @ assigns \nothing;
  @ ensures \result == kind * 0x1000000;
  @*/
static inline uintptr_t object_kind_in_name(unsigned int kind)
{
	return (uintptr_t)kind << (8U * (sizeof(uintptr_t) - 1U));
}

/*@ predicate is_entry{L}(struct object_entry *entry) =
  @   \exists integer i; 0 <= i < CONFIG_USER_OBJECTS && entry == &object_table[i];
  @ predicate is_entry_at{L}(struct object_entry *entry, integer i) =
  @   0 <= i < CONFIG_USER_OBJECTS && entry == &object_table[i];
  @*/
/*@ requires is_entry(entry);
  @ assigns \nothing;
  @ ensures is_entry_at(entry, \result);
  @*/
static inline unsigned int entry_index(const struct object_entry *entry)
{
	return (unsigned int)(entry - object_table);
}

/* What it is, whatever its state. */
/*@ requires \valid_read(entry);
  @ assigns \nothing;
  @ ensures \result == entry->kind % 32;
  @*/
static inline unsigned int entry_kind(const struct object_entry *entry)
{
	return entry->kind & ~(OBJECT_NOT_READY | OBJECT_ALLOCATED | OBJECT_PUBLIC);
}

/* Whoever changes an entry's object or kind says so, before interrupts are open. */
/*@ requires is_entry(entry) && \valid_read(entry);
  @ assigns object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @ ensures \forall integer i; 0 <= i < CONFIG_USER_OBJECTS && !is_entry_at(entry, i) ==>
  @   object_names[i] == \old(object_names[i]);
  @ ensures \forall integer i; is_entry_at(entry, i) ==>
  @   object_names[i] ==
  @     (uintptr_t)((uintptr_t)entry->object ^ (uintptr_t)(entry->kind * 0x1000000));
  @*/
static inline void entry_renamed(const struct object_entry *entry)
{
	object_names[entry_index(entry)] = (uintptr_t)entry->object ^
					   object_kind_in_name(entry->kind);
}

/* The entry is nobody's from now on. Interrupts masked. */
void object_entry_free(struct object_entry *entry);

/* Where the tag of an object of that kind lies. */
#define OBJECT_TAG_OFFSET(type) offsetof(type, object_tag)
/* Contracts know no offsetof(). */
enum { TAG_OF_THREAD = OBJECT_TAG_OFFSET(struct k_thread) };

/*
 * Does that word lie in memory, so that it can be read? With a RAM that is a power of two, where it
 * begins too, that is one comparison of the upper bits.
 */
/*@ assigns \nothing;
  @ ensures \result <==> BOARD_RAM_BASE <= tag < BOARD_RAM_BASE + BOARD_RAM_SIZE;
  @*/
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
 * The same of an object that begins there, for a quick answer: false also in the last 256th of RAM,
 * where a tag might lie behind its end. So the object's own address is compared, with one constant
 * that all cores have in an instruction; an object that lies there is found by who looks
 * thoroughly.
 */
/*@ requires tag_offset <= UINT16_MAX;
  @ assigns \nothing;
  @ ensures \result ==>
  @   BOARD_RAM_BASE <= (uintptr_t)(object + tag_offset) < BOARD_RAM_BASE + BOARD_RAM_SIZE;
  @ ensures tag_offset + sizeof(struct k_object_tag) <= BOARD_RAM_SIZE / 256 ==> (\result <==>
  @   BOARD_RAM_BASE <= object < BOARD_RAM_BASE + BOARD_RAM_SIZE - BOARD_RAM_SIZE / 256);
  @ ensures tag_offset + sizeof(struct k_object_tag) > BOARD_RAM_SIZE / 256 ==> (\result <==>
  @   BOARD_RAM_BASE <= (uintptr_t)(object + tag_offset) < BOARD_RAM_BASE + BOARD_RAM_SIZE);
  @*/
static inline bool object_tag_is_surely_in_ram(uintptr_t object, size_t tag_offset)
{
	const uintptr_t base = BOARD_RAM_BASE;
	const uintptr_t size = BOARD_RAM_SIZE;
	const uintptr_t margin = size / 256U;

	if ((size & (size - 1U)) == 0 && base % size == 0 &&
	    tag_offset + sizeof(struct k_object_tag) <= margin) {
		return (object ^ base) < size - margin;
	}
	return object_tag_is_in_ram(object + tag_offset);
}

/*
 * Does it lie in the running thread's stack guard, where on some cores the kernel cannot even read?
 */
static inline bool object_tag_is_hidden(uintptr_t tag)
{
#ifdef ARCH_GUARD_IS_HIDDEN
	return k_cpu.current->stack_guard_end - 1U - tag < CONFIG_STACK_GUARD_SIZE;
#else
	return false;
#endif
}

/*
 * What a tag says its index is. It is the entry that decides, since none but a real object's
 * address stands in one: so a tag that is not aligned may be read where it is, a byte, or where it
 * would be, and an index that is too large be taken modulo; and one where the kernel may not read
 * be any. The host's sanitizer holds the gaps between variables for nobody's.
 */
#ifdef CONFIG_HOST_SANITIZERS
__attribute__((no_sanitize("address")))
#endif
static inline unsigned int
object_index_at(uintptr_t tag)
{
	unsigned int index;

	if (unlikely(object_tag_is_hidden(tag))) {
		return 0;
	}
	ARCH_USER_OPEN(); /* what user mode named may lie in its own memory */
	index = CONFIG_USER_OBJECTS <= 256
			? *(const volatile uint8_t *)tag
			: *(const volatile uint32_t *)(tag & ~(uintptr_t)3) & UINT16_MAX;
	ARCH_USER_CLOSE();
	return index % CONFIG_USER_OBJECTS;
}

/* The entry of `object`, whatever its kind and whose it may be; NULL: it is no known object. */
/*@ predicate is_named{L}(integer tag, void *object) =
  @   BOARD_RAM_BASE <= tag < BOARD_RAM_BASE + BOARD_RAM_SIZE &&
  @   0 <= tag_index(tag) < CONFIG_USER_OBJECTS && object_table[tag_index(tag)].object == object;
  @*/
/*@ requires tag_offset <= UINT16_MAX;
  @ assigns \nothing;
  @ ensures \result != \null ==> is_entry(\result) && \result->object == object &&
  @   \result == &object_table[tag_index((uintptr_t)((uintptr_t)object + tag_offset))];
  @ ensures \result != \null <==>
  @   is_named((uintptr_t)((uintptr_t)object + tag_offset), (void *)object);
  @*/
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
/*@ assigns \nothing;
  @ ensures \result != \null ==> is_entry(\result) && \result->object == thread &&
  @   \result->kind % 32 == K_OBJ_THREAD;
  @*/
static inline struct object_entry *object_entry_of_thread(const struct k_thread *thread)
{
	struct object_entry *entry = object_entry_at(thread, OBJECT_TAG_OFFSET(struct k_thread));

	return likely(entry == NULL || entry_kind(entry) == K_OBJ_THREAD) ? entry : NULL;
}

/* Has the thread a right of its own to it, not one of everybody's? */
/*@ predicate thread_holds{L}(struct k_thread *thread, integer i) =
  @   (thread->user.grants[i / 32] >> (i % 32)) % 2 == 1;
  @*/
/*@ requires \valid_read(thread) && is_entry(entry);
  @ assigns \nothing;
  @ ensures \forall integer i; is_entry_at(entry, i) ==> (\result <==> thread_holds(thread, i));
  @*/
static inline bool object_is_own(const struct k_thread *thread, const struct object_entry *entry)
{
	unsigned int index = entry_index(entry);

	return bit_is_set(thread->user.grants[index / 32], index);
}

/*@ requires \valid_read(thread) && is_entry(entry);
  @ assigns \nothing;
  @ ensures \forall integer i; is_entry_at(entry, i) ==>
  @   (\result <==> thread_holds(thread, i) || (entry->kind / OBJECT_PUBLIC) % 2 == 1);
  @*/
static inline bool object_is_granted(const struct k_thread *thread,
				     const struct object_entry *entry)
{
	return likely(object_is_own(thread, entry)) || (entry->kind & OBJECT_PUBLIC) != 0;
}

/*
 * What of the table a right is about: of which entry a tag says that it is an object's; who may use
 * that; what a thread is in a call with (references.h), and, for contracts, what is written where
 * that changes.
 */
/* clang-format off */
#define WRITTEN_TO_HOLD                                                       \
	k_cpu.current->user.held[0 .. 1], k_cpu.current->user.newest_held,    \
		object_table[0 .. CONFIG_USER_OBJECTS - 1].references,        \
		orphans[0 .. CONFIG_USER_OBJECTS / 32 - 1], user_has_orphans
/* clang-format on */
/*@ logic integer place_of(integer object, integer tag_offset) =
  @   tag_index((uintptr_t)(object + tag_offset));
  @ predicate may_be_used{L}(integer i, void *object, integer kind) =
  @   0 <= i < CONFIG_USER_OBJECTS && object_table[i].object == object &&
  @   (object_table[i].kind & ~(OBJECT_ALLOCATED | OBJECT_PUBLIC)) == kind &&
  @   (thread_holds(k_cpu.current, i) || (object_table[i].kind / OBJECT_PUBLIC) % 2 == 1);
  @ predicate some_may_be_used{L}(void *object, integer kind) =
  @   \exists integer i; may_be_used(i, object, kind);
  @ predicate is_there{L}(void *object, integer tag_offset, integer kind) =
  @   is_named((uintptr_t)((uintptr_t)object + tag_offset), object) &&
  @   may_be_used(place_of((uintptr_t)object, tag_offset), object, kind);
  @ predicate is_counted{L}(struct object_entry *entry) =
  @   (entry->kind / OBJECT_ALLOCATED) % 2 == 1;
  @ predicate is_held{L}(struct k_thread *thread, integer i) =
  @   thread->user.held[0] == i + 1 || thread->user.held[1] == i + 1;
  @ predicate held_are_entries{L}(struct k_thread *thread) = \valid(thread) &&
  @   \separated(thread, &object_table[0 .. CONFIG_USER_OBJECTS - 1]) &&
  @   thread->user.held[0] <= CONFIG_USER_OBJECTS && thread->user.held[1] <= CONFIG_USER_OBJECTS;
  @ predicate held_stay{K, L}(struct k_thread *thread) =
  @   \at(thread->user.held[0], K) == \at(thread->user.held[0], L) &&
  @   \at(thread->user.held[1], K) == \at(thread->user.held[1], L) &&
  @   \at(thread->user.newest_held, K) == \at(thread->user.newest_held, L);
  @*/

/* What the two below have in common: its tag may be read. */
static inline bool object_is_usable_with_tag(const void *object, size_t tag_offset,
					     unsigned int kind)
{
	unsigned int index = object_index_at((uintptr_t)object + tag_offset);
	uintptr_t named_kind;

	OPAQUE(index); /* one register for it, not one for the tag as well */
	named_kind = object_names[index] ^ (uintptr_t)object;
	if (likely(named_kind == object_kind_in_name(kind))) {
		/* grants[index / 32], with no register beside the thread's and the index'. */
		uintptr_t near = ((uintptr_t)k_cpu.current + index / 8U) & ~(uintptr_t)3;
		const uint32_t *word = (const uint32_t *)(near +
							  offsetof(struct k_thread, user.grants));

		return likely(bit_is_set(*word, index));
	}
	return named_kind == object_kind_in_name(kind | OBJECT_PUBLIC);
}

/*
 * May the running thread use `object`, of that kind and ready, which nobody allocated? With
 * interrupts masked, or what was looked at first may be another object's by now.
 */
/*@ predicate is_plain(integer kind) =
  @   0 <= kind < OBJECT_PUBLIC || OBJECT_NOT_READY <= kind < OBJECT_NOT_READY + OBJECT_PUBLIC;
  @*/
/*@ requires \valid_read(k_cpu.current) && tag_offset <= UINT16_MAX && is_plain(kind);
  @ assigns \nothing;
  @ ensures \result ==> is_there((void *)object, tag_offset, kind) &&
  @   !is_counted(&object_table[place_of((uintptr_t)object, tag_offset)]);
  @*/
static inline bool object_is_usable_masked(const void *object, size_t tag_offset, unsigned int kind)
{
	return likely(object_tag_is_in_ram((uintptr_t)object + tag_offset)) &&
	       object_is_usable_with_tag(object, tag_offset, kind);
}

/* The same quickly; but false is no answer, since the object may lie at RAM's end. */
static inline bool object_is_usable_fast(const void *object, size_t tag_offset, unsigned int kind)
{
	return likely(object_tag_is_surely_in_ram((uintptr_t)object, tag_offset)) &&
	       object_is_usable_with_tag(object, tag_offset, kind);
}

BUILD_ASSERT(offsetof(struct k_object_tag, index) == 0 && sizeof(struct k_object_tag) == 4 &&
		     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	     "object_entry_at()");
#ifdef CONFIG_32BIT
BUILD_ASSERT(BOARD_RAM_BASE >> 24 >= K_OBJ_LAST_ &&
		     BOARD_RAM_BASE >> 24 == (BOARD_RAM_BASE + BOARD_RAM_SIZE - 1U) >> 24,
	     "object_names: RAM's addresses agree in their highest byte, which is no kind");
#endif

#endif /* FOLIOT_KERNEL_OBJECT_TABLE_H */

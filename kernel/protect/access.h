/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validation: is what a user thread passed an object, of this kind, initialised, and one that it
 * may use? In constant time, and exact.
 *
 * Each object holds an index into the table of known objects; the entry there holds the object's
 * address. So whatever lies at a forged address, the entry that it leads to does not lead back:
 * a pair (object, entry) that agrees exists for real objects only, since the entries are
 * the kernel's. The rights are the thread's, a bit an entry: they end with the thread, by
 * being cleared in the next one's, without a walk over objects.
 *
 * Rejected: a magic number in the object alone, since user threads may write words of
 * their choice into kernel memory (a stack's, a message queue's buffer); a hash or a sorted list of
 * addresses, since it is neither constant nor as quick; rights in the object, since each end of
 * a thread would have to walk all objects.
 */
#ifndef FOLIOT_KERNEL_ACCESS_H
#define FOLIOT_KERNEL_ACCESS_H

#include <board.h>
#include "kernel/core/kernel.h"

#define OBJECT_NOT_READY 0x80U /* beside a kind: known, and not initialised or not alive */
#define OBJECT_PUBLIC    0x01U /* in flags: all threads may use it */

struct object_entry {
	const void *object; /* NULL: free */
	uint8_t kind; /* enum k_objects, and OBJECT_NOT_READY */
	uint8_t flags;
	uint16_t reserved; /* references to an allocated object, later */
	size_t size; /* of a stack, bytes that the thread gets */
} __aligned(16); /* a power of two: an entry's index is a shift away */

extern struct object_entry object_table[CONFIG_USER_OBJECTS];

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
	unsigned int index = (unsigned int)(entry - object_table);

	return (thread->user.grants[index / 32] >> (index % 32) & 1U) != 0 ||
	       (entry->flags & OBJECT_PUBLIC) != 0;
}

/* The running thread made a call that it had no right to make: a report, and its end. */
void user_violation(const char *what) __attribute__((noreturn));

/* May the running thread use `object`, which has to be of that kind and ready? */
static inline bool object_is_usable(const void *object, size_t tag_offset, unsigned int kind)
{
	const struct object_entry *entry = object_entry_at(object, tag_offset);

	return likely(entry != NULL && entry->kind == kind &&
		      object_is_granted(k_cpu.current, entry));
}

/* At the head of a system call: return from here means that the object may be used. */
#define VERIFY_OBJECT(object, type, kind)                                                 \
	do {                                                                              \
		if (unlikely(!object_is_usable(object, OBJECT_TAG_OFFSET(type), kind))) { \
			user_violation("not an object that the thread may use");          \
		}                                                                         \
	} while (0)

/*
 * Before a user thread initialises an object: one that is initialised already may have waiters. Masks interrupts until
 * it is, so that nobody else does it meanwhile. An object that is ready stays so for ever: that
 * is why what was verified may be used with interrupts open in between.
 */
unsigned int verify_init_begin(const void *object, size_t tag_offset, unsigned int kind);

/*
 * A thread that the caller may name: true while it is alive. One that has ended is no violation,
 * since that may happen at any time: the caller then does nothing.
 */
static inline bool verify_thread(const struct k_thread *thread)
{
	const struct object_entry *entry = object_entry_at(thread,
							   OBJECT_TAG_OFFSET(struct k_thread));

	if (unlikely(entry == NULL || (entry->kind & ~OBJECT_NOT_READY) != K_OBJ_THREAD ||
		     !object_is_granted(k_cpu.current, entry))) {
		user_violation("not a thread that the thread may use");
	}
	return entry->kind == K_OBJ_THREAD;
}

/* May the running thread pass `object` on? Whether or not it is initialised. */
bool user_holds(const void *object, unsigned int kind);
/* May it create a thread in that block, on that stack? Nobody lives there. Masked. */
bool user_may_use_block(const struct k_thread *block);
bool user_may_use_stack(const char *stack, size_t size);

/* A new thread's rights; and what it may use of itself, once it is a user's. */
void user_access_created(struct k_thread *thread);
void user_access_self(struct k_thread *thread);

/* ---- memory ---- */

/*
 * May the running thread read (write) `bytes` from `address` on? Its stack, or wholly in one partition of its
 * domain. Interrupts masked, or the answer may be old.
 */
bool user_may_access(const void *address, size_t bytes, bool write);

/* A violation where it is not; nothing is copied yet. */
void user_verify_writable(const void *address, size_t bytes);

/*
 * Copy out of (into) the running thread's memory, checked in one with the copy: interrupts are
 * masked, so few bytes only. A violation where it is not the thread's.
 */
#define USER_COPY_MAX 64U
void user_copy_in(void *to, const void *user, size_t bytes);
void user_copy_out(void *user, const void *from, size_t bytes);

#endif /* FOLIOT_KERNEL_ACCESS_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long an object lives that k_object_alloc() made: as long as a thread has a right to it, is
 * inside a system call with it, or lives in it (a block, a stack). Each of these is a reference;
 * the last one to go leaves an orphan, which is freed by whoever comes by next with interrupts
 * open: who allocates, revokes or releases, or the idle thread.
 *
 * A verifier ends in a tail call, so nobody is told that a call has ended. So a thread holds
 * the last two allocated objects that it named (no call takes more) until it names others, gives
 * one up or ends: hazard pointers. What that may keep too long is two blocks a thread, and only
 * where somebody else took the thread's right away.
 *
 * Rejected: freeing at once with interrupts masked, since a thread that ends may be the last of
 * many; counting calls in and out, since all calls would pay for it; keeping blocks to their
 * type for ever, since a pool is for all types.
 */
#ifndef FOLIOT_KERNEL_REFERENCES_H
#define FOLIOT_KERNEL_REFERENCES_H

#include "kernel/base/object_table.h"
#include "kernel/hooks/generation.h"

/* Bit by entry: those that were allocated; those of them that nobody refers to. */
extern uint32_t allocated_objects[CONFIG_USER_OBJECTS / 32];

/* The entry's object was allocated, and has no references yet. Interrupts masked, as below. */
void reference_begin(struct object_entry *entry, struct k_heap *pool);
/* One reference more or less; nothing for an object that was not allocated. */
/*@ requires \valid(entry);
  @ assigns entry->references;
  @ ensures is_counted(entry) ==>
  @   entry->references == (uint16_t)(\old(entry->references) + 1);
  @ ensures !is_counted(entry) ==> entry->references == \old(entry->references);
  @*/
void reference_add(struct object_entry *entry);
/*@ requires is_entry(entry) && \valid(entry);
  @ assigns entry->references, orphans[0 .. CONFIG_USER_OBJECTS / 32 - 1], user_has_orphans;
  @ ensures is_counted(entry) ==>
  @   entry->references == (uint16_t)(\old(entry->references) - 1);
  @ ensures !is_counted(entry) ==> entry->references == \old(entry->references);
  @ ensures is_counted(entry) && entry->references == 0 ==> user_has_orphans;
  @ ensures !is_counted(entry) || entry->references != 0 ==>
  @   user_has_orphans == \old(user_has_orphans) &&
  @   \forall integer i; 0 <= i < CONFIG_USER_OBJECTS / 32 ==> orphans[i] == \old(orphans[i]);
  @ ensures \forall integer i, j; is_entry_at(entry, i) && 0 <= j < CONFIG_USER_OBJECTS / 32 &&
  @   j != i / 32 ==> orphans[j] == \old(orphans[j]);
  @*/
void reference_drop(struct object_entry *entry);
/*
 * The thread of that generation, which the running one has created, gets its rights to allocated
 * objects, one after the other. Interrupts open.
 */
void references_inherit(uint32_t generation);
/*
 * `thread` ends, and has no rights to allocated objects any more: they go to who reaps, which
 * drops them one by one.
 */
void references_end(struct k_thread *thread);

/*
 * The running thread is in a call with that object: in place of the one that it named longest ago.
 */
/*@ predicate is_newest{L}(struct k_thread *thread, integer i) =
  @   thread->user.newest_held == 0 && thread->user.held[0] == i + 1 ||
  @   thread->user.newest_held == 1 && thread->user.held[1] == i + 1;
  @*/
/*@ requires is_entry(entry) && held_are_entries(k_cpu.current);
  @ assigns WRITTEN_TO_HOLD;
  @ ensures \forall integer i; is_entry_at(entry, i) ==> is_held(k_cpu.current, i) &&
  @   is_newest(k_cpu.current, i);
  @ ensures held_are_entries(k_cpu.current);
  @*/
void reference_hold(struct object_entry *entry);
/* The running thread is in no call that names an object but this one, which names none. */
void references_let_go(void);

/*
 * The objects that a thread polls, of which there may be more: each is a reference until the call
 * or the thread ends.
 */
#ifdef CONFIG_POLL
struct references_polled {
	unsigned int count;
	uint16_t entries[CONFIG_POLL_USER_EVENTS];
};

static inline void references_polled_none(struct k_thread *thread)
{
	thread->user.polled = NULL;
}

static inline bool references_polls_any(const struct k_thread *thread)
{
	return thread->user.polled != NULL;
}

/* The running thread's, from now on until references_polled_end(). */
void references_polled_begin(struct references_polled *polled);
void references_polled_end(void);
/* One that the thread holds, or one that nobody allocated: then nothing. */
void reference_poll(const void *object, size_t tag_offset);
#else
static inline void references_polled_none(struct k_thread *thread)
{
}

static inline bool references_polls_any(const struct k_thread *thread)
{
	return false;
}
#endif

/* It begins, and refers to none. */
static inline void references_none(struct k_thread *thread)
{
	thread->user.both_held = 0;
	thread->user.newest_held = 0; /* or it would tell of who lived in the block before */
	thread->user.may_refer = 0;
	references_polled_none(thread);
}

/* It is given a right to one. */
static inline void references_begin(struct k_thread *thread)
{
	thread->user.may_refer = 1;
	(void)generation_of(thread); /* so its end goes the way that has steps */
}

/* Does it refer to any, so that references_end() has something to do? */
static inline bool references_has_any(const struct k_thread *thread)
{
	return thread->user.both_held != 0 || thread->user.may_refer != 0 ||
	       references_polls_any(thread);
}

/* Free what nobody refers to any more. Thread, interrupts open, or nothing happens. */
void references_reap(void);

#endif /* FOLIOT_KERNEL_REFERENCES_H */

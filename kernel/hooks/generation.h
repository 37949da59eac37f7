/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that outlive a thread. A thread's block may be used again, for another thread or, where it
 * was allocated, for bytes that user mode writes. So what refers to a thread and is not told of its
 * end (a mutex, an endpoint, a message that was received) keeps its generation: a number that no
 * other thread has had or will have, short of 2^32 that were given one. It is followed by
 * generation_thread() alone, which asks a table of the living ones that only the kernel writes; a
 * block is never looked at to find out whether it is one. So a number that came again would name a
 * living thread, if the wrong one.
 *
 * It comes from one counter, and only when something first refers to the thread by it, so that
 * creating a thread pays a store for it. A number leads to its place in the table by its lowest
 * bits; threads that share a place are linked through their own blocks. Rejected: a place for each
 * thread that may ever be, of which there is no number; blocks that stay threads' for ever, since a
 * pool is for all types, and a kernel thread's block is whose it is.
 */
#ifndef FOLIOT_KERNEL_GENERATION_H
#define FOLIOT_KERNEL_GENERATION_H

#include "kernel/base/kernel.h"

#define GENERATION_NOBODY 0U /* in what refers to a thread: to none */
#define GENERATION_NONE   1U /* in a thread: not given yet, or it has ended; equals no other */
#define GENERATION_ENDED  2U /* in what refers to a thread: to one that has ended, whichever */

#define GENERATION_PLACES 32U /* a power of two */

/* The living threads that have a generation, by its lowest bits. */
extern struct k_thread *generation_places[GENERATION_PLACES];

/* Give `thread` its generation; interrupts masked. */
uint32_t generation_give(struct k_thread *thread);

/*
 * `thread` ends, and has one: nothing leads to it any more. Interrupts masked. Weak: without it
 * nobody has one.
 */
void generation_end(struct k_thread *thread) __attribute__((weak));

/* The thread's generation; interrupts masked. */
static inline uint32_t generation_of(struct k_thread *thread)
{
	uint32_t generation = thread->generation;

	return likely(generation != GENERATION_NONE) ? generation : generation_give(thread);
}

/*
 * The living thread that has that generation; NULL: it has ended, or there was none. Interrupts
 * masked. Bound: T, the living threads in one place: one, but where there are more of them than
 * places.
 */
static inline struct k_thread *generation_thread(uint32_t generation)
{
	struct k_thread *thread = generation_places[generation % GENERATION_PLACES];

	while (unlikely(thread != NULL && thread->generation != generation)) {
		thread = thread->next_named;
	}
	return thread;
}

#endif /* FOLIOT_KERNEL_GENERATION_H */

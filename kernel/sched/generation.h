/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that outlive a thread. A thread's block may be used again for another, so what refers
 * to a thread and is not told of its end keeps its generation beside its address: a number
 * that no other thread has had or will have (short of 2^32 that were given one). It comes from
 * one counter, and only when something first refers to the thread by it, so that creating a
 * thread pays a store for it. Never from the block, which may be uninitialised memory.
 */
#ifndef FOLIOT_KERNEL_GENERATION_H
#define FOLIOT_KERNEL_GENERATION_H

#include "kernel/core/kernel.h"

#define GENERATION_NOBODY 0U /* in what refers to a thread: to none */
#define GENERATION_NONE   1U /* in a thread: not given yet, or it has ended; equals no other */

/* Give `thread` its generation; interrupts masked. */
uint32_t generation_give(struct k_thread *thread);

/* The thread's generation; interrupts masked. */
static inline uint32_t generation_of(struct k_thread *thread)
{
	uint32_t generation = thread->generation;

	return likely(generation != GENERATION_NONE) ? generation : generation_give(thread);
}

#endif /* FOLIOT_KERNEL_GENERATION_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's own state, in one structure, so that one base address reaches all of
 * it. Written with interrupts masked only.
 */
#ifndef FOLIOT_KERNEL_KERNEL_H
#define FOLIOT_KERNEL_KERNEL_H

#include <foliot/kernel.h>
#include "arch/arch.h"

#define NUM_LEVELS (CONFIG_NUM_COOP_PRIORITIES + CONFIG_NUM_PREEMPT_PRIORITIES + 1)
BUILD_ASSERT(NUM_LEVELS <= 32, "one bitmap word holds the ready levels");

/*
 * Makes the compiler forget what it knows of a value. GCC 12 for Thumb-2 keeps values
 * that are compared with zero in callee-saved registers, with a push and a pop around
 * a leaf function that has registers left; this talks it out of that. Costs nothing.
 */
#define OPAQUE(value) __asm__("" : "+r"(value))

struct kernel {
	struct k_thread *current;        /* offset 0: arch assembly */
	struct k_thread *best;           /* offset 4: head of the most urgent ready level */
	uint32_t levels;                 /* bit 31 - n: level[n] has threads */
	bool started;                    /* threads run */
	struct k_thread *level[NUM_LEVELS]; /* head of each circular list; stale when empty */
#ifdef CONFIG_THREAD_USAGE
	uint32_t usage_since; /* when the running thread was switched to, or last looked at */
#endif
};

extern struct kernel kernel;

#endif /* FOLIOT_KERNEL_KERNEL_H */

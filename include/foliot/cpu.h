/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Internal: all that belongs to a CPU, in one structure, so that one base address reaches it,
 * from C and from a port's assembly. In a public header only because k_is_in_isr() is inline.
 * Written with interrupts masked.
 */
#ifndef FOLIOT_CPU_H
#define FOLIOT_CPU_H

#include <stdint.h>
#include <arch_cpu.h>

struct k_thread;

/** Internal: the levels of the ready queue, the idle thread's included. */
#define NUM_LEVELS (CONFIG_NUM_COOP_PRIORITIES + CONFIG_NUM_PREEMPT_PRIORITIES + 1)

/** Internal: a bit for each of them; one word, but for whoever asks for more than 32. */
#if NUM_LEVELS > 32
typedef uint64_t level_bits_t;
#else
typedef uint32_t level_bits_t;
#endif

/** Internal: a CPU's state. */
struct cpu {
	struct k_thread *current; /* offset 0: assembly */
	struct k_thread *best; /* one pointer on: head of the most urgent ready level */
	struct arch_cpu arch; /* interrupt depth, switch pending: where the core has none itself */
#ifdef CONFIG_TIMESLICING
	uint32_t sliced; /* bits of levels: threads take turns there (slice.c); assembly */
#endif
	level_bits_t levels; /* bit n: level[n] has threads */
	struct k_thread *level[NUM_LEVELS]; /* head of each circular list; stale when empty */
	struct k_thread *walker; /* its traversal has interrupts open: it goes on in any case */
	uint32_t fault_depth; /* reports of faults under way; left behind by some: fatal.c */
#ifdef CONFIG_USERSPACE
	uint32_t objects_named; /* entries taken of the objects' table: object_rights.h */
#endif
#ifdef CONFIG_THREAD_USAGE
	uint32_t usage_since; /* when the running thread was switched to, or last looked at */
#endif
};

/** Internal: the one CPU there is. */
extern struct cpu k_cpu;

#endif /* FOLIOT_CPU_H */

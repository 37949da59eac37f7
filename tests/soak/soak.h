/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A soak: every service of the kernel under load at once, by some twenty threads, timers' handlers
 * and two work queues, for rounds without number. Each load counts what it sends and what arrives.
 * While it runs nothing may arrive twice, out of its order or changed; the clock may not drift from
 * the cycle counter; once all have stopped, nothing may be missing, and no block of memory, thread
 * or waiter be left.
 */
#ifndef TESTS_SOAK_SOAK_H
#define TESTS_SOAK_SOAK_H

#include <foliot/kernel.h>

#define STACK_SIZE 2048

/* What does not hold ends the run. Context: either. */
#define HOLDS(cond)                                             \
	do {                                                    \
		if (!(cond)) {                                  \
			soak_failed(#cond, __FILE__, __LINE__); \
		}                                               \
	} while (0)

void soak_failed(const char *text, const char *file, int line);

/* One kind of work. */
struct load {
	const char *name;
	void (*begin)(void);
	void (*round)(void); /* while it runs; or NULL */
	void (*end)(void);   /* its threads have ended */
	uint32_t done;       /* how much, modulo 2^32 */
};

extern struct load load_sem, load_limit, load_mutex, load_event, load_poll, load_timer, load_work,
	load_msgq, load_pipe, load_queue, load_mbox, load_ipc, load_slab, load_heap, load_memory,
	load_threads;

/* The loads are to come to their end. */
extern volatile bool soak_ends;

/* A thread of a load's, which ends by itself behind soak_ends. */
void soak_start(k_thread_entry_t entry, void *argument, int prio);

/* Random numbers: each user has a state of its own, not 0. */
static inline uint32_t random_next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Now and then somebody waits, for a few ticks, or lets others go first. */
static inline void random_pause(uint32_t *state)
{
	switch (random_next(state) % 16U) {
	case 0:
		(void)k_sleep(K_TICKS(1 + random_next(state) % 3U));
		break;
	case 1:
	case 2:
		k_yield();
		break;
	default:
		break;
	}
}

/* At most a few ticks, so that waits end when all does. */
static inline k_timeout_t random_wait(uint32_t *state)
{
	return K_TICKS(1 + random_next(state) % 4U);
}

#endif /* TESTS_SOAK_SOAK_H */

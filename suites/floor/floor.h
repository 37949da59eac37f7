/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that the hot operations can cost on this core: written by hand, in
 * assembly, with no kernel behind them: no priorities, no queues, one waiter. What an
 * operation must do even so, it does: interrupt state saved, masked and restored,
 * every register kept that a call or an interrupt must keep.
 *
 * Rows carry the ids of the latency rows that they are the floor of, and are measured
 * in the same windows by the same library. floor_ARCH.S and floor_ARCH.c are the
 * architecture's part.
 */
#ifndef FLOOR_H
#define FLOOR_H

#include <measure.h>

/* ---- floor_ARCH.S; the assembly knows these layouts ---- */

/*
 * The saved contexts are stack pointers, and a switch swaps one with the running one.
 * floor_prepare() makes one that floor_yield() or floor_sem_give() can continue with:
 * at entry(), on the stack that ends at `top`, interrupts open. entry() never returns.
 */
void *floor_prepare(void *top, void (*entry)(void));

/* Save the caller's context in *other, continue what was there. */
void floor_yield(void **other);

struct floor_sem {
	int32_t count; /* below 0: one waits */
	void *waiter;  /* its context */
	void *ready;   /* the context that runs when the taker blocks, or that a give left */
};

void floor_sem_give(struct floor_sem *sem);
int floor_sem_take(struct floor_sem *sem);

/*
 * A mutex that the caller holds. Who the caller is stands in memory, as in a kernel.
 * Nothing has to be masked: nobody but the owner changes a mutex that has one.
 */
struct floor_mutex {
	void *owner;
	uint32_t levels;
};

extern void *floor_current;

int floor_mutex_lock(struct floor_mutex *mutex);
int floor_mutex_unlock(struct floor_mutex *mutex);

/*
 * Interrupts. What the vector leads to saves what a C function may change, calls
 * floor_handler() and returns to what it interrupted, or else to floor_waiter, whose
 * context it swaps with that of what it interrupted; floor_wait() swaps back.
 */
extern void *floor_waiter;
void *floor_prepare_waiter(void *top, void (*entry)(void));
void floor_wait(void);
void floor_handler(void);

/* ---- floor_ARCH.c ---- */

enum floor_exit { FLOOR_EXIT_RETURNS, FLOOR_EXIT_SWITCHES };

/* Take the interrupt vectors from the kernel, and give them back. Interrupts masked. */
void floor_vectors_take(enum floor_exit how);
void floor_vectors_return(void);

/* In floor_handler(): have the exit switch, where that takes a request. */
void floor_request_switch(void);

/* ---- the suite ---- */

void floor_measure_yield(void);
void floor_measure_interrupt(void);
void floor_measure_sem(void);
void floor_measure_mutex(void);

#endif /* FLOOR_H */

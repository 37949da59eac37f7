/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that the hot operations can cost on this core: written by hand, in
 * assembly, with no kernel behind them: no priorities, no queues, one waiter. What an
 * operation must do even so, it does: interrupt state saved, masked and restored,
 * every register kept that a call or an interrupt must keep.
 *
 * Rows carry the ids of the latency rows that they are the floor of, and are measured
 * in the same windows by the same library; those of user mode (user.c) have ids of their own.
 * floor.S, floor_user.S and floor.c of the port are the architecture's part.
 */
#ifndef FLOOR_H
#define FLOOR_H

#include <measure.h>

/* ---- floor.S; the assembly knows these layouts ---- */

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

/*
 * System calls, in a user thread, each the least that keeps user mode out: the trap, a stack of
 * the kernel's, which call it is, and back with no register of the kernel's. A null call; one
 * that takes an object of a table, in which its index has to lead back to it; one
 * that writes a word where its caller may, which is one range. Below 0: refused.
 */
struct floor_object {
	uint32_t index;
};

#define FLOOR_OBJECTS 64

extern struct floor_object *floor_objects[FLOOR_OBJECTS];
extern struct floor_range {
	uintptr_t start;
	size_t last_word; /* bytes from there to it */
} floor_range; /* the user thread's memory */
extern uint32_t floor_word; /* what is copied */

int floor_call_null(void);
int floor_call_checked(struct floor_object *object);
int floor_call_copy(uint32_t *to);

/*
 * Where user mode may go, from memory into the protection unit: the stack's regions; all that belong to a
 * thread and its domain. floor_regions_read() finds what is in force, so that it can be
 * written again and again.
 */
#define FLOOR_REGION_WORDS 20

void floor_regions_read(uintptr_t *words);
void floor_regions_write_stack(const uintptr_t *words);
void floor_regions_write_all(const uintptr_t *words);

/* ---- floor.c ---- */

enum floor_exit { FLOOR_EXIT_RETURNS, FLOOR_EXIT_SWITCHES };

/* Take the interrupt vectors from the kernel, and give them back. Interrupts masked. */
void floor_vectors_take(enum floor_exit how);
void floor_vectors_return(void);

/* The floor's system calls beside the kernel's, and the kernel's alone. Interrupts masked. */
void floor_calls_take(void);
void floor_calls_return(void);

/* In floor_handler(): have the exit switch, where that takes a request. */
void floor_request_switch(void);

/* ---- the suite ---- */

void floor_measure_yield(void);
void floor_measure_interrupt(void);
void floor_measure_sem(void);
void floor_measure_mutex(void);

#ifdef CONFIG_USERSPACE
void floor_measure_user(void);
#else
static inline void floor_measure_user(void)
{
}
#endif

#endif /* FLOOR_H */

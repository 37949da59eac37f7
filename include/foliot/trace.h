/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Signals (CONFIG_TRACE): what the kernel does, as levels of pins or in a ring of time
 * stamps. The bits are those of the simulated SoC's pin register; see sim/README.md.
 */
#ifndef FOLIOT_TRACE_H
#define FOLIOT_TRACE_H

#include <foliot/util.h>

struct k_thread;

#define K_SIGNAL_THREAD_ANY BIT(0) /**< a thread runs, the idle thread excepted */
#define K_SIGNAL_SCHEDULER  BIT(1) /**< the kernel does what is due at this tick */
#define K_SIGNAL_QUEUEING   BIT(2) /**< it puts a thread into the ready queue */
#define K_SIGNAL_ISR        BIT(3) /**< an interrupt handler runs */
#define K_SIGNAL_SYSCALL    BIT(4) /**< reserved: a system call runs */
#define K_SIGNAL_THREAD(n)  BIT(16 + (n)) /**< thread n runs, n up to 15 */
#define K_SIGNAL_THREADS    16            /**< threads with a signal of their own */

/**
 * Show `thread` on the signal of its own number n, below K_SIGNAL_THREADS; any other n:
 * on K_SIGNAL_THREAD_ANY alone, as it is after its creation. Takes effect when it next
 * runs.
 * Context: either.
 */
void k_trace_thread_signal_set(struct k_thread *thread, unsigned int n);

/** One change of the signals in the ring; where there are pins the ring stays empty. */
struct k_trace_event {
	uint32_t cycle; /**< counts of the board's finest counter, BOARD_CLOCK_HZ a second */
	uint32_t levels; /**< the signals from then on */
};

/**
 * Copy the oldest events out of the ring, at most `max`; they leave it. Masks interrupts
 * all the time, so it is for when the measurement is over.
 * Returns how many.
 * Context: either.
 */
size_t k_trace_read(struct k_trace_event *events, size_t max);

/** Returns how many events found the ring full, since the start. Context: either. */
uint32_t k_trace_lost(void);

/**
 * Print the events that CONFIG_TRACE_RING keeps, or, with CONFIG_TRACE_STREAM, send those that were
 * not sent yet, with interrupts masked all the time; k_exit() does so by itself.
 * Context: either.
 */
void k_trace_ring_print(void);

#endif /* FOLIOT_TRACE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What time costs: setting and ending time-outs, and the alarm's interrupt.
 *
 * Each row stands for one operation with a number of other timers outstanding, the last
 * word of its id. Where that matters, the words before say when those are due: `near` or
 * `far` from now, `last` behind all of them or `first`, before them, so that the alarm moves.
 * An interrupt is held back until it is due, and taken in a window around the opening of
 * interrupts, as in suite `interrupt`: so it comes at the same place in each sample.
 */
#ifndef TIME_H
#define TIME_H

#include <measure.h>

/* Of main(): threads that sleep are above it, or below. */
#define TIME_PRIO  K_PRIO_PREEMPT(8)
#define ABOVE_PRIO K_PRIO_PREEMPT(7)
#define BELOW_PRIO K_PRIO_PREEMPT(9)

#define NUMBERS 4U /* of others: 1, 16, 64, 256 */

/* When others, and what is measured, are due: ticks from now. */
struct place {
	const char *words;   /* of the row's id */
	k_ticks_t others;    /* the first of the others, */
	k_ticks_t apart;     /* and how far from one to the next */
	k_ticks_t ours;      /* what is measured */
	k_ticks_t sooner;    /* each sample so much sooner than the one before */
};

/* How many others; 0 if the board has not the room for the `n`-th number of them. */
unsigned int others_number(unsigned int n);

/* Have `number` others outstanding, the first in `ticks`. Until others_end(). */
void others_begin(unsigned int number, k_ticks_t ticks, k_ticks_t apart);
/* The same, of ticks from `ticks` on `within` different ones. */
void others_begin_within(unsigned int number, k_ticks_t ticks, k_ticks_t within);
void others_end(void);

/*
 * Let a timer expire with nothing else outstanding: what has been taken back leaves the alarm
 * as it was, and this is where the kernel notices.
 */
void settle(void);

/* True if none of them has expired since others_begin(). */
bool others_are_pending(void);

/* `operation` before `words`, and `number`: an id that stays until the next row's. */
const char *row_id(const char *operation, const char *words, unsigned int number);

/* Cycles of k_cycle_get_32() in a tick, at most one less. */
#define TICK_CYCLES (sys_clock_hw_cycles_per_sec() / CONFIG_SYS_CLOCK_TICKS_PER_SEC)

/* Spin until the tick that it is now is over. Returns k_cycle_get_32() then. */
uint32_t next_tick(void);

/*
 * Mask interrupts and wait until `ticks` ticks after `start`; what has come meanwhile comes
 * when arrive()'s window opens them. That returns true if something did.
 */
void hold_back(uint32_t start, k_ticks_t ticks);
bool arrive(struct measure_window *window);

/* Each measures and prints its rows. */
void time_calls(void);
void time_uptime(void);
void time_alarm(void);
void time_sleepers(void);
void time_moves(void);

#endif /* TIME_H */

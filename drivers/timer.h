/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel needs of a timer: a free-running counter and one alarm. Ticks,
 * tickless operation and 64-bit uptime are the kernel's (kernel/time/), so a driver
 * is a page long.
 */
#ifndef FOLIOT_DRIVERS_TIMER_H
#define FOLIOT_DRIVERS_TIMER_H

#include <stdint.h>
#include <board.h>

/* Start counting at BOARD_TIMER_HZ, connect and enable the interrupt. At boot. */
void timer_init(void);

/*
 * The counter: 32 bits, counts up, wraps. Either context. Inline where the board's facts say
 * that one register is all of it, since whatever has a time-out asks.
 */
#ifdef BOARD_TIMER_COUNT
static inline uint32_t timer_cycles(void)
{
	uint32_t count = *(volatile uint32_t *)BOARD_TIMER_COUNT;

#ifdef BOARD_TIMER_COUNTS_DOWN
	count = ~count;
#endif
	return count;
}
#elif !defined(BOARD_TIMER_ALARM)
uint32_t timer_cycles(void);
#endif

/*
 * Where the board's facts name a header, timer_alarm() is inline too: every time-out that is
 * the next sets the alarm. So is timer_cycles(), where the counter is no register in memory.
 */
#ifdef BOARD_TIMER_ALARM
#include BOARD_TIMER_ALARM
#endif

/*
 * Raise the interrupt once the counter has come to `cycle`, at most 2^31 ahead; at
 * once if it has passed. Replaces an earlier alarm. Interrupts masked. The driver's
 * handler lowers the line and calls timer_announce(). May come early, never late.
 */
#ifndef BOARD_TIMER_ALARM
void timer_alarm(uint32_t cycle);
#endif

/*
 * The driver's upcall, which the kernel defines (kernel/time/tick.c): the alarm has come. ISR;
 * lets other interrupts in.
 */
void timer_announce(void);

#endif /* FOLIOT_DRIVERS_TIMER_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may interrupt whom, on an NVIC of any number of priority bits. From the most urgent:
 *
 *   0             faults and the supervisor call (switch.S), above all that calls the kernel
 *   1 ...         lines; the API's 0 is the first, and beyond the last all are alike
 *   last but one  the alarm: the expiry functions of one tick are many, and each line gets
 *                 in between two of them, so none may be as little urgent
 *   last          PendSV, which switches threads when nobody else has anything to do
 *
 * ARMv6-M has two bits, and no calls here: lines have 0 and 1. Of eight bits the lowest would be
 * the core's sub-priority (PRIGROUP is 0), which preempts nothing and which BASEPRI does not see:
 * seven are used.
 */
#ifndef FOLIOT_CORTEX_M_PRIORITY_H
#define FOLIOT_CORTEX_M_PRIORITY_H

#include <board.h>

#if BOARD_NVIC_PRIO_BITS < 2 || BOARD_NVIC_PRIO_BITS > 8
#error "BOARD_NVIC_PRIO_BITS: an NVIC has 2 (ARMv6-M) to 8"
#elif BOARD_NVIC_PRIO_BITS == 8
#define NVIC_BITS 7
#else
#define NVIC_BITS BOARD_NVIC_PRIO_BITS
#endif

/* As the registers have it, in the upper bits of a byte. */
#define NVIC_LEVEL(n)   ((n) << (8 - NVIC_BITS))
#define NVIC_LEVEL_LAST ((1 << NVIC_BITS) - 1)
#ifdef CONFIG_CORTEX_M_V6M
#define NVIC_LINES 0U /* the first of theirs */
#else
#define NVIC_LINES 1U
#endif

/* Masks all interrupts that may call the kernel, but not the supervisor call. */
#define BASEPRI_KERNEL NVIC_LEVEL(1)

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Of a line to which the API gives `prio`, and of the alarm, as the registers have them. */
static inline uint8_t nvic_line_priority(unsigned int prio)
{
	unsigned int last = NVIC_LEVEL_LAST - 2U;

	return (uint8_t)NVIC_LEVEL(prio < last - NVIC_LINES ? prio + NVIC_LINES : last);
}

static inline uint8_t nvic_alarm_priority(void)
{
	return (uint8_t)NVIC_LEVEL(NVIC_LEVEL_LAST - 1U);
}
#endif

#endif /* FOLIOT_CORTEX_M_PRIORITY_H */

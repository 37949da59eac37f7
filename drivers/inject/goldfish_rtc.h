/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The alarm of the clock of QEMU's virt for RISC-V, in nanoseconds, an instruction each: where that
 * clock is the machine's own (-rtc clock=vm), for else it is the host's. Its line comes by the
 * PLIC.
 */
#ifndef FOLIOT_DRIVERS_INJECT_GOLDFISH_RTC_H
#define FOLIOT_DRIVERS_INJECT_GOLDFISH_RTC_H

#include <stdint.h>
#include <arch_inline.h>
#include <board.h>

#define INJECT_IRQ      11 /* machine mode's external interrupt */
#define INJECT_SOURCE   11 /* the clock's at the PLIC */
#define INJECT_RTC(n)   (*(volatile uint32_t *)(BOARD_RTC_BASE + (n)))
#define INJECT_PLIC(n)  (*(volatile uint32_t *)(0x0c000000 + (n)))
#define INJECT_ENABLE   0x2000
#define INJECT_CLAIM    0x200004
#define RTC_TIME_LOW    0x00 /* latches the high half */
#define RTC_TIME_HIGH   0x04
#define RTC_ALARM_LOW   0x08 /* sets it */
#define RTC_ALARM_HIGH  0x0c
#define RTC_IRQ_ENABLED 0x10
#define RTC_CLEAR_ALARM 0x14
#define RTC_CLEAR_IRQ   0x1c

static uint32_t inject_at; /* the low half of when it rises */

static inline void inject_lower(void)
{
	INJECT_RTC(RTC_CLEAR_IRQ) = 1;
	INJECT_PLIC(INJECT_CLAIM) = INJECT_PLIC(INJECT_CLAIM);
}

static inline void inject_in(uint32_t units)
{
	uint64_t at;

	INJECT_RTC(RTC_CLEAR_ALARM) = 1;
	inject_lower();
	if (units != 0) {
		at = INJECT_RTC(RTC_TIME_LOW);
		at = (at | (uint64_t)INJECT_RTC(RTC_TIME_HIGH) << 32) + units;
		inject_at = (uint32_t)at;
		INJECT_RTC(RTC_ALARM_HIGH) = (uint32_t)(at >> 32);
		INJECT_RTC(RTC_ALARM_LOW) = (uint32_t)at;
	}
}

static inline void inject_init(void)
{
	INJECT_PLIC(4U * INJECT_SOURCE) = 1; /* its priority */
	INJECT_PLIC(INJECT_ENABLE) = 1U << INJECT_SOURCE;
	INJECT_RTC(RTC_IRQ_ENABLED) = 1;
}

static inline uint32_t inject_rose(void)
{
	return arch_cycles() - (INJECT_RTC(RTC_TIME_LOW) - inject_at);
}

#endif /* FOLIOT_DRIVERS_INJECT_GOLDFISH_RTC_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interrupt so many of the board's units after a window has opened: of a device that the kernel does not use. On the simulated
 * SoC the injector, a unit is a clock; in QEMU, whose time is the count of instructions, a timer that tells them apart, a
 * unit is an instruction. Elsewhere there is none.
 */
#include "everywhere.h"
#include <board.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#if defined(BOARD_INJECT)

#define LINE BOARD_EXT_IRQ

static void set(uint32_t units)
{
	REGISTER(BOARD_INJECT) = units; /* 0: disarms, and lowers */
}

static void start(void)
{
}

#elif defined(BOARD_RTC_BASE) && defined(BOARD_MTIME)
/* QEMU's virt for RISC-V: the alarm of its clock, in ns, an instruction each, where the clock is the machine's (-rtc clock=vm). */

#define LINE            11 /* machine mode's external interrupt */
#define RTC_IRQ         11 /* its number at the interrupt controller */
#define RTC(offset)     REGISTER(BOARD_RTC_BASE + (offset))
#define TIME_LOW        0x00
#define TIME_HIGH       0x04
#define ALARM_LOW       0x08 /* sets it */
#define ALARM_HIGH      0x0c
#define IRQ_ENABLED     0x10
#define CLEAR_ALARM     0x14
#define CLEAR_INTERRUPT 0x1c
#define PLIC(offset)    REGISTER(0x0c000000 + (offset))
#define PLIC_ENABLE     0x2000
#define PLIC_CLAIM      0x200004

static void set(uint32_t units)
{
	uint64_t at;

	RTC(CLEAR_ALARM) = 1;
	RTC(CLEAR_INTERRUPT) = 1;
	PLIC(PLIC_CLAIM) = PLIC(PLIC_CLAIM);
	if (units != 0) {
		at = RTC(TIME_LOW);
		at |= (uint64_t)RTC(TIME_HIGH) << 32;
		at += units;
		RTC(ALARM_HIGH) = (uint32_t)(at >> 32);
		RTC(ALARM_LOW) = (uint32_t)at;
	}
}

static void start(void)
{
	PLIC(4U * RTC_IRQ) = 1; /* its priority */
	PLIC(PLIC_ENABLE) = 1U << RTC_IRQ;
	RTC(IRQ_ENABLED) = 1;
}

#elif defined(BOARD_ALARM_BASE) && defined(BOARD_CYCLES_DOWN_REG)
/* Arm's MPS2: the dual timer, of whose counts there are more than one an instruction. */

#define LINE           10
#define TIMER(offset)  REGISTER(0x40002000 + (offset))
#define LOAD           0x00
#define CONTROL        0x08
#define INTCLR         0x0c
#define ONE_SHOT_OF_32 0xa3U /* enabled, with its interrupt */

static void set(uint32_t units)
{
	TIMER(CONTROL) = 0;
	TIMER(INTCLR) = 1;
	if (units != 0) {
		TIMER(LOAD) = units * BOARD_CYCLES_NUM / BOARD_CYCLES_DEN;
		TIMER(CONTROL) = ONE_SHOT_OF_32;
	}
}

static void start(void)
{
}

#else

static void set(uint32_t units)
{
}

static void start(void)
{
}

#endif

void inject_start(void (*isr)(const void *))
{
#ifdef LINE
	(void)irq_connect_dynamic(LINE, 0, isr, NULL, 0);
	start();
	irq_enable(LINE);
#endif
}

void inject_in(uint32_t units)
{
	set(units);
}

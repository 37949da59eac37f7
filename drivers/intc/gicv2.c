/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arm's Generic Interrupt Controller, version 2, for one core. A line's priority is a byte of
 * which at least the upper four bits are there: 0 is the most urgent, and the kernel's alarm has
 * the least urgent for itself.
 *
 * An access to a device is ordered among those to the same device: so what is disabled is read
 * back before the caller goes on.
 */
#include <board.h>
#include <foliot/kernel.h>
#include "drivers/intc.h"

#define GICD(n)    (*(volatile uint32_t *)((uintptr_t)BOARD_GICD_BASE + (n)))
#define GICC(n)    (*(volatile uint32_t *)((uintptr_t)BOARD_GICC_BASE + (n)))
#define GICD_CTLR  GICD(0x000)
#define GICC_CTLR  GICC(0x000)
#define GICC_PMR   GICC(0x004)
#define ISENABLER  0x100U
#define ICENABLER  0x180U
#define ICPENDR    0x280U
#define IPRIORITYR ((volatile uint8_t *)(BOARD_GICD_BASE + 0x400))
#define ITARGETSR  ((volatile uint8_t *)(BOARD_GICD_BASE + 0x800))

#define ENABLE       1U
#define FIRST_SHARED 32U /* below: the core's own lines, whose target is not to be set */
#define THIS_CORE    1U
#define PRIO_SHIFT   4U
#define PRIO_LAST    14U /* of the lines; the alarm's is one more, and PMR lets all below it in */
#define PRIO_ALARM   0xF0U
#define LET_ALL_IN   0xFFU

void intc_init(void)
{
	GICD_CTLR = 0;
	/* Bound: the lines. */
	for (unsigned int irq = 0; irq < ARCH_NUM_IRQS; irq++) {
		if (irq % 32U == 0) {
			GICD(ICENABLER + irq / 8U) = UINT32_MAX;
			GICD(ICPENDR + irq / 8U) = UINT32_MAX;
		}
		if (irq >= FIRST_SHARED) {
			ITARGETSR[irq] = THIS_CORE;
		}
		IPRIORITYR[irq] = 0;
	}
	GICD_CTLR = ENABLE;
	GICC_PMR = LET_ALL_IN;
	GICC_CTLR = ENABLE;
}

void intc_enable(unsigned int irq)
{
	GICD(ISENABLER + irq / 32U * 4U) = 1U << (irq % 32U);
}

void intc_disable(unsigned int irq)
{
	GICD(ICENABLER + irq / 32U * 4U) = 1U << (irq % 32U);
	(void)GICD(ICENABLER + irq / 32U * 4U);
	__asm__ volatile("isb" ::: "memory");
}

bool intc_is_enabled(unsigned int irq)
{
	return (GICD(ISENABLER + irq / 32U * 4U) >> (irq % 32U) & 1U) != 0;
}

void intc_set_priority(unsigned int irq, unsigned int prio)
{
	IPRIORITYR[irq] = prio == IRQ_PRIO_ALARM ? PRIO_ALARM
						 : (uint8_t)(MIN(prio, PRIO_LAST) << PRIO_SHIFT);
}

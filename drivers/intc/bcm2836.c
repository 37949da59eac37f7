/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The BCM2836's and BCM2837's controller of what is a core's own (QA7): four timers, lines 0 to 3,
 * and four mailboxes, lines 4 to 7, which raise theirs while a bit in them is set. It has no
 * priorities: the highest line comes first (bcm2836.inc), so the timers come last, as an alarm has
 * to. Of the GPU's lines, all the other devices', none is let in.
 */
#include <board.h>
#include <foliot/kernel.h>
#include "drivers/intc.h"

#define REG(n)            (*(volatile uint32_t *)((uintptr_t)BOARD_LOCAL_BASE + (n)))
#define TIMERS_CONTROL    REG(0x40)
#define MAILBOXES_CONTROL REG(0x50)
#define MAILBOX_CLEAR(n)  REG(0xC0U + 4U * (n))
#define TIMERS            4U
#define MAILBOXES         4U

BUILD_ASSERT(BOARD_NUM_IRQS == TIMERS + MAILBOXES, "a line each");

void intc_init(void)
{
	TIMERS_CONTROL = 0;
	MAILBOXES_CONTROL = 0;
	/* Bound: the mailboxes. */
	for (unsigned int i = 0; i < MAILBOXES; i++) {
		MAILBOX_CLEAR(i) = UINT32_MAX;
	}
}

static volatile uint32_t *control_of(unsigned int irq)
{
	return irq < TIMERS ? &TIMERS_CONTROL : &MAILBOXES_CONTROL;
}

/* Both are read and written back, and another context may do so in between. */
static void change(unsigned int irq, bool enabled)
{
	volatile uint32_t *control = control_of(irq);
	uint32_t bit = 1U << (irq % TIMERS);
	unsigned int key = irq_lock();

	*control = enabled ? *control | bit : *control & ~bit;
	irq_unlock(key);
}

void intc_enable(unsigned int irq)
{
	change(irq, true);
}

void intc_disable(unsigned int irq)
{
	change(irq, false);
	(void)*control_of(irq);
	__asm__ volatile("isb" ::: "memory");
}

bool intc_is_enabled(unsigned int irq)
{
	return (*control_of(irq) >> (irq % TIMERS) & 1U) != 0;
}

void intc_set_priority(unsigned int irq, unsigned int prio)
{
}

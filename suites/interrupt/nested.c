/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A more urgent line interrupts a handler. Windows, both in the outer handler: from the
 * instruction before the one that raises the inner line to the inner handler's first
 * instruction (`entry`), and to behind it, when the inner one has returned (`empty`).
 */
#include "interrupt.h"

#include <board.h>
#include <drivers/soft_irq.h>

#define OUTER_PRIO 3
#define INNER_PRIO 1
#define NESTED_IRQ (BOARD_SOFT_IRQ - 2) /* the one before is connected directly */

static struct measure_row entry_row;
static struct measure_row empty_row;
static struct measure_window outer_window;
static volatile uint32_t inner_start;
static volatile uint32_t inner_entered;

static void raise_inner(void)
{
	*(volatile uint32_t *)0xE000E200 = 1UL << NESTED_IRQ;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

MEASURE_WINDOW(interrupted, raise_inner())

static __attribute__((noipa)) void inner_handler(const void *unused)
{
	uint32_t start = measure_stamp();

	measure_fence_stamp(start);
	inner_start = start;
	inner_entered++;
}

static void outer_handler(const void *unused)
{
	soft_irq_clear();
	(void)interrupted(&outer_window);
}

void interrupt_nested(void)
{
	measure_row_begin(&entry_row, "isr.nested.entry.kernel", "Handler to a more urgent one");
	measure_row_begin(&empty_row, "isr.nested.empty.kernel",
			  "A more urgent interrupt in a handler");
	(void)irq_connect_dynamic(BOARD_SOFT_IRQ, OUTER_PRIO, outer_handler, NULL, 0);
	(void)irq_connect_dynamic(NESTED_IRQ, INNER_PRIO, inner_handler, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
	irq_enable(NESTED_IRQ);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		uint32_t before = inner_entered;

		soft_irq_raise();
		measure_add(&entry_row, outer_window.start, inner_start);
		measure_add(&empty_row, outer_window.start, outer_window.end);
		measure_witness(&entry_row, "nested", inner_entered == before + 1);
		measure_witness(&empty_row, "nested", inner_entered == before + 1);
	}
	irq_disable(NESTED_IRQ);
	irq_disable(BOARD_SOFT_IRQ);
	measure_row_end(&entry_row);
	measure_row_end(&empty_row);
}

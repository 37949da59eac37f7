/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way into an interrupt handler, and all of an empty interrupt: of a handler that the
 * kernel calls (IRQ_CONNECT) and of a direct one.
 *
 * The interrupt is raised while interrupts are masked and comes when they are opened:
 * all windows begin with the stamp before that. `entry` ends with the handler's first
 * instruction, `empty` in the interrupted thread. The handler lowers its line.
 */
#include "interrupt.h"

#include <board.h>
#include <drivers/soft_irq.h>

static struct measure_row row;
static volatile uint32_t handler_start;
static volatile uint32_t entered;

static __attribute__((noipa)) void empty_handler(const void *unused)
{
	entered++;
	soft_irq_clear();
}

/* Nothing but a tail call behind the stamp, so that their first instruction is its. */
static __attribute__((noipa)) void entry_handler(const void *unused)
{
	uint32_t start = measure_stamp();

	measure_fence_stamp(start);
	handler_start = start;
	empty_handler(unused);
}

static unsigned int key;

MEASURE_WINDOW(open_interrupts, irq_unlock(key))

static void take_interrupt(struct measure_window *window)
{
	key = irq_lock();
	soft_irq_raise();
	(void)open_interrupts(window);
}

static void measure_thread_side(const char *id, const char *text, irq_handler_t handler)
{
	bool until_entry = handler == entry_handler;

	measure_row_begin(&row, id, text);
	(void)irq_connect_dynamic(BOARD_SOFT_IRQ, MEASURE_IRQ_PRIO, handler, NULL, 0);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		uint32_t entered_before = entered;
		struct measure_window window;

		take_interrupt(&window);
		measure_add(&row, window.start, until_entry ? handler_start : window.end);
		measure_witness(&row, "interrupts", entered == entered_before + 1);
	}
	measure_row_end(&row);
}

void interrupt_entry(void)
{
	IRQ_CONNECT(BOARD_SOFT_IRQ, MEASURE_IRQ_PRIO, empty_handler, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
	measure_thread_side("isr.entry.kernel", "Interrupt to handler", entry_handler);
	measure_thread_side("isr.empty.kernel", "Interrupt that only lowers its line",
			    empty_handler);
	irq_disable(BOARD_SOFT_IRQ);
}

/* ---- a direct handler: from the vector, without the kernel ---- */

static void take_direct(struct measure_window *window)
{
	key = irq_lock();
	soft_irq_raise_second();
	(void)open_interrupts(window);
}

ISR_DIRECT_DECLARE(direct_handler)
{
	uint32_t start = measure_stamp();

	measure_fence_stamp(start);
	handler_start = start;
	entered++;
	soft_irq_clear_second();
	return 0;
}

static void measure_direct(const char *id, const char *text, bool until_entry)
{
	measure_row_begin(&row, id, text);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		uint32_t entered_before = entered;
		struct measure_window window;

		take_direct(&window);
		measure_add(&row, window.start, until_entry ? handler_start : window.end);
		measure_witness(&row, "interrupts", entered == entered_before + 1);
	}
	measure_row_end(&row);
}

void interrupt_direct(void)
{
	IRQ_DIRECT_CONNECT(BOARD_SECOND_SOFT_IRQ, MEASURE_IRQ_PRIO, direct_handler, 0);
	irq_enable(BOARD_SECOND_SOFT_IRQ);
	measure_direct("isr.entry.direct", "Interrupt to a direct handler", true);
	measure_direct("isr.empty.direct", "Interrupt with a direct handler", false);
	irq_disable(BOARD_SECOND_SOFT_IRQ);
}

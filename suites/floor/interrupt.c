/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way out of an interrupt, the vectors taken from the kernel meanwhile: back to
 * what was interrupted, or to a context that waits. Windows as in the latency suite:
 * from the last stamp in the handler to the first stamp behind.
 */
#include "floor.h"

#include <board.h>
#include <drivers/soft_irq.h>

#define SAMPLES    ((uint32_t)CONFIG_MEASURE_SAMPLES)
#define STACK_SIZE 2048

static struct measure_row row;
static struct measure_window handler_window;
static struct measure_window waiter_window;
static volatile uint32_t entered;
static volatile uint32_t waiter_runs;
static volatile bool calibrates;
static volatile int32_t overhead;
static enum floor_exit exit_taken;

static K_THREAD_STACK_DEFINE(waiter_stack, STACK_SIZE);

void floor_handler(void)
{
	soft_irq_clear();
	entered++;
	if (calibrates) {
		overhead = measure_overhead_stored("overhead.isr");
	} else if (exit_taken == FLOOR_EXIT_SWITCHES) {
		floor_request_switch();
	}
	measure_stamp_start(&handler_window);
}

/* The line is raised while interrupts are masked and taken when they are opened. */
static unsigned int key;

static void raise_masked(void)
{
	key = irq_lock();
	soft_irq_raise();
}

MEASURE_WINDOW(open_interrupts, irq_unlock(key))
MEASURE_WINDOW(wait, floor_wait())

static void waiter_entry(void)
{
	/* Bound: no interrupt hands over after the last sample. */
	for (;;) {
		(void)wait(&waiter_window);
		waiter_runs++;
	}
}

static void use_vectors(enum floor_exit how)
{
	unsigned int old_key = irq_lock();

	exit_taken = how;
	floor_vectors_take(how);
	irq_unlock(old_key);
}

static void calibrate(void)
{
	struct measure_window window;

	calibrates = true;
	raise_masked();
	(void)open_interrupts(&window);
	calibrates = false;
}

static void measure_interrupted(void)
{
	measure_row_begin(&row, "isr.resume.interrupted.thread.kernel",
			  "Return from ISR to interrupted thread");
	row.overhead = overhead;
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t entered_before = entered;
		struct measure_window window;

		raise_masked();
		(void)open_interrupts(&window);
		measure_add(&row, handler_window.start, window.end);
		measure_witness(&row, "interrupts", entered == entered_before + 1);
	}
	measure_row_end(&row);
}

static void measure_different(void)
{
	struct measure_window window;

	measure_row_begin(&row, "isr.resume.different.thread.kernel",
			  "Return from ISR to another thread");
	row.overhead = overhead;
	floor_waiter = floor_prepare_waiter(waiter_stack + STACK_SIZE, waiter_entry);
	/* The first finds the waiter before its loop: there is no window's end there. */
	raise_masked();
	(void)open_interrupts(&window);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t entered_before = entered;
		uint32_t runs_before = waiter_runs;

		raise_masked();
		(void)open_interrupts(&window);
		measure_add(&row, handler_window.start, waiter_window.end);
		measure_witness(&row, "interrupts", entered == entered_before + 1);
		measure_witness(&row, "switches", waiter_runs == runs_before + 1);
	}
	measure_row_end(&row);
}

void floor_measure_interrupt(void)
{
	unsigned int old_key;

	irq_enable(BOARD_SOFT_IRQ);
	use_vectors(FLOOR_EXIT_RETURNS);
	calibrate();
	measure_interrupted();
	use_vectors(FLOOR_EXIT_SWITCHES);
	measure_different();

	old_key = irq_lock();
	floor_vectors_return();
	irq_unlock(old_key);
	irq_disable(BOARD_SOFT_IRQ);
}

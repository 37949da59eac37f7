/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way into an interrupt handler, all of an empty interrupt, and from an interrupt
 * into the thread that it wakes.
 *
 * The interrupt is raised while interrupts are masked and comes when they are opened:
 * all windows but the last begin with the stamp before that. `entry` ends with the
 * handler's first instruction, `empty` in the interrupted thread; `wake` begins with
 * the handler's first instruction and ends after the waiter's k_sem_take(). In all of
 * them the handler lowers its line.
 */
#include "extra.h"

#include <board.h>
#include <drivers/soft_irq.h>

#define SAMPLES ((uint32_t)CONFIG_MEASURE_SAMPLES)

static struct measure_row row;
static volatile uint32_t handler_start;
static volatile uint32_t entered;

static K_SEM_DEFINE(sem, 0, 1);
static struct k_thread waiter;
static K_THREAD_STACK_DEFINE(waiter_stack, 1024);

static __attribute__((noipa)) void empty_handler(const void *unused)
{
	entered++;
	soft_irq_clear();
}

static __attribute__((noipa)) void clear_and_give(void)
{
	entered++;
	soft_irq_clear();
	k_sem_give(&sem);
}

/* Nothing but a tail call behind the stamp, so that their first instruction is its. */
static __attribute__((noipa)) void entry_handler(const void *unused)
{
	uint32_t start = measure_stamp();

	measure_fence_stamp(start);
	handler_start = start;
	empty_handler(unused);
}

static __attribute__((noipa)) void wake_handler(const void *unused)
{
	uint32_t start = measure_stamp();

	measure_fence_stamp(start);
	handler_start = start;
	clear_and_give();
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
	(void)irq_connect_dynamic(BOARD_SOFT_IRQ, 0, handler, NULL, 0);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t entered_before = entered;
		struct measure_window window;

		take_interrupt(&window);
		measure_add(&row, window.start, until_entry ? handler_start : window.end);
		measure_witness(&row, "interrupts", entered == entered_before + 1);
	}
	measure_row_end(&row);
}

MEASURE_WINDOW(take, result = k_sem_take(&sem, K_FOREVER))

static void waiter_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		struct measure_window window;
		intptr_t result = take(&window);

		measure_add(&row, handler_start, window.end);
		measure_witness(&row, "taken", result == 0);
	}
}

static void measure_wake(void)
{
	measure_row_begin(&row, "isr.give.wake+ctx.kernel",
			  "Handler gives a semaphore, to the waiting thread");
	(void)k_thread_create(&waiter, waiter_stack, K_THREAD_STACK_SIZEOF(waiter_stack),
			      waiter_entry, NULL, NULL, NULL, EXTRA_PRIO - 1, 0, K_NO_WAIT);
	(void)irq_connect_dynamic(BOARD_SOFT_IRQ, 0, wake_handler, NULL, 0);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		struct measure_window window;

		measure_witness(&row, "blocked", waiter.pended_on == &sem.wait_q);
		take_interrupt(&window);
	}
	k_thread_abort(&waiter);
	measure_row_end(&row);
}

void extra_interrupt(void)
{
	IRQ_CONNECT(BOARD_SOFT_IRQ, 0, empty_handler, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
	measure_thread_side("isr.entry.kernel", "Interrupt to handler", entry_handler);
	measure_thread_side("isr.empty.kernel", "Interrupt that only lowers its line",
			    empty_handler);
	measure_wake();
	irq_disable(BOARD_SOFT_IRQ);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way out of an interrupt handler: to the thread it interrupted, or to another.
 *
 * Window: from the last stamp in the handler to the first stamp in the thread: where it
 * was interrupted, or after the k_sem_take() that the handler ended has returned. The
 * interrupt is a real one: software raises a line of the interrupt controller while
 * interrupts are masked, so that it comes exactly when they are opened. Zephyr's rows
 * use irq_offload(), whose own bookkeeping is in their window; ours leaves it out.
 */
#include "latency.h"

#include <board.h>
#include <drivers/soft_irq.h>

#define SAMPLES ((uint32_t)CONFIG_MEASURE_SAMPLES)

enum task { CALIBRATE, RETURN, GIVE };

static struct measure_row row;

/* What the handler leaves behind. */
static struct measure_window handler_window;
static volatile uint32_t entered;
static volatile bool was_in_isr;
static k_tid_t volatile interrupted;

static volatile enum task task;
static int32_t overhead;

static K_SEM_DEFINE(sem, 0, 1);
static struct k_thread waiter;
static K_THREAD_STACK_DEFINE(waiter_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);

static void handler(const void *unused)
{
	soft_irq_clear();
	entered++;
	was_in_isr = k_is_in_isr();
	interrupted = k_current_get();
	if (task == CALIBRATE) {
		overhead = measure_overhead_stored("overhead.isr");
	} else if (task == GIVE) {
		k_sem_give(&sem);
	}
	measure_stamp_start(&handler_window);
}

/* Raise the line while interrupts are masked; it is taken when they are opened. */
static unsigned int key;

static void raise_masked(enum task wanted)
{
	task = wanted;
	was_in_isr = false;
	interrupted = NULL;
	key = irq_lock();
	soft_irq_raise();
}

MEASURE_WINDOW(open_interrupts, irq_unlock(key))

static bool handler_ran_once(uint32_t entered_before)
{
	return entered == entered_before + 1 && was_in_isr && interrupted == k_current_get();
}

/* The handler's stamp lies between the window's own. */
static bool lies_within(uint32_t stamp, const struct measure_window *window)
{
	return stamp - window->start < window->end - window->start;
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

		raise_masked(RETURN);
		(void)open_interrupts(&window);
		measure_add(&row, handler_window.start, window.end);
		measure_witness(&row, "interrupts", handler_ran_once(entered_before));
		measure_witness(&row, "preempted", lies_within(handler_window.start, &window));
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

		measure_add(&row, handler_window.start, window.end);
		measure_witness(&row, "taken", result == 0);
		measure_witness(&row, "switches", interrupted != k_current_get());
	}
}

static void measure_different(void)
{
	measure_row_begin(&row, "isr.resume.different.thread.kernel",
			  "Return from ISR to another thread");
	row.overhead = overhead;
	(void)k_thread_create(&waiter, waiter_stack, K_THREAD_STACK_SIZEOF(waiter_stack),
			      waiter_entry, NULL, NULL, NULL, LATENCY_PRIO - 1, 0, K_NO_WAIT);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t entered_before = entered;
		struct measure_window window;

		measure_witness(&row, "blocked", waiter.pended_on == &sem.wait_q);
		raise_masked(GIVE);
		(void)open_interrupts(&window);
		measure_witness(&row, "interrupts", handler_ran_once(entered_before));
	}
	k_thread_abort(&waiter);
	measure_row_end(&row);
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &sem);
}

/* The waiter is the user thread, which takes once each time it is told to. */
static void measure_different_user(void)
{
	measure_row_begin(&row, "isr.resume.different.thread.user",
			  "Return from ISR to another thread");
	row.overhead = overhead;
	measure_user_overhead(&row, false, true);
	measure_user_open(grant);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t entered_before = entered;
		struct measure_window window;
		intptr_t result;

		measure_user_call_begin(take);
		measure_witness(&row, "blocked", measure_user_thread()->pended_on == &sem.wait_q);
		raise_masked(GIVE);
		(void)open_interrupts(&window);
		result = measure_user_call_end(&window);
		measure_add(&row, handler_window.start, window.end);
		measure_witness(&row, "taken", result == 0);
		measure_witness(&row, "interrupts", handler_ran_once(entered_before));
		measure_witness(&row, "user", measure_user_was_user());
	}
	measure_user_close();
	measure_row_end(&row);
}

void latency_isr(void)
{
	struct measure_window window;

	IRQ_CONNECT(BOARD_SOFT_IRQ, 0, handler, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
	raise_masked(CALIBRATE);
	(void)open_interrupts(&window);
	measure_interrupted();
	measure_different();
	if (IS_ENABLED(CONFIG_USERSPACE)) {
		measure_different_user();
	}
	irq_disable(BOARD_SOFT_IRQ);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads of equal priority yield to one another.
 *
 * Window: from the stamp before k_yield() in one thread to the stamp after the other's
 * own k_yield() has returned. Both directions are samples. When a thread's call
 * returns, the other has stored both stamps of its own last call, so each knows the
 * sample that its own call began.
 */
#include "latency.h"

#define ROUNDS (((uint32_t)CONFIG_MEASURE_SAMPLES + 1U) / 2U)

enum runner { MAIN, PARTNER };

static struct measure_row row;
static struct measure_window main_window;
static struct measure_window partner_window;
static enum runner runner; /* who returned from k_yield() last */
static bool wants_cooperative;

static struct k_thread partner;
static K_THREAD_STACK_DEFINE(partner_stack, 1024);

MEASURE_WINDOW(yield, k_yield())

/* The caller's k_yield() has returned: the other thread must have run meanwhile. */
static bool took_over(enum runner self)
{
	bool has_switched = runner != self;

	runner = self;
	return has_switched;
}

static void witness(bool has_switched, k_tid_t other)
{
	bool is_cooperative = k_is_preempt_thread() == 0;
	bool is_equal = k_thread_priority_get(k_current_get()) == k_thread_priority_get(other);

	measure_witness(&row, "switches", has_switched);
	measure_witness(&row, wants_cooperative ? "cooperative" : "preemptible",
			is_cooperative == wants_cooperative && is_equal);
}

static void partner_entry(void *main_thread, void *unused_1, void *unused_2)
{
	runner = PARTNER;
	/* Bound: ROUNDS. */
	for (uint32_t i = 0; i < ROUNDS; i++) {
		(void)yield(&partner_window);
		measure_add(&row, partner_window.start, main_window.end);
		witness(took_over(PARTNER), main_thread);
	}
}

static void measure_yield(const char *id, int prio)
{
	int prio_before = k_thread_priority_get(k_current_get());

	measure_row_begin(&row, id, "Context switch via k_yield");
	wants_cooperative = prio < 0;
	k_thread_priority_set(k_current_get(), prio);
	(void)k_thread_create(&partner, partner_stack, K_THREAD_STACK_SIZEOF(partner_stack),
			      partner_entry, k_current_get(), NULL, NULL, prio, 0, K_NO_WAIT);

	/* The first call finds the partner before its loop: there is no window's end there. */
	(void)yield(&main_window);
	(void)took_over(MAIN);
	/* Bound: ROUNDS. */
	for (uint32_t i = 0; i < ROUNDS; i++) {
		bool has_switched;

		(void)yield(&main_window);
		has_switched = took_over(MAIN);
		if (row.n < (uint32_t)CONFIG_MEASURE_SAMPLES) {
			measure_add(&row, main_window.start, partner_window.end);
			witness(has_switched, &partner);
		}
	}
	k_thread_abort(&partner);
	k_thread_priority_set(k_current_get(), prio_before);
	measure_row_end(&row);
}

void latency_yield(void)
{
	measure_yield("thread.yield.preemptive.ctx.k_to_k", LATENCY_PRIO);
	measure_yield("thread.yield.cooperative.ctx.k_to_k", K_PRIO_COOP(1));
}

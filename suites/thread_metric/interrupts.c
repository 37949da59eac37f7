/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tests with an interrupt: one whose handler gives a semaphore to the thread that it
 * interrupted, and one whose handler resumes a more urgent thread, which preempts.
 */
#include "thread_metric.h"

/* ---- without preemption: the handler counts in [0], the thread in [1] ---- */

static void give_handler(void)
{
	tm_counter[0]++;
	tm_semaphore_put();
}

static inline __attribute__((always_inline)) void interrupt(bool witnessed)
{
	if (tm_semaphore_get() != 0) {
		return;
	}
	for (;;) {
		uint32_t before = tm_counter[0];

		tm_cause_interrupt();
		if (witnessed) {
			tm_witness(tm_counter[0] == before + 1U);
		}
		if (tm_semaphore_get() != 0) {
			return;
		}
		tm_counter[1]++;
	}
}

static void interrupt_thread(void *unused_1, void *unused_2, void *unused_3)
{
	interrupt(false);
}

static void interrupt_witnessed(void *unused_1, void *unused_2, void *unused_3)
{
	interrupt(true);
}

static void interrupt_start(bool witnessed)
{
	tm_thread_create(0, 10, witnessed ? interrupt_witnessed : interrupt_thread);
	tm_semaphore_create();
	tm_interrupt_handler_set(give_handler);
	tm_thread_resume(0);
}

/* ---- with: the handler counts in [0], the urgent thread in [1], the other in [2] ---- */

static void resume_handler(void)
{
	tm_counter[0]++;
	tm_thread_resume(0);
}

static void urgent_thread(void *unused_1, void *unused_2, void *unused_3)
{
	for (;;) {
		tm_counter[1]++;
		tm_thread_suspend(0);
	}
}

static inline __attribute__((always_inline)) void preempted(bool witnessed)
{
	for (;;) {
		uint32_t before = tm_counter[1];

		tm_cause_interrupt();
		if (witnessed) {
			tm_witness(tm_counter[1] == before + 1U);
		}
		tm_counter[2]++;
	}
}

static void preempted_thread(void *unused_1, void *unused_2, void *unused_3)
{
	preempted(false);
}

static void preempted_witnessed(void *unused_1, void *unused_2, void *unused_3)
{
	preempted(true);
}

static void preempted_start(bool witnessed)
{
	tm_thread_create(0, 3, urgent_thread);
	tm_thread_create(1, 10, witnessed ? preempted_witnessed : preempted_thread);
	tm_interrupt_handler_set(resume_handler);
	tm_thread_resume(1);
}

void tm_interrupts(void)
{
	tm_run(&(struct tm_test){
		"thread_metric.interrupt", "Interrupt Processing", "Interrupt that gives, and take",
		"Interrupt processing test has failed!", "interrupted", 2, false, interrupt_start});
	tm_run(&(struct tm_test){
		"thread_metric.interrupt_preemption", "Interrupt Preemption Processing",
		"Interrupt that resumes an urgent thread", "Interrupt processing test has failed!",
		"preempted", 3, false, preempted_start});
}

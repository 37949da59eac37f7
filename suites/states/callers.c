/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ways to call the kernel. Whether a running thread is in the ready queue depends on
 * how it came to run: who was preempted is, who was handed the CPU by a less urgent one
 * is not. One thread above all others preempts, one below all others hands over.
 */
#include "states.h"

#include <board.h>
#include <drivers/soft_irq.h>

#define PREEMPTER_PRIO K_PRIO_PREEMPT(2)
#define WAKER_PRIO     K_PRIO_PREEMPT(13)

const char *const caller_name[CALLERS] = {"queued", "unqueued", "cooperative",
					  "locked", "masked",   "isr"};

static K_SEM_DEFINE(preempt, 0, 1);
static K_SEM_DEFINE(wake, 0, 1);
static K_SEM_DEFINE(woken, 0, 1);

static struct k_thread preempter;
static struct k_thread waker;
static K_THREAD_STACK_DEFINE(preempter_stack, 1024);
static K_THREAD_STACK_DEFINE(waker_stack, 1024);

static struct {
	measure_window_fn window;
	struct measure_window *stamps;
	intptr_t result;
	volatile bool was_in_isr;
} interrupt;

static void preempter_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: the run. */
	for (;;) {
		(void)k_sem_take(&preempt, K_FOREVER);
	}
}

static void waker_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: the run. */
	for (;;) {
		(void)k_sem_take(&wake, K_FOREVER);
		k_sem_give(&woken);
	}
}

static void handler(const void *unused)
{
	soft_irq_clear();
	interrupt.was_in_isr = k_is_in_isr();
	interrupt.result = interrupt.window(interrupt.stamps);
}

void callers_init(void)
{
	(void)k_thread_create(&preempter, preempter_stack, K_THREAD_STACK_SIZEOF(preempter_stack),
			      preempter_entry, NULL, NULL, NULL, PREEMPTER_PRIO, 0, K_NO_WAIT);
	(void)k_thread_create(&waker, waker_stack, K_THREAD_STACK_SIZEOF(waker_stack), waker_entry,
			      NULL, NULL, NULL, WAKER_PRIO, 0, K_NO_WAIT);
	IRQ_CONNECT(BOARD_SOFT_IRQ, MEASURE_IRQ_PRIO, handler, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
}

bool is_queued(void)
{
	return (k_current_get()->state & K_THREAD_QUEUED) != 0;
}

void become_queued(void)
{
	k_sem_give(&preempt);
}

void become_unqueued(void)
{
	k_sem_give(&wake);
	(void)k_sem_take(&woken, K_FOREVER);
}

static intptr_t call_cooperative(measure_window_fn window, struct measure_window *stamps,
				 bool *was_so)
{
	int prio = k_thread_priority_get(k_current_get());
	intptr_t result;

	k_thread_priority_set(k_current_get(), K_PRIO_COOP(1));
	*was_so = k_is_preempt_thread() == 0;
	result = window(stamps);
	k_thread_priority_set(k_current_get(), prio);
	return result;
}

static intptr_t call_locked(measure_window_fn window, struct measure_window *stamps, bool *was_so)
{
	intptr_t result;

	k_sched_lock();
	*was_so = k_is_preempt_thread() == 0;
	result = window(stamps);
	k_sched_unlock();
	return result;
}

static intptr_t call_masked(measure_window_fn window, struct measure_window *stamps)
{
	unsigned int key = irq_lock();
	intptr_t result = window(stamps);

	irq_unlock(key);
	return result;
}

static intptr_t call_in_isr(measure_window_fn window, struct measure_window *stamps, bool *was_so)
{
	unsigned int key = irq_lock();

	interrupt.window = window;
	interrupt.stamps = stamps;
	interrupt.was_in_isr = false;
	soft_irq_raise();
	irq_unlock(key); /* here it comes */
	*was_so = interrupt.was_in_isr;
	return interrupt.result;
}

intptr_t call_as(enum caller caller, measure_window_fn window, struct measure_window *stamps,
		 bool *was_so)
{
	*was_so = true;
	switch (caller) {
	case CALLER_UNQUEUED:
		become_unqueued();
		*was_so = !is_queued();
		return window(stamps);
	case CALLER_COOPERATIVE:
		return call_cooperative(window, stamps, was_so);
	case CALLER_LOCKED:
		return call_locked(window, stamps, was_so);
	case CALLER_MASKED:
		return call_masked(window, stamps);
	case CALLER_ISR:
		return call_in_isr(window, stamps, was_so);
	default:
		become_queued();
		*was_so = is_queued();
		return window(stamps);
	}
}

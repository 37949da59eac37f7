/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Yielding, and locking the scheduler. An equal is made ready by a semaphore just before;
 * the window lasts from the stamp before k_yield() to the one behind its k_sem_take().
 */
#include "states.h"

MEASURE_WINDOW(yield, k_yield())
MEASURE_WINDOW(lock_scheduler, k_sched_lock())
MEASURE_WINDOW(unlock_scheduler, k_sched_unlock())

static K_SEM_DEFINE(go, 0, 1);
MEASURE_WINDOW(take, result = k_sem_take(&go, K_FOREVER))

static struct measure_row row;
static struct measure_window equal_window;
static volatile uint32_t equal_runs;
static struct k_thread equal;
static K_THREAD_STACK_DEFINE(equal_stack, 1024);

static void equal_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: the samples. */
	for (;;) {
		(void)take(&equal_window);
		equal_runs++;
	}
}

static void measure_yield(const char *id, enum caller caller, int prio)
{
	measure_row_begin(&row, id, "Context switch via k_yield");
	(void)k_thread_create(&equal, equal_stack, K_THREAD_STACK_SIZEOF(equal_stack), equal_entry,
			      NULL, NULL, NULL, STATES_PRIO - 1, 0, K_NO_WAIT);
	k_thread_priority_set(&equal, prio);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		uint32_t runs = equal_runs;
		struct measure_window window;

		if (caller == CALLER_QUEUED) {
			become_queued();
		} else {
			become_unqueued();
		}
		if (prio != STATES_PRIO) {
			k_thread_priority_set(k_current_get(), prio);
		}
		measure_witness(&row, "called_so", is_queued() == (caller == CALLER_QUEUED));
		k_sem_give(&go);
		measure_witness(&row, "not_preempted", equal_runs == runs);
		(void)yield(&window);
		measure_add(&row, window.start, equal_window.end);
		measure_witness(&row, "switches", equal_runs == runs + 1);
		k_thread_priority_set(k_current_get(), STATES_PRIO);
	}
	k_thread_abort(&equal);
	measure_row_end(&row);
}

static void returned(struct measure_row *row_, intptr_t result)
{
	measure_witness(row_, "returned", result == 0);
}

static void unlock(struct measure_row *row_, intptr_t result)
{
	measure_witness(row_, "locked", k_is_preempt_thread() == 0);
	k_sched_unlock();
}

void states_yield(void)
{
	measure_yield("thread.yield.ctx.k_to_k/queued", CALLER_QUEUED, STATES_PRIO);
	measure_yield("thread.yield.ctx.k_to_k/unqueued", CALLER_UNQUEUED, STATES_PRIO);
	measure_yield("thread.yield.ctx.k_to_k/cooperative", CALLER_UNQUEUED, K_PRIO_COOP(1));
	states_single(&(struct measure_operation){"thread.yield.alone.kernel",
						  "k_yield() where nobody else is ready", yield,
						  NULL, returned},
		      CALLERS_THREADS & ~(1U << CALLER_LOCKED) & ~(1U << CALLER_MASKED));
	states_single(&(struct measure_operation){"scheduler.lock.kernel", "Lock the scheduler",
						  lock_scheduler, NULL, unlock},
		      (1U << CALLER_QUEUED) | (1U << CALLER_UNQUEUED) | (1U << CALLER_MASKED));
	states_single(&(struct measure_operation){"scheduler.unlock.kernel",
						  "Unlock the scheduler, nobody more urgent",
						  unlock_scheduler, k_sched_lock, returned},
		      (1U << CALLER_COOPERATIVE) | (1U << CALLER_MASKED) | (1U << CALLER_LOCKED));
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues: one whose thread outranks the caller, so that a handler runs within the submission, and one whose
 * thread does not come to run.
 */
#include "objects.h"

static struct k_work_q urgent, lazy;
static K_THREAD_STACK_DEFINE(urgent_stack, 1024);
static K_THREAD_STACK_DEFINE(lazy_stack, 1024);
static struct k_work work;
static struct k_work_delayable delayed;
static struct measure_row rows[2];

/* The end of one window, the beginning of another. */
static uint32_t handler_began, handler_ended, runs;

static void handler(struct k_work *item)
{
	uint32_t stamp = measure_stamp();

	measure_fence_stamp(stamp);
	handler_began = stamp;
	runs++;
	stamp = measure_stamp();
	measure_fence_stamp(stamp);
	handler_ended = stamp;
}

MEASURE_WINDOW(submit_urgent, result = k_work_submit_to_queue(&urgent, &work))
MEASURE_WINDOW(submit_lazy, result = k_work_submit_to_queue(&lazy, &work))
MEASURE_WINDOW(cancel, result = k_work_cancel(&work))
MEASURE_WINDOW(schedule, result = k_work_schedule_for_queue(&lazy, &delayed, K_SECONDS(100)))
MEASURE_WINDOW(reschedule, result = k_work_reschedule_for_queue(&lazy, &delayed, K_SECONDS(200)))
MEASURE_WINDOW(cancel_delayed, result = k_work_cancel_delayable(&delayed))

/* From the submission to the handler, and from its end to the submission's. */
static void measure_handler(void)
{
	measure_row_begin(&rows[0], "work.submit.handler+ctx.k_to_k",
			  "Submit work until its handler runs (w/ ctx switch)");
	measure_row_begin(&rows[1], "work.handler.return+ctx.k_to_k",
			  "End of a handler until the submission returns (w/ ctx switch)");
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		struct measure_window window;
		uint32_t before = runs;
		intptr_t result = submit_urgent(&window);

		measure_add(&rows[0], window.start, handler_began);
		measure_add(&rows[1], handler_ended, window.end);
		for (unsigned int row = 0; row < 2; row++) {
			measure_witness(&rows[row], "submitted", result == 1);
			measure_witness(&rows[row], "ran_once", runs == before + 1);
			measure_witness(&rows[row], "is_done", k_work_busy_get(&work) == 0);
		}
	}
	measure_row_end(&rows[0]);
	measure_row_end(&rows[1]);
}

/* The queue's thread outranks the caller, which may not be switched from at once. */
static bool was_so;
static enum caller caller;
static uint32_t runs_before;

static intptr_t submit_as(struct measure_window *window)
{
	return call_as(caller, submit_urgent, window, &was_so);
}

static void count_runs(void)
{
	runs_before = runs;
}

static void ran(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "called_so", was_so);
	measure_witness(row, "submitted", result == 1);
	measure_witness(row, "ran_once", runs == runs_before + 1 && k_work_busy_get(&work) == 0);
}

/* Where it is switched from, its handler runs within the window. */
static void measure_submit_states(void)
{
	static const char *const ids[CALLERS] = {
		"work.submit.run.kernel/queued",       "work.submit.run.kernel/unqueued",
		"work.submit.wake.kernel/cooperative", "work.submit.wake.kernel/locked",
		"work.submit.wake.kernel/masked",      "work.submit.wake.kernel/isr",
	};

	/* Bound: CALLERS. */
	for (caller = 0; caller < CALLERS; caller++) {
		measure_single(&(struct measure_operation){
			ids[caller], "Submit work to a thread that is more urgent", submit_as,
			count_runs, ran});
	}
}

static void queued(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "queued", result == 1 && k_work_busy_get(&work) == K_WORK_QUEUED);
}

static void taken_out(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken_out", result == 0 && k_work_busy_get(&work) == 0);
}

static void waits(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "delayed",
			result == 1 && k_work_delayable_busy_get(&delayed) == K_WORK_DELAYED &&
				k_work_delayable_remaining_get(&delayed) > 0);
}

static void waits_no_more(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "cancelled", result == 0 && k_work_delayable_busy_get(&delayed) == 0);
}

static void idle(void)
{
	(void)k_work_cancel(&work);
	(void)k_work_cancel_delayable(&delayed);
}

static void submit_it(void)
{
	(void)k_work_submit_to_queue(&lazy, &work);
}

static void was_there(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "was_there", result == 0 && k_work_busy_get(&work) == K_WORK_QUEUED);
}

static void plug(void)
{
	idle();
	(void)k_work_queue_drain(&lazy, true);
}

static void was_refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -EBUSY && k_work_queue_unplug(&lazy) == 0);
}

static void schedule_it(void)
{
	(void)k_work_schedule_for_queue(&lazy, &delayed, K_SECONDS(100));
}

static void waits_longer(struct measure_row *row, intptr_t result)
{
	waits(row, result);
	(void)k_work_cancel_delayable(&delayed);
}

static void measure_states(void)
{
	states_single(&(struct measure_operation){"work.submit.immediate.kernel",
						  "Submit work (no ctx switch)", submit_lazy, idle,
						  queued},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"work.submit.queued.kernel",
						  "Submit work that is queued", submit_lazy,
						  submit_it, was_there},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"work.submit.refused.kernel",
						  "Submit work to a queue that is plugged",
						  submit_lazy, plug, was_refused},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"work.cancel.immediate.kernel",
						  "Cancel work that is queued", cancel, submit_it,
						  taken_out},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"work.cancel.idle.kernel",
						  "Cancel work that is not queued", cancel, idle,
						  taken_out},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"work.schedule.immediate.kernel",
						  "Schedule work after a time", schedule, idle,
						  waits},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"work.cancel.delayed.kernel",
						  "Cancel work whose time has not come",
						  cancel_delayed, schedule_it, waits_no_more},
		      CALLERS_ALL);
	idle();
	measure_submit_states();
}

void objects_work(void)
{
	k_work_init(&work, handler);
	k_work_init_delayable(&delayed, handler);
	k_work_queue_start(&urgent, urgent_stack, K_THREAD_STACK_SIZEOF(urgent_stack),
			   OBJECTS_PRIO - 1, NULL);
	k_work_queue_start(&lazy, lazy_stack, K_THREAD_STACK_SIZEOF(lazy_stack),
			   K_LOWEST_APPLICATION_THREAD_PRIO, NULL);
	measure_handler();
	measure_turns(&(struct measure_operation){"work.submit.immediate.kernel",
						  "Submit work (no ctx switch)", submit_lazy, NULL,
						  queued},
		      &(struct measure_operation){"work.cancel.immediate.kernel",
						  "Cancel work that is queued", cancel, NULL,
						  taken_out});
	measure_turns(&(struct measure_operation){"work.schedule.immediate.kernel",
						  "Schedule work after a time", schedule, NULL,
						  waits},
		      &(struct measure_operation){"work.cancel.delayed.kernel",
						  "Cancel work whose time has not come",
						  cancel_delayed, NULL, waits_no_more});
	measure_single(&(struct measure_operation){"work.reschedule.immediate.kernel",
						   "Reschedule work after another time", reschedule,
						   schedule_it, waits_longer});
	measure_states();
	k_thread_abort(&urgent.thread);
	k_thread_abort(&lazy.thread);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: created, started, suspended, resumed, aborted, and their priority. */
#include "states.h"

#define URGENT_PRIO      (STATES_PRIO - 2)
#define LESS_URGENT_PRIO K_LOWEST_APPLICATION_THREAD_PRIO /* than the helpers, too */

static struct k_thread subject;
static K_THREAD_STACK_DEFINE(subject_stack, 1024);
static struct measure_window subject_window;
static volatile uint32_t subject_runs;
static K_SEM_DEFINE(never, 0, 1);

/* A leaf, so that its first instruction is the stamp's. */
static __attribute__((noipa)) void subject_entry(void *unused_1, void *unused_2, void *unused_3)
{
	uint32_t end = measure_stamp();

	measure_fence_stamp(end);
	subject_window.end = end;
	subject_runs++;
}

static void waiting_entry(void *unused_1, void *unused_2, void *unused_3)
{
	(void)k_sem_take(&never, K_FOREVER);
}

static void waiting_timed_entry(void *unused_1, void *unused_2, void *unused_3)
{
	(void)k_sem_take(&never, K_SECONDS(100));
}

MEASURE_WINDOW(create,
	       result = (intptr_t)k_thread_create(&subject, subject_stack, sizeof(subject_stack),
						  subject_entry, NULL, NULL, NULL, LESS_URGENT_PRIO,
						  0, K_FOREVER))
MEASURE_WINDOW(start, k_thread_start(&subject))
MEASURE_WINDOW(abort_subject, k_thread_abort(&subject))
MEASURE_WINDOW(suspend_subject, k_thread_suspend(&subject))
MEASURE_WINDOW(resume_subject, k_thread_resume(&subject))
MEASURE_WINDOW(set_priority, k_thread_priority_set(&subject, LESS_URGENT_PRIO - 1))
MEASURE_WINDOW(suspend_waiter, k_thread_suspend(&measure_waiter))
MEASURE_WINDOW(resume_waiter, k_thread_resume(&measure_waiter))

static void make(k_thread_entry_t entry, int prio, k_timeout_t delay)
{
	subject_runs = 0;
	(void)k_thread_create(&subject, subject_stack, K_THREAD_STACK_SIZEOF(subject_stack), entry,
			      NULL, NULL, NULL, prio, 0, delay);
}

static void make_unstarted(void)
{
	make(subject_entry, LESS_URGENT_PRIO, K_FOREVER);
}

static void make_ready(void)
{
	make(subject_entry, LESS_URGENT_PRIO, K_NO_WAIT);
}

static void make_suspended(void)
{
	make_ready();
	k_thread_suspend(&subject);
}

static void make_waiting(void)
{
	make(waiting_entry, URGENT_PRIO, K_NO_WAIT);
}

static void make_waiting_timed(void)
{
	make(waiting_timed_entry, URGENT_PRIO, K_NO_WAIT);
}

static void created(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "created",
			result == (intptr_t)&subject && (subject.state & K_THREAD_PRESTART) != 0);
	k_thread_abort(&subject);
}

static void aborted(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "aborted", (subject.state & K_THREAD_DEAD) != 0 && subject_runs == 0);
}

/* In a state that has `bits`, or none of those that keep it from running. */
static void check_state(struct measure_row *row, unsigned int bits)
{
	measure_witness(row, "state", (subject.state & bits) == bits && subject_runs == 0);
	k_thread_abort(&subject);
}

static void is_ready(struct measure_row *row, intptr_t result)
{
	check_state(row, K_THREAD_QUEUED);
}

static void is_suspended(struct measure_row *row, intptr_t result)
{
	check_state(row, K_THREAD_SUSPENDED);
}

static void has_priority(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "moved", k_thread_priority_get(&subject) == LESS_URGENT_PRIO - 1);
	k_thread_abort(&subject);
}

/* ---- starting a more urgent thread ---- */

static struct measure_row start_row;

static void measure_start(const char *id, enum caller caller)
{
	measure_row_begin(&start_row, id, "Start thread");
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		struct measure_window window;
		bool was_so;

		if (caller == CALLER_UNQUEUED) {
			become_unqueued();
		} else {
			become_queued();
		}
		make(subject_entry, URGENT_PRIO, K_FOREVER);
		was_so = is_queued() == (caller == CALLER_QUEUED);
		(void)start(&window);
		measure_add(&start_row, window.start, subject_window.end);
		measure_witness(&start_row, "called_so", was_so);
		measure_witness(&start_row, "switches", subject_runs == 1);
	}
	measure_row_end(&start_row);
}

static void resumed(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "resumed", (measure_waiter.state & K_THREAD_SUSPENDED) == 0);
}

static void returned(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "returned", true);
}

static void measure_abort(const char *id, const char *text, void (*before)(void))
{
	states_single(&(struct measure_operation){id, text, abort_subject, before, aborted},
		      CALLERS_ALL);
}

static void measure_others(void)
{
	states_single(&(struct measure_operation){"thread.start.ready.kernel",
						  "Start a less urgent thread", start,
						  make_unstarted, is_ready},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"thread.suspend.other.kernel",
						  "Suspend a ready thread", suspend_subject,
						  make_ready, is_suspended},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"thread.resume.ready.kernel",
						  "Resume a less urgent thread", resume_subject,
						  make_suspended, is_ready},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"thread.priority_set.other.kernel",
						  "Change a ready thread's priority", set_priority,
						  make_ready, has_priority},
		      CALLERS_ALL);
	measure_abort("thread.abort.kernel.from.kernel", "Abort a ready thread", make_ready);
	measure_abort("thread.abort.unstarted.kernel", "Abort a thread not started",
		      make_unstarted);
	measure_abort("thread.abort.suspended.kernel", "Abort a suspended thread", make_suspended);
	measure_abort("thread.abort.waiting.kernel", "Abort a thread that waits", make_waiting);
	measure_abort("thread.abort.waiting_timed.kernel",
		      "Abort a thread that waits with a time-out", make_waiting_timed);
}

void states_thread(void)
{
	states_single(&(struct measure_operation){"thread.create.kernel.from.kernel",
						  "Create thread", create, NULL, created},
		      CALLERS_THREADS);
	measure_start("thread.start.kernel.from.kernel/unqueued", CALLER_UNQUEUED);
	measure_start("thread.start.kernel.from.kernel/queued", CALLER_QUEUED);
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"thread.suspend.kernel.from.kernel", "Suspend thread",
				  suspend_waiter, NULL, resumed},
			 .wake = {"thread.resume.kernel.from.kernel", "Resume thread",
				  resume_waiter, NULL, returned}},
		.alone = true,
	});
	measure_others();
}

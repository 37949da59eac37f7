/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creating, starting, suspending, resuming and aborting a thread.
 *
 * Windows: create (K_FOREVER) and abort, of a ready thread that the caller outranks,
 * are one call each. start: from the stamp before k_thread_start() to the new, more
 * urgent thread's first instruction; the caller was woken by a less urgent thread, as in
 * Zephyr's benchmark, and not preempted, which is another path here. suspend and resume
 * are a pair: a thread suspends itself, until the call returns that let it run last;
 * that thread resumes it, until its k_thread_suspend() has returned.
 */
#include "latency.h"

#define SAMPLES ((uint32_t)CONFIG_MEASURE_SAMPLES)

static struct k_thread subject;
static K_THREAD_STACK_DEFINE(subject_stack, 1024);
static struct measure_window subject_window;
static volatile uint32_t subject_runs;

/* A leaf, so that its first instruction is the stamp's. */
static __attribute__((noipa)) void subject_entry(void *unused_1, void *unused_2, void *unused_3)
{
	uint32_t end = measure_stamp();

	measure_fence_stamp(end);
	subject_window.end = end;
	subject_runs++;
}

static void create_subject(int prio)
{
	(void)k_thread_create(&subject, subject_stack, K_THREAD_STACK_SIZEOF(subject_stack),
			      subject_entry, NULL, NULL, NULL, prio, 0, K_FOREVER);
}

MEASURE_WINDOW(create,
	       result = (intptr_t)k_thread_create(&subject, subject_stack, sizeof(subject_stack),
						  subject_entry, NULL, NULL, NULL, LATENCY_PRIO + 1,
						  0, K_FOREVER))

static void create_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "created",
			result == (intptr_t)&subject && (subject.state & K_THREAD_PRESTART) != 0);
	k_thread_abort(&subject);
}

MEASURE_WINDOW(start, k_thread_start(&subject))

static struct measure_row start_row;
static K_SEM_DEFINE(may_start, 0, 1);
static volatile uint32_t permissions;
static struct k_thread starter;
static K_THREAD_STACK_DEFINE(starter_stack, 1024);

static void starter_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t runs = subject_runs;
		struct measure_window window;

		create_subject(LATENCY_PRIO - 2);
		(void)k_sem_take(&may_start, K_FOREVER);
		(void)start(&window);
		measure_add(&start_row, window.start, subject_window.end);
		measure_witness(&start_row, "woken_before", permissions == i + 1);
		measure_witness(&start_row, "switches", subject_runs == runs + 1);
		measure_witness(&start_row, "ended", (subject.state & K_THREAD_DEAD) != 0);
	}
}

static void measure_start(void)
{
	measure_row_begin(&start_row, "thread.start.kernel.from.kernel", "Start thread");
	permissions = 0;
	(void)k_thread_create(&starter, starter_stack, K_THREAD_STACK_SIZEOF(starter_stack),
			      starter_entry, NULL, NULL, NULL, LATENCY_PRIO - 1, 0, K_NO_WAIT);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		permissions++;
		k_sem_give(&may_start);
	}
	k_thread_abort(&starter);
	measure_row_end(&start_row);
}

/* How often the waiter went on after it had suspended itself, and as seen by the waker. */
static volatile uint32_t resumptions;
static uint32_t resumptions_seen;

MEASURE_WINDOW(suspend, k_thread_suspend(&measure_waiter))
MEASURE_WINDOW(resume, k_thread_resume(&measure_waiter))

static void suspend_after(struct measure_row *row, intptr_t result)
{
	resumptions++;
	measure_witness(row, "resumed", (measure_waiter.state & K_THREAD_SUSPENDED) == 0);
}

static void resume_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "resumed", resumptions == ++resumptions_seen);
}

MEASURE_WINDOW(abort_subject, k_thread_abort(&subject))

static bool was_ready;

static void abort_before(void)
{
	create_subject(LATENCY_PRIO + 1);
	k_thread_start(&subject);
	was_ready = (subject.state & K_THREAD_QUEUED) != 0;
	subject_runs = 0;
}

static void abort_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "was_ready", was_ready);
	measure_witness(row, "aborted", (subject.state & K_THREAD_DEAD) != 0 && subject_runs == 0);
}

void latency_thread(void)
{
	measure_single(&(struct measure_operation){"thread.create.kernel.from.kernel",
						   "Create thread", create, NULL, create_after});
	measure_start();
	measure_pair(&(struct measure_pair){
		.wait = {"thread.suspend.kernel.from.kernel", "Suspend thread", suspend, NULL,
			 suspend_after},
		.wake = {"thread.resume.kernel.from.kernel", "Resume thread", resume, NULL,
			 resume_after},
	});
	measure_single(&(struct measure_operation){"thread.abort.kernel.from.kernel",
						   "Abort thread", abort_subject, abort_before,
						   abort_after});
}

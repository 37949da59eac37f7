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
 *
 * With user threads each is measured for either kind of thread, out of either mode; the ids say
 * `kind.from.mode`. Starting one includes wiping its stack, of 1 KiB. Who creates one makes it a user
 * thread; what is started or aborted out of user mode, kernel code has created.
 */
#include "latency.h"

#define SAMPLES ((uint32_t)CONFIG_MEASURE_SAMPLES)

static struct k_thread subject;
static K_THREAD_STACK_DEFINE(subject_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);
static uint32_t subject_options; /* K_USER or 0 */
static MEASURE_SHARED struct measure_window subject_window;
static MEASURE_SHARED volatile uint32_t subject_runs;
static MEASURE_SHARED volatile bool subject_was_user;

/* A leaf, so that its first instruction is the stamp's. */
static __attribute__((noipa)) void subject_entry(void *unused_1, void *unused_2, void *unused_3)
{
	uint32_t end = measure_stamp();

	measure_fence_stamp(end);
	subject_window.end = end;
	subject_runs++;
	subject_was_user = k_is_user_context();
}

static void create_subject(int prio)
{
	(void)k_thread_create(&subject, subject_stack, K_THREAD_STACK_SIZEOF(subject_stack),
			      subject_entry, NULL, NULL, NULL, prio, subject_options, K_FOREVER);
}

MEASURE_WINDOW(create, result = (intptr_t)k_thread_create(&subject, subject_stack,
							  K_THREAD_STACK_SIZEOF(subject_stack),
							  subject_entry, NULL, NULL, NULL,
							  LATENCY_PRIO + 1, 0, K_FOREVER))

MEASURE_WINDOW(create_user, result = (intptr_t)k_thread_create(&subject, subject_stack,
							       K_THREAD_STACK_SIZEOF(subject_stack),
							       subject_entry, NULL, NULL, NULL,
							       LATENCY_PRIO + 1, K_USER, K_FOREVER))

/* What was created or aborted is what the row's id says. */
static void witness_kind(struct measure_row *row)
{
	if (subject_options == K_USER) {
		measure_witness(row, "user_thread", (subject.options & K_USER) != 0);
	}
}

static void create_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "created",
			result == (intptr_t)&subject && (subject.state & K_THREAD_PRESTART) != 0);
	witness_kind(row);
	k_thread_abort(&subject);
}

MEASURE_WINDOW(start, k_thread_start(&subject))

static struct measure_row start_row;
static K_SEM_DEFINE(may_start, 0, 1);
static volatile uint32_t permissions;
static struct k_thread starter;
static K_THREAD_STACK_DEFINE(starter_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);

/* The subject began at once, and has ended. */
static void witness_start(uint32_t runs_before)
{
	measure_witness(&start_row, "switches", subject_runs == runs_before + 1);
	measure_witness(&start_row, "ended", (subject.state & K_THREAD_DEAD) != 0);
	if (subject_options == K_USER) {
		measure_witness(&start_row, "user", subject_was_user);
	}
}

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
		witness_start(runs);
	}
}

static void measure_start(const char *id)
{
	measure_row_begin(&start_row, id, "Start thread");
	measure_user_overhead(&start_row, false, subject_options == K_USER);
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
static MEASURE_SHARED volatile uint32_t resumptions;
static MEASURE_SHARED uint32_t resumptions_seen;

MEASURE_WINDOW(suspend, k_thread_suspend(&measure_waiter))
MEASURE_WINDOW(resume, k_thread_resume(&measure_waiter))

static void suspend_after(struct measure_row *row, intptr_t result)
{
	resumptions++;
	if (!k_is_user_context()) { /* it runs: that is what a user thread sees */
		measure_witness(row, "resumed", (measure_waiter.state & K_THREAD_SUSPENDED) == 0);
	}
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
	witness_kind(row);
}

/* `kind`.from.`mode`, of two rows at a time. */
static char ids[2][48];

static const char *id_of(unsigned int i, const char *operation, const char *from)
{
	(void)snprintk(ids[i], sizeof(ids[i]), "thread.%s.%s.from.%s", operation,
		       subject_options == K_USER ? "user" : "kernel", from);
	return ids[i];
}

static void measure_suspend(const char *from, bool from_user)
{
	resumptions = 0;
	resumptions_seen = 0;
	measure_pair(&(struct measure_pair){
		.wait = {id_of(0, "suspend", from), "Suspend thread", suspend, NULL, suspend_after},
		.wake = {id_of(1, "resume", from), "Resume thread", resume, NULL, resume_after},
		.waiter_is_user = subject_options == K_USER,
		.waker_is_user = from_user,
	});
}

static void measure_from_kernel(measure_window_fn create_window)
{
	measure_single(&(struct measure_operation){id_of(0, "create", "kernel"), "Create thread",
						   create_window, NULL, create_after});
	measure_start(id_of(0, "start", "kernel"));
	measure_suspend("kernel", false);
	measure_single(&(struct measure_operation){id_of(0, "abort", "kernel"), "Abort thread",
						   abort_subject, abort_before, abort_after});
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &subject, subject_stack);
}

/* As measure_start(): the user thread is woken by a less urgent one, which is this one. */
static void measure_start_from_user(const char *id)
{
	measure_row_begin(&start_row, id, "Start thread");
	measure_user_overhead(&start_row, true, subject_options == K_USER);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t runs = subject_runs;
		struct measure_window window;

		create_subject(LATENCY_PRIO - 2);
		(void)measure_user_call(start, &window);
		measure_add(&start_row, window.start, subject_window.end);
		measure_witness(&start_row, "from_user", measure_user_was_user());
		witness_start(runs);
	}
	measure_row_end(&start_row);
}

static void measure_from_user(void)
{
	measure_user_open(grant);
	if (subject_options == K_USER) {
		measure_user_single(&(struct measure_operation){id_of(0, "create", "user"),
								"Create thread", create_user, NULL,
								create_after});
	}
	measure_start_from_user(id_of(0, "start", "user"));
	measure_user_close();
	measure_suspend("user", true);
	measure_user_open(grant);
	measure_user_single(&(struct measure_operation){id_of(0, "abort", "user"), "Abort thread",
							abort_subject, abort_before, abort_after});
	measure_user_close();
}

void latency_thread(void)
{
	subject_options = 0;
	measure_from_kernel(create);
	if (IS_ENABLED(CONFIG_USERSPACE)) {
		subject_options = K_USER;
		measure_from_kernel(create_user);
		measure_from_user();
		subject_options = 0;
		measure_from_user();
	}
}

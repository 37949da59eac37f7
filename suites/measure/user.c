/* SPDX-License-Identifier: Apache-2.0 */
/* Windows in a user thread: see measure_user.h. */
#include "private.h"
#include <measure_user.h>

#define CLOCK_ROUNDS 16U

K_APPMEM_PARTITION_DEFINE(measure_partition);

static struct k_thread thread;
static K_THREAD_STACK_DEFINE(user_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);
static K_SEM_DEFINE(ordered, 0, 1);

/* What the two modes tell each other. */
static MEASURE_SHARED struct {
	measure_window_fn function;
	struct measure_window window;
	intptr_t result;
	bool was_user;
	bool is_done;
} call;

static struct measure_row rows[2];
static int32_t overhead; /* of a pair of stamps in user mode, units */

/* ---- the thread ---- */

static void user_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: measure_user_close() ends it. */
	for (;;) {
		(void)k_sem_take(&ordered, K_FOREVER);
		call.result = call.function(&call.window);
		call.was_user = k_is_user_context();
		call.is_done = true;
	}
}

k_tid_t measure_user_thread(void)
{
	return &thread;
}

static void start(k_thread_entry_t entry, int prio, void (*grant)(k_tid_t granted))
{
	(void)k_thread_create(&thread, user_stack, K_THREAD_STACK_SIZEOF(user_stack), entry, NULL,
			      NULL, NULL, prio, K_USER, K_FOREVER);
	k_thread_system_pool_assign(&thread);
	k_thread_access_grant(&thread, &ordered);
	if (grant != NULL) {
		grant(&thread);
	}
	k_thread_start(&thread);
}

static int more_urgent(void)
{
	return k_thread_priority_get(k_current_get()) - 1;
}

void measure_user_open(void (*grant)(k_tid_t granted))
{
	start(user_entry, more_urgent(), grant);
}

void measure_user_run(k_thread_entry_t entry, int prio, void (*grant)(k_tid_t granted))
{
	start(entry, prio, grant);
	(void)k_thread_join(&thread, K_FOREVER);
}

void measure_user_close(void)
{
	k_thread_abort(&thread);
}

void measure_user_call_begin(measure_window_fn function)
{
	call.function = function;
	call.was_user = false;
	call.is_done = false;
	sweep_open();
	k_sem_give(&ordered);
}

intptr_t measure_user_call_end(struct measure_window *window)
{
	sweep_close();
	*window = call.window;
	return call.result;
}

bool measure_user_was_user(void)
{
	return call.is_done && call.was_user;
}

intptr_t measure_user_call(measure_window_fn function, struct measure_window *window)
{
	measure_user_call_begin(function);
	return measure_user_call_end(window);
}

/* ---- rows ---- */

static void begin(struct measure_row *row, const struct measure_operation *operation)
{
	measure_row_begin(row, operation->id, operation->text);
	row->overhead = overhead;
}

static void sample(const struct measure_operation *operation, struct measure_row *row)
{
	struct measure_window window;
	intptr_t result;

	if (operation->before != NULL) {
		operation->before();
	}
	result = measure_user_call(operation->window, &window);
	measure_add(row, window.start, window.end);
	measure_witness(row, "user", measure_user_was_user());
	if (operation->after != NULL) {
		operation->after(row, result);
	}
}

void measure_user_single(const struct measure_operation *operation)
{
	begin(&rows[0], operation);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		sample(operation, &rows[0]);
	}
	measure_row_end(&rows[0]);
}

void measure_user_turns(const struct measure_operation *first,
			const struct measure_operation *second)
{
	begin(&rows[0], first);
	begin(&rows[1], second);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		sample(first, &rows[0]);
		sample(second, &rows[1]);
	}
	measure_row_end(&rows[0]);
	measure_row_end(&rows[1]);
}

void measure_user_overhead(struct measure_row *row, bool begins_in_user, bool ends_in_user)
{
	if (begins_in_user != ends_in_user && overhead != thread_overhead()) {
		measure_fail(row, "stamps cost not the same in user mode as in the kernel's");
	} else if (begins_in_user && ends_in_user) {
		row->overhead = overhead;
	}
}

/* ---- before the first row ---- */

MEASURE_WINDOW(nothing, )

static intptr_t nothing_in_user(struct measure_window *window)
{
	return measure_user_call(nothing, window);
}

/* The stamps of user mode lie between those around it: it is one clock. */
static void test_clock(void)
{
	/* Bound: CLOCK_ROUNDS. */
	for (uint32_t i = 0; i < CLOCK_ROUNDS; i++) {
		struct measure_window window;
		uint32_t before = measure_stamp();
		uint32_t after;

		(void)measure_user_call(nothing, &window);
		after = measure_stamp();
		if (!measure_user_was_user() ||
		    ticks_between(before, window.start) > ticks_between(before, window.end) ||
		    ticks_between(before, window.end) > ticks_between(before, after)) {
			run_fail("clock.user", "The clock as user mode reads it",
				 "its stamps don't lie between the kernel's");
			return;
		}
	}
}

/* The kernel's, not zero, so that a read that yields anything else shows. */
static volatile uint32_t secret = 0x5EC4E7;
static MEASURE_SHARED volatile uint32_t read_by_user;
static MEASURE_SHARED const volatile uint32_t *read_from;

static void probe_entry(void *unused_1, void *unused_2, void *unused_3)
{
	read_by_user = *read_from | 1U;
}

/*
 * The lab, which otherwise takes a fault for the end of the run, is told beforehand whose it will be
 * and where.
 */
void measure_user_probe(const volatile uint32_t *word)
{
	bool ended;

	read_from = word;
	record_begin("probe");
	record_key("thread");
	record_print("\"0x%08lx\"", (unsigned long)(uintptr_t)&thread);
	record_key("reads");
	record_print("\"0x%08lx\"", (unsigned long)(uintptr_t)word);
	record_end();
	start(probe_entry, more_urgent(), NULL);
	ended = (thread.state & K_THREAD_DEAD) != 0;
	if (!ended || read_by_user != 0) {
		run_fail("probe.user", "A user thread that reads memory out of its reach",
			 "it lived, or it read it");
	}
}

static void open_memory(void)
{
	struct k_mem_partition counter;
	int result = k_mem_domain_add_partition(&k_mem_domain_default, &measure_partition);

	if (result == 0 && arch_user_cycles(&counter)) {
		result = k_mem_domain_add_partition(&k_mem_domain_default, &counter);
	}
	if (result != 0) {
		run_fail("memory.user", "Memory that user threads measure in",
			 "the domain has no region left for it");
	}
}

void measure_user_begin(void)
{
	open_memory();
	measure_user_probe(&secret);
	measure_user_open(NULL);
	test_clock();
	overhead = measure_overhead("overhead.user", nothing_in_user);
	measure_user_close();
	record_begin("user_overhead");
	record_integer("kernel", thread_overhead());
	record_integer("user", overhead);
	record_end();
}

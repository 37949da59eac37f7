/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The three shapes that nearly every row has: one operation, two in turn, and two in
 * two threads. The rows are the library's own, two at a time, since one takes 8 KiB.
 */
#include "private.h"
#include <measure_user.h>

static MEASURE_SHARED struct measure_row rows[2];

static void begin(struct measure_row *row, const struct measure_operation *operation)
{
	measure_row_begin(row, operation->id, operation->text);
}

static void prepare(const struct measure_operation *operation)
{
	if (operation->before != NULL) {
		operation->before();
	}
}

static void judge(const struct measure_operation *operation, struct measure_row *row,
		  intptr_t result)
{
	if (operation->after != NULL) {
		operation->after(row, result);
	} else {
		measure_witness(row, "returned", true);
	}
}

static void sample(const struct measure_operation *operation, struct measure_row *row)
{
	struct measure_window window;
	intptr_t result;

	prepare(operation);
	result = operation->window(&window);
	measure_add(row, window.start, window.end);
	judge(operation, row, result);
}

void measure_single(const struct measure_operation *operation)
{
	begin(&rows[0], operation);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		sample(operation, &rows[0]);
	}
	measure_row_end(&rows[0]);
}

void measure_turns(const struct measure_operation *first, const struct measure_operation *second)
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

/*
 * A pair. Each thread runs a window of its own, whose function stores both stamps when
 * the call has returned. The waiter's call i begins at waiter.start and blocks; the
 * waker's previous call returns at waker.end; the waker's next call begins at
 * waker.start, and the waiter's call i returns at waiter.end. So each thread knows a
 * whole sample when its own window is over, and neither stores within a window.
 */
enum runner { WAITER, WAKER };

static MEASURE_SHARED struct {
	struct measure_pair operations;
	struct measure_window waiter;
	struct measure_window waker;
	enum runner runner; /* who entered a window last */
} pair;

struct k_thread measure_waiter;
static K_THREAD_STACK_DEFINE(waiter_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);

/* Both rows are of both threads: who should be in user mode was, at this sample too. */
static void witness_user(const char *name, bool should_be)
{
	if (should_be) {
		measure_witness(&rows[0], name, k_is_user_context());
		measure_witness(&rows[1], name, k_is_user_context());
	}
}

MEASURE_WINDOW_END(start_waiter, k_thread_start(&measure_waiter))

static void waiter_entry(void *unused_1, void *unused_2, void *unused_3)
{
	const struct measure_operation *wait = &pair.operations.wait;
	struct measure_row *row = &rows[0];

	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		intptr_t result;

		prepare(wait);
		pair.runner = WAITER;
		result = wait->window(&pair.waiter);
		measure_witness(&rows[1], "switches", pair.runner == WAKER);
		measure_add(row, pair.waiter.start, pair.waker.end);
		witness_user("user_waits", pair.operations.waiter_is_user);
		judge(wait, row, result);
	}
}

/* True if the waiter can't run: it waits where it should, or it is suspended or sleeps. */
static bool waiter_is_blocked(const _wait_q_t *wait_q)
{
	const volatile uint8_t *state = &measure_waiter.state;

	if (wait_q == NULL) {
		return (*state & K_THREAD_SUSPENDED) != 0 ||
		       ((*state & K_THREAD_PENDING) != 0 && measure_waiter.pended_on == NULL);
	}
	return measure_waits_in(&measure_waiter, wait_q);
}

static void wake_again_and_again(void)
{
	const struct measure_operation *wake = &pair.operations.wake;
	struct measure_row *row = &rows[1];

	(void)start_waiter(&pair.waker);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		intptr_t result;

		measure_witness(&rows[0], "switches", pair.runner == WAITER);
		if (!k_is_user_context()) { /* who can't see it has run, and the waiter is more urgent */
			measure_witness(&rows[0], "blocked",
					waiter_is_blocked(pair.operations.wait_q));
		}
		prepare(wake);
		pair.runner = WAKER;
		result = wake->window(&pair.waker);
		measure_add(row, pair.waker.start, pair.waiter.end);
		witness_user("user_wakes", pair.operations.waker_is_user);
		judge(wake, row, result);
	}
}

static void waker_entry(void *unused_1, void *unused_2, void *unused_3)
{
	wake_again_and_again();
}

static void grant_to_waker(k_tid_t thread)
{
	k_thread_access_grant(thread, &measure_waiter);
	if (pair.operations.grant != NULL) {
		pair.operations.grant(thread);
	}
}

static void measure_rows(const struct measure_pair *operations, int prio)
{
	(void)k_thread_create(&measure_waiter, waiter_stack, K_THREAD_STACK_SIZEOF(waiter_stack),
			      waiter_entry, NULL, NULL, NULL, prio - 1,
			      operations->waiter_is_user ? K_USER : 0, K_FOREVER);
	k_thread_system_pool_assign(&measure_waiter);
	if (operations->grant != NULL) {
		operations->grant(&measure_waiter);
	}
	if (operations->waker_is_user) {
		measure_user_run(waker_entry, prio, grant_to_waker);
	} else {
		wake_again_and_again();
	}
	k_thread_abort(&measure_waiter);
}

void measure_pair(const struct measure_pair *operations)
{
	int prio = k_thread_priority_get(k_current_get());

	begin(&rows[0], &operations->wait);
	begin(&rows[1], &operations->wake);
	measure_user_overhead(&rows[0], operations->waiter_is_user, operations->waker_is_user);
	measure_user_overhead(&rows[1], operations->waker_is_user, operations->waiter_is_user);
	pair.operations = *operations;
	if (operations->waiter_is_user || operations->waker_is_user) {
		sweep_skip();
	}
	if (prio >= 1) {
		measure_rows(operations, prio);
	} else {
		measure_fail(&rows[0], "the caller of measure_pair() is too urgent");
		measure_fail(&rows[1], "the caller of measure_pair() is too urgent");
	}
	measure_row_end(&rows[0]);
	measure_row_end(&rows[1]);
}

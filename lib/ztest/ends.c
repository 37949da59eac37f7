/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a test ends early, from whatever thread or handler, and what ends a suite in its setup.
 * Kernel mode: user tests come here by system calls, so these are in a file of their own.
 */
#include "lib/ztest/ztest.h"

struct ztest_state ztest_state;

static const char *const phases[] = {
	[ZTEST_PHASE_FRAMEWORK] = "framework", [ZTEST_PHASE_SETUP] = "setup",
	[ZTEST_PHASE_BEFORE] = "before",       [ZTEST_PHASE_TEST] = "test",
	[ZTEST_PHASE_AFTER] = "after",         [ZTEST_PHASE_TEARDOWN] = "teardown",
};

/* The thread of the test, and whoever calls: it may have started others. */
static void finish(enum ztest_result result)
{
	ztest_state.result = result;
	k_thread_abort(&ztest_state.thread);
	if (!k_is_in_isr()) {
		k_thread_abort(k_current_get());
	}
}

/* Nothing ends so where no test runs; the run does. */
static void misused(enum ztest_result result)
{
	const char *what = result == ZTEST_RESULT_FAIL   ? "fail"
			   : result == ZTEST_RESULT_SKIP ? "skip"
							 : "pass";

	printk(" ERROR: cannot %s in test phase '%s()', bailing\n", what,
	       phases[ztest_state.phase]);
	ztest_state.is_over = true;
}

void ztest_end_(unsigned int result)
{
	enum ztest_phase phase = ztest_state.phase;

	if (phase == ZTEST_PHASE_SETUP && result != ZTEST_RESULT_PASS) {
		ztest_state.result = result == ZTEST_RESULT_FAIL ? ZTEST_RESULT_SUITE_FAIL
								 : ZTEST_RESULT_SUITE_SKIP;
	} else if (phase == ZTEST_PHASE_TEST ||
		   (phase == ZTEST_PHASE_BEFORE && result != ZTEST_RESULT_PASS)) {
		finish((enum ztest_result)result);
	} else {
		misused((enum ztest_result)result);
	}
}

void ztest_test_expect_fail(void)
{
	ztest_state.expectation_failed = true;
}

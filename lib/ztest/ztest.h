/* SPDX-License-Identifier: Apache-2.0 */
/* What ztest's files share. */
#ifndef FOLIOT_LIB_ZTEST_H
#define FOLIOT_LIB_ZTEST_H

#include <zephyr/ztest.h>

/* What runs: the suite's own functions, or the framework between them. */
enum ztest_phase {
	ZTEST_PHASE_FRAMEWORK,
	ZTEST_PHASE_SETUP,
	ZTEST_PHASE_BEFORE,
	ZTEST_PHASE_TEST,
	ZTEST_PHASE_AFTER,
	ZTEST_PHASE_TEARDOWN,
};

/* What came of the test that runs, or of its suite's setup. */
enum ztest_result {
	ZTEST_RESULT_PENDING, /* a pass, unless something comes */
	ZTEST_RESULT_PASS,
	ZTEST_RESULT_FAIL,
	ZTEST_RESULT_SKIP,
	ZTEST_RESULT_SUITE_SKIP,
	ZTEST_RESULT_SUITE_FAIL,
};

/* All of it is the kernel's memory: a user test can't call itself passed. */
struct ztest_state {
	struct k_thread thread; /* the test's */
	enum ztest_phase phase;
	enum ztest_result result;
	bool expectation_failed;
	bool has_failure;
	bool is_over; /* ztest itself was misused: nothing else runs */
};

extern struct ztest_state ztest_state;

/*
 * End the test as `result` says, and the calling thread; in setup, where the suite's tests end so,
 * and in an ISR it returns. A system call: `result` is anything.
 */
void ztest_end_(unsigned int result);

/* A failed assertion of the calling thread: does not return. A system call. */
void ztest_assertion_failed_(void);

/* The test that follows `test` in that suite; NULL in front of the first, and behind the last. */
const struct ztest_unit_test *ztest_next(const char *suite, const struct ztest_unit_test *test);

/* A test's TC_PASS..., and its word. */
int ztest_verdict(const struct ztest_unit_test_stats *stats);
const char *ztest_word(int verdict);

/* The end of the run's output. */
void ztest_print_summary(void);

#endif /* FOLIOT_LIB_ZTEST_H */

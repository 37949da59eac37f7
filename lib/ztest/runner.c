/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs suites and their tests, and main(), which lets all of them run. Each test has the same
 * thread's block and stack, begins with what main()'s thread may use, and is ended before the next
 * begins, whatever state it is in.
 */
#include "lib/ztest/ztest.h"

#define REPEATS_OF_SUITES COND_CODE_1(CONFIG_ZTEST_REPEAT, (CONFIG_ZTEST_SUITE_REPEAT_COUNT), (1))
#define REPEATS_OF_TESTS  COND_CODE_1(CONFIG_ZTEST_REPEAT, (CONFIG_ZTEST_TEST_REPEAT_COUNT), (1))

static K_THREAD_STACK_DEFINE(stack, CONFIG_ZTEST_STACK_SIZE);

#ifdef CONFIG_USERSPACE
K_APPMEM_PARTITION_DEFINE(ztest_mem_partition);
/* The partition is never empty. */
ZTEST_DMEM static char __used something;
#endif

/* ---- a test ---- */

static void apply_rules(bool is_before, const struct ztest_unit_test *test, void *fixture)
{
	STRUCT_SECTION_FOREACH(ztest_test_rule, ztest_test_rule, rule) {
		if (is_before && rule->before_each != NULL) {
			rule->before_each(test, fixture);
		} else if (!is_before && rule->after_each != NULL) {
			rule->after_each(test, fixture);
		}
	}
}

static void body(void *function, void *fixture, void *unused)
{
	((void (*)(void *))function)(fixture);
}

static void run_in_thread(void *p1, void *p2, void *fixture)
{
	const struct ztest_suite_node *suite = p1;
	const struct ztest_unit_test *test = p2;

	apply_rules(true, test, fixture);
	if (suite->before != NULL) {
		suite->before(fixture);
	}
	ztest_state.phase = ZTEST_PHASE_TEST;
	if (IS_ENABLED(CONFIG_USERSPACE) && (test->thread_options & K_USER) != 0) {
		k_thread_user_mode_enter(body, (void *)test->test, fixture, NULL);
	}
	test->test(fixture);
}

static bool is_left_out(void)
{
	return ztest_state.result == ZTEST_RESULT_SUITE_SKIP ||
	       ztest_state.result == ZTEST_RESULT_SUITE_FAIL;
}

static void run_thread(const struct ztest_suite_node *suite, const struct ztest_unit_test *test,
		       void *fixture)
{
	struct k_thread *thread = &ztest_state.thread;

	ztest_state.result = ZTEST_RESULT_PENDING;
	(void)k_thread_create(thread, stack, K_THREAD_STACK_SIZEOF(stack), run_in_thread,
			      (void *)suite, (void *)test, fixture, CONFIG_ZTEST_THREAD_PRIORITY,
			      K_INHERIT_PERMS, K_FOREVER);
	(void)k_object_access_grant(thread, thread);
	(void)k_thread_name_set(thread, test->name);
	k_thread_start(thread);
	(void)k_thread_join(thread, K_FOREVER);
}

static int expected(const struct ztest_unit_test *test, int verdict)
{
	STRUCT_SECTION_FOREACH(ztest_expected_result_entry, ztest_expected_result_entry, entry) {
		if (strcmp(entry->test_name, test->name) == 0 &&
		    strcmp(entry->test_suite_name, test->test_suite_name) == 0) {
			return verdict == entry->result ? TC_PASS : TC_FAIL;
		}
	}
	return verdict;
}

static int verdict(void)
{
	switch (ztest_state.result) {
	case ZTEST_RESULT_FAIL:
	case ZTEST_RESULT_SUITE_FAIL:
		return TC_FAIL;
	case ZTEST_RESULT_SKIP:
	case ZTEST_RESULT_SUITE_SKIP:
		return ztest_state.expectation_failed ? TC_FAIL : TC_SKIP;
	default:
		return ztest_state.expectation_failed ? TC_FAIL : TC_PASS;
	}
}

static void count(const struct ztest_unit_test *test, int result, uint32_t duration_ms)
{
	struct ztest_unit_test_stats *stats = test->stats;

	stats->run_count++;
	stats->pass_count += result == TC_PASS;
	stats->skip_count += result == TC_SKIP;
	stats->fail_count += result == TC_FAIL;
	stats->duration_worst_ms = MAX(stats->duration_worst_ms, duration_ms);
}

/* Returns true: it did not fail. */
static bool run_test(const struct ztest_suite_node *suite, const struct ztest_unit_test *test,
		     void *fixture)
{
	uint32_t began_ms = k_uptime_get_32();
	uint32_t duration_ms;
	int result;

	if (IS_ENABLED(CONFIG_ZTEST_VERBOSE_OUTPUT)) {
		printk("START - %s\n", test->name);
	}
	if (CONFIG_ZTEST_TEST_DELAY_MS > 0) {
		k_busy_wait(CONFIG_ZTEST_TEST_DELAY_MS * 1000U);
	}
	ztest_state.phase = ZTEST_PHASE_BEFORE;
	if (!is_left_out()) {
		run_thread(suite, test, fixture);
	}
	ztest_state.phase = ZTEST_PHASE_AFTER;
	if (suite->after != NULL) {
		suite->after(fixture);
	}
	apply_rules(false, test, fixture);
	ztest_state.phase = ZTEST_PHASE_FRAMEWORK;
	duration_ms = k_uptime_get_32() - began_ms;
	result = expected(test, verdict());
	ztest_state.expectation_failed = false;
	count(test, result, duration_ms);
	if (IS_ENABLED(CONFIG_ZTEST_VERBOSE_OUTPUT)) {
		printk(" %s - %s in %u.%03u seconds\n", ztest_word(result), test->name,
		       duration_ms / 1000U, duration_ms % 1000U);
		PRINT_LINE;
	}
	return result != TC_FAIL;
}

/* ---- suites ---- */

const struct ztest_unit_test *ztest_next(const char *suite, const struct ztest_unit_test *test)
{
	STRUCT_SECTION_FOREACH(ztest_unit_test, ztest_unit_test, one) {
		if ((test == NULL || one > test) && strcmp(one->test_suite_name, suite) == 0) {
			return one;
		}
	}
	return NULL;
}

static bool is_enough(void)
{
	return ztest_state.is_over ||
	       (IS_ENABLED(CONFIG_ZTEST_FAIL_FAST) && ztest_state.has_failure);
}

static int run_tests(const struct ztest_suite_node *suite, void *fixture)
{
	int failed = 0;

	for (const struct ztest_unit_test *test = ztest_next(suite->name, NULL);
	     test != NULL && !is_enough(); test = ztest_next(suite->name, test)) {
		if (!run_test(suite, test, fixture)) {
			ztest_state.has_failure = true;
			failed++;
		}
	}
	return failed;
}

/* Returns how many tests failed. */
static int run_suite(const struct ztest_suite_node *suite, int case_iter)
{
	void *fixture = NULL;
	int failed = 0;

	printk("Running TESTSUITE %s\n", suite->name);
	PRINT_LINE;
	ztest_state.result = ZTEST_RESULT_PENDING;
	ztest_state.phase = ZTEST_PHASE_SETUP;
	if (suite->setup != NULL) {
		fixture = suite->setup();
	}
	for (int i = 0; i < case_iter && !is_enough(); i++) {
		failed += run_tests(suite, fixture);
	}
	ztest_state.phase = ZTEST_PHASE_TEARDOWN;
	if (suite->teardown != NULL) {
		suite->teardown(fixture);
	}
	ztest_state.phase = ZTEST_PHASE_FRAMEWORK;
	printk("TESTSUITE %s %s\n", suite->name, failed == 0 ? "succeeded" : "failed.");
	suite->stats->run_count++;
	suite->stats->fail_count += failed != 0;
	return failed;
}

int ztest_run_test_suites(const void *state, bool shuffle, int suite_iter, int case_iter)
{
	int ran = 0;

	STRUCT_SECTION_FOREACH(ztest_suite_node, ztest_suite_node, suite) {
		for (int i = 0; i < suite_iter && !is_enough(); i++) {
			if (suite->predicate != NULL ? suite->predicate(state)
						     : suite->stats->run_count <= (uint32_t)i) {
				(void)run_suite(suite, case_iter);
				ran++;
			} else {
				suite->stats->skip_count++;
			}
		}
	}
	return ran;
}

void ztest_run_all(const void *state, bool shuffle, int suite_iter, int case_iter)
{
	(void)ztest_run_test_suites(state, shuffle, suite_iter, case_iter);
}

static const struct ztest_suite_node *find(const char *name)
{
	STRUCT_SECTION_FOREACH(ztest_suite_node, ztest_suite_node, suite) {
		if (strcmp(suite->name, name) == 0) {
			return suite;
		}
	}
	return NULL;
}

int z_ztest_run_test_suite(const char *name, bool shuffle, int suite_iter, int case_iter,
			   void *param)
{
	const struct ztest_suite_node *suite = find(name);
	int failed = 0;

	if (suite == NULL) {
		ztest_state.is_over = true;
		return -1;
	}
	for (int i = 0; i < suite_iter && !is_enough(); i++) {
		failed += run_suite(suite, case_iter);
	}
	return failed;
}

/* ---- all of it ---- */

void ztest_verify_all_test_suites_ran(void)
{
	if (!IS_ENABLED(CONFIG_ZTEST_VERIFY_RUN_ALL)) {
		return;
	}
	STRUCT_SECTION_FOREACH(ztest_suite_node, ztest_suite_node, suite) {
		if (suite->stats->run_count == 0) {
			printk("ERROR: Test suite '%s' did not run.\n", suite->name);
			ztest_state.has_failure = true;
		}
	}
	STRUCT_SECTION_FOREACH(ztest_unit_test, ztest_unit_test, test) {
		if (find(test->test_suite_name) == NULL) {
			printk("ERROR: Test '%s' assigned to test suite '%s' which doesn't exist\n",
			       test->name, test->test_suite_name);
			ztest_state.has_failure = true;
		}
	}
}

__weak void test_main(void)
{
	ztest_run_all(NULL, false, REPEATS_OF_SUITES, REPEATS_OF_TESTS);
	ztest_verify_all_test_suites_ran();
}

int main(void)
{
#ifdef CONFIG_USERSPACE
	(void)k_mem_domain_add_partition(&k_mem_domain_default, &ztest_mem_partition);
#endif
	test_main();
	ztest_print_summary();
	k_exit(ztest_state.has_failure || ztest_state.is_over);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed at the end. Zephyr's twister reads it, and looks for these words. */
#include "lib/ztest/ztest.h"

const char *ztest_word(int verdict)
{
	static const char *const words[] = {
		[TC_PASS] = "PASS", [TC_FAIL] = "FAIL", [TC_SKIP] = "SKIP", [TC_FLAKY] = "FLAKY"};

	return words[verdict];
}

int ztest_verdict(const struct ztest_unit_test_stats *stats)
{
	if (stats->skip_count == stats->run_count) {
		return TC_SKIP;
	}
	if (stats->fail_count == 0) {
		return TC_PASS;
	}
	return stats->pass_count == 0 ? TC_FAIL : TC_FLAKY;
}

static void print_suite(const struct ztest_suite_node *suite)
{
	unsigned int of[TC_FLAKY + 1] = {0};
	unsigned int total = 0;
	unsigned int duration_ms = 0;
	unsigned int rate = 0; /* hundredths of a percent, rounded */
	unsigned int failed;
	int verdict;

	for (const struct ztest_unit_test *test = ztest_next(suite->name, NULL); test != NULL;
	     test = ztest_next(suite->name, test)) {
		of[ztest_verdict(test->stats)]++;
		duration_ms += test->stats->duration_worst_ms;
		total++;
	}
	failed = of[TC_FAIL] + of[TC_FLAKY];
	verdict = failed > 0 ? TC_FAIL : of[TC_PASS] > 0 ? TC_PASS : TC_SKIP;
	if (verdict != TC_SKIP) {
		unsigned int ran = of[TC_PASS] + failed;

		rate = (of[TC_PASS] * 10000U + ran / 2U) / ran;
	}
	printk("SUITE %s - %3u.%02u%% [%s]: pass = %u, fail = %u, skip = %u, total = %u "
	       "duration = %u.%03u seconds\n",
	       ztest_word(verdict), rate / 100U, rate % 100U, suite->name, of[TC_PASS], failed,
	       of[TC_SKIP], total, duration_ms / 1000U, duration_ms % 1000U);
}

static void print_test(const struct ztest_unit_test *test)
{
	const struct ztest_unit_test_stats *stats = test->stats;
	int verdict = ztest_verdict(stats);

	printk(" - %s - [%s.%s]", ztest_word(verdict), test->test_suite_name, test->name);
	if (verdict == TC_FLAKY) {
		printk(" - (Failed %u of %u attempts) -", stats->fail_count, stats->run_count);
	}
	printk(" duration = %u.%03u seconds\n", stats->duration_worst_ms / 1000U,
	       stats->duration_worst_ms % 1000U);
}

static void print_suites(void)
{
	printk("\n------ TESTSUITE SUMMARY START ------\n\n");
	STRUCT_SECTION_FOREACH(ztest_suite_node, ztest_suite_node, suite) {
		print_suite(suite);
		for (const struct ztest_unit_test *test = ztest_next(suite->name, NULL);
		     IS_ENABLED(CONFIG_ZTEST_VERBOSE_SUMMARY) && test != NULL;
		     test = ztest_next(suite->name, test)) {
			print_test(test);
		}
		printk("\n");
	}
	printk("------ TESTSUITE SUMMARY END ------\n\n");
}

void ztest_print_summary(void)
{
	bool failed = ztest_state.has_failure || ztest_state.is_over;

	if (IS_ENABLED(CONFIG_ZTEST_SUMMARY)) {
		print_suites();
	}
	PRINT_LINE;
	printk("PROJECT EXECUTION %s\n", failed ? "FAILED" : "SUCCESSFUL");
}

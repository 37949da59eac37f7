/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tests, suites of them, and rules for all; how a test ends early. Tests are found by the linker
 * and run in the order of their names, each in a thread of its own of priority
 * CONFIG_ZTEST_THREAD_PRIORITY.
 */
#ifndef ZEPHYR_ZTEST_TEST_H
#define ZEPHYR_ZTEST_TEST_H

#include <zephyr/kernel.h>
#include <zephyr/app_memory/app_memdomain.h>

EXTERN_C_BEGIN_

/* ---- what is counted ---- */

/** Of a suite. */
struct ztest_suite_stats {
	uint32_t run_count;
	uint32_t skip_count; /**< its predicate said no */
	uint32_t fail_count;
};

/** Of a test. */
struct ztest_unit_test_stats {
	uint32_t run_count;
	uint32_t skip_count;
	uint32_t fail_count;
	uint32_t pass_count;
	uint32_t duration_worst_ms;
};

/* ---- tests and suites ---- */

/** Called at a suite's beginning. Returns the suite's fixture. Context: thread. */
typedef void *(*ztest_suite_setup_t)(void);
/** Called before each test, in its thread. Context: thread. */
typedef void (*ztest_suite_before_t)(void *fixture);
/** Called after each test, in main()'s thread. Context: thread. */
typedef void (*ztest_suite_after_t)(void *fixture);
/** Called at a suite's end. Context: thread. */
typedef void (*ztest_suite_teardown_t)(void *fixture);
/** Asked whether a suite is to run now. Returns true: it is. Context: thread. */
typedef bool (*ztest_suite_predicate_t)(const void *state);

/** A suite: ZTEST_SUITE(). */
struct ztest_suite_node {
	const char *name;
	ztest_suite_setup_t setup;
	ztest_suite_before_t before;
	ztest_suite_after_t after;
	ztest_suite_teardown_t teardown;
	ztest_suite_predicate_t predicate;
	struct ztest_suite_stats *stats;
};

/** A test: ZTEST() and its kin. */
struct ztest_unit_test {
	const char *test_suite_name;
	const char *name;
	void (*test)(void *fixture);
	uint32_t thread_options; /**< K_USER: it runs in user mode */
	struct ztest_unit_test_stats *stats;
};

/** What is done before and after each test of every suite: ZTEST_RULE(). */
struct ztest_test_rule {
	void (*before_each)(const struct ztest_unit_test *test, void *fixture);
	void (*after_each)(const struct ztest_unit_test *test, void *fixture);
};

/** A test that is to end otherwise than others: ZTEST_EXPECT_FAIL(), ZTEST_EXPECT_SKIP(). */
struct ztest_expected_result_entry {
	const char *test_suite_name;
	const char *test_name;
	int result; /**< TC_FAIL or TC_SKIP */
};

/** Define a suite; each function may be NULL. At file scope. */
#define ZTEST_SUITE(suite, predicate_, setup_, before_, after_, teardown_)       \
	static struct ztest_suite_stats _ztest_suite_stats_##suite;              \
	static const STRUCT_SECTION_ITERABLE(ztest_suite_node, ztest_suite_node, \
					     suite##_ztest_suite) = {            \
		.name = #suite,                                                  \
		.setup = (setup_),                                               \
		.before = (before_),                                             \
		.after = (after_),                                               \
		.teardown = (teardown_),                                         \
		.predicate = (predicate_),                                       \
		.stats = &_ztest_suite_stats_##suite,                            \
	}

/* `call` runs the function that follows, which takes `parameters`. */
#define ZTEST_DEFINE_(suite, function, options, parameters, call)                   \
	static struct ztest_unit_test_stats _ztest_stats_##suite##_##function;      \
	static void suite##_##function parameters;                                  \
	static void _ztest_run_##suite##_##function(void *fixture_)                 \
	{                                                                           \
		(void)fixture_;                                                     \
		call;                                                               \
	}                                                                           \
	static const STRUCT_SECTION_ITERABLE(ztest_unit_test, ztest_unit_test,      \
					     _ztest_test_##suite##__##function) = { \
		.test_suite_name = #suite,                                          \
		.name = #function,                                                  \
		.test = _ztest_run_##suite##_##function,                            \
		.thread_options = (options),                                        \
		.stats = &_ztest_stats_##suite##_##function,                        \
	};                                                                          \
	static void suite##_##function parameters

#define ZTEST_PLAIN_(suite, function, options) \
	ZTEST_DEFINE_(suite, function, options, (void), suite##_##function())
#define ZTEST_FIXED_(suite, function, options)                                      \
	ZTEST_DEFINE_(suite, function, options, (struct suite##_fixture * fixture), \
		      suite##_##function((struct suite##_fixture *)fixture_))

/** Define a test; its body follows. At file scope. */
#define ZTEST(suite, function)        ZTEST_PLAIN_(suite, function, 0)
/** The same, in user mode where there is CONFIG_USERSPACE. */
#define ZTEST_USER(suite, function)   ZTEST_PLAIN_(suite, function, K_USER)
/** With `fixture`, a struct SUITE_fixture *, which the suite's setup returned. */
#define ZTEST_F(suite, function)      ZTEST_FIXED_(suite, function, 0)
/** The same, in user mode. */
#define ZTEST_USER_F(suite, function) ZTEST_FIXED_(suite, function, K_USER)

/** Define what is done before and after each test; either may be NULL. At file scope. */
#define ZTEST_RULE(name, before_each_, after_each_)                                      \
	static const STRUCT_SECTION_ITERABLE(ztest_test_rule, ztest_test_rule, name) = { \
		.before_each = (before_each_),                                           \
		.after_each = (after_each_),                                             \
	}

#define ZTEST_EXPECT_(suite, test, result_)                                         \
	static const STRUCT_SECTION_ITERABLE(ztest_expected_result_entry,           \
					     ztest_expected_result_entry,           \
					     _ztest_expected_##suite##__##test) = { \
		.test_suite_name = #suite,                                          \
		.test_name = #test,                                                 \
		.result = (result_),                                                \
	}
/** That test passes if it fails. At file scope. */
#define ZTEST_EXPECT_FAIL(suite, test) ZTEST_EXPECT_(suite, test, 1)
/** That test passes if it is skipped. At file scope. */
#define ZTEST_EXPECT_SKIP(suite, test) ZTEST_EXPECT_(suite, test, 2)

/* ---- in a test ---- */

/**
 * The test fails, and ends with the calling thread. In setup: all of the suite do. Context: either.
 */
void ztest_test_fail(void);
/** The test passes, and ends with the calling thread. Context: either. */
void ztest_test_pass(void);
/**
 * The test is skipped, and ends with the calling thread. In setup: all of the suite are.
 * Context: either.
 */
void ztest_test_skip(void);
/** The test fails when it ends. Context: either. */
void ztest_test_expect_fail(void);
/**
 * As an assumption that does not hold: skipped, or failed with CONFIG_ZTEST_FAIL_ON_ASSUME.
 * Context: either.
 */
void ztest_skip_failed_assumption(void);

/** First in a test: it is skipped where the option is on. Context: thread. */
#define Z_TEST_SKIP_IFDEF(option)  COND_CODE_1(option, (ztest_test_skip()), ())
/** The same where it is off. Context: thread. */
#define Z_TEST_SKIP_IFNDEF(option) COND_CODE_1(option, (), (ztest_test_skip()))

/** Nothing: there is one core. Context: either. */
static inline void ztest_simple_1cpu_before(void *fixture)
{
	(void)fixture;
}

/** Nothing: there is one core. Context: either. */
static inline void ztest_simple_1cpu_after(void *fixture)
{
	(void)fixture;
}

/** Nothing: there is one core. Context: either. */
static inline void z_test_1cpu_start(void)
{
}

/** Nothing: there is one core. Context: either. */
static inline void z_test_1cpu_stop(void)
{
}

/* ---- running ---- */

/**
 * What a program may define, to say what runs when; by default all suites run once.
 * Context: thread.
 */
void test_main(void);
/**
 * Run each suite whose predicate says so of `state`, or that has none. `shuffle` has no effect;
 * suites run suite_iter times, the tests in each case_iter times. Returns how many ran.
 * Context: thread, in test_main().
 */
int ztest_run_test_suites(const void *state, bool shuffle, int suite_iter, int case_iter);
/** The same. Context: thread, in test_main(). */
void ztest_run_all(const void *state, bool shuffle, int suite_iter, int case_iter);
/**
 * Internal: a suite by name. Returns how many tests failed; -1: there is none such.
 * Context: thread.
 */
int z_ztest_run_test_suite(const char *name, bool shuffle, int suite_iter, int case_iter,
			   void *param);
/**
 * Run that suite, whatever its predicate says; `param` has no effect. Context: thread, in
 * test_main().
 */
#define ztest_run_test_suite(suite, shuffle, suite_iter, case_iter, param) \
	z_ztest_run_test_suite(#suite, shuffle, suite_iter, case_iter, param)
/**
 * What has not run, though there is a suite, makes the run fail. Context: thread, in test_main().
 */
void ztest_verify_all_test_suites_ran(void);

/* ---- memory of user tests ---- */

#ifdef CONFIG_USERSPACE
/** All user threads may use it that nobody put into another domain. */
extern struct k_mem_partition ztest_mem_partition;
/** In front of a variable that a user test writes. */
#define ZTEST_DMEM    K_APP_DMEM(ztest_mem_partition)
/** The same, 0 at first. */
#define ZTEST_BMEM    K_APP_BMEM(ztest_mem_partition)
/** The section, for macros that take one. */
#define ZTEST_SECTION K_APP_DMEM_SECTION(ztest_mem_partition)
#else
#define ZTEST_DMEM
#define ZTEST_BMEM
#define ZTEST_SECTION .data
#endif

EXTERN_C_END_

#endif /* ZEPHYR_ZTEST_TEST_H */

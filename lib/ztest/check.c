/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks of ztest_assert.h, and the ends of a test that they come to. Runs in user mode, too,
 * and keeps nothing.
 */
#include <stdarg.h>

#include "lib/ztest/ztest.h"

static const char *const names[] = {
	[ZTEST_ASSERT_] = "Assertion",
	[ZTEST_ASSUME_] = "Assumption",
	[ZTEST_EXPECT_FAILS_] = "Expectation",
};

void ztest_test_fail(void)
{
	ztest_end_(ZTEST_RESULT_FAIL);
}

void ztest_test_pass(void)
{
	ztest_end_(ZTEST_RESULT_PASS);
}

void ztest_test_skip(void)
{
	ztest_end_(ZTEST_RESULT_SKIP);
}

void ztest_skip_failed_assumption(void)
{
	ztest_end_(IS_ENABLED(CONFIG_ZTEST_FAIL_ON_ASSUME) ? ZTEST_RESULT_FAIL : ZTEST_RESULT_SKIP);
}

static void print(enum ztest_kind_ kind, const char *what, const char *file, int line,
		  const char *function, const char *message, va_list arguments)
{
	if (CONFIG_ZTEST_ASSERT_VERBOSE == 0) {
		printk("\n    %s failed at %s:%d\n", names[kind], file, line);
		return;
	}
	printk("\n    %s failed at %s:%d: %s: %s%s%s\n", names[kind], file, line, function,
	       message != NULL ? "(" : "", what, message != NULL ? ")" : "");
	if (message != NULL) {
		vprintk(message, arguments);
	}
	printk("\n");
}

void ztest_check_(bool holds, enum ztest_kind_ kind, const char *what, const char *file, int line,
		  const char *function, const char *message, ...)
{
	va_list arguments;

	if (holds) {
		if (CONFIG_ZTEST_ASSERT_VERBOSE == 2) {
			printk("\n    %s succeeded at %s:%d (%s)\n", names[kind], file, line,
			       function);
		}
		return;
	}
	va_start(arguments, message);
	print(kind, what, file, line, function, message, arguments);
	va_end(arguments);
	switch (kind) {
	case ZTEST_ASSERT_:
		ztest_test_fail();
		break;
	case ZTEST_ASSUME_:
		ztest_skip_failed_assumption();
		break;
	default:
		ztest_test_expect_fail();
		break;
	}
}

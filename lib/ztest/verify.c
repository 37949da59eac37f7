/* SPDX-License-Identifier: Apache-2.0 */
/* ztest's system calls: what a user test may do to its own end, and what it may expect. */
#include <foliot/syscall.h>

#include "lib/ztest/ztest.h"

__typeof__(ztest_end_) verify_ztest_end_;
void verify_ztest_end_(unsigned int result)
{
	bool is_known = result == ZTEST_RESULT_PASS || result == ZTEST_RESULT_SKIP;

	ztest_end_(is_known ? result : ZTEST_RESULT_FAIL);
}

__typeof__(ztest_test_expect_fail) verify_ztest_test_expect_fail;
void verify_ztest_test_expect_fail(void)
{
	ztest_test_expect_fail();
}

__typeof__(ztest_set_fault_valid) verify_ztest_set_fault_valid;
void verify_ztest_set_fault_valid(bool is_valid)
{
	K_SYSCALL_NARROW(is_valid);
	ztest_set_fault_valid(is_valid);
}

__typeof__(ztest_set_assert_valid) verify_ztest_set_assert_valid;
void verify_ztest_set_assert_valid(bool is_valid)
{
	K_SYSCALL_NARROW(is_valid);
	ztest_set_assert_valid(is_valid);
}

__typeof__(ztest_assertion_failed_) verify_ztest_assertion_failed_;
void verify_ztest_assertion_failed_(void)
{
	ztest_assertion_failed_();
}

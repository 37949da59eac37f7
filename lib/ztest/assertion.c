/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With CONFIG_ZTEST_ASSERT_HOOK this stands in front of the kernel's own, which ends the run. In
 * either mode.
 */
#include "lib/ztest/ztest.h"

void k_assert_failed(const char *name, const char *file, int line)
{
	printk("ASSERTION FAILED: %s at %s:%d\n", name, file, line);
	ztest_assertion_failed_();
	CODE_UNREACHABLE;
}

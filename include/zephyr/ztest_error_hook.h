/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Faults and failed assertions that a test expects (CONFIG_ZTEST_FATAL_HOOK,
 * CONFIG_ZTEST_ASSERT_HOOK). Any other ends the run.
 */
#ifndef ZEPHYR_ZTEST_ERROR_HOOK_H
#define ZEPHYR_ZTEST_ERROR_HOOK_H

#include <zephyr/kernel.h>

EXTERN_C_BEGIN_

/**
 * The next fatal error of the calling thread is expected: it ends that thread and nothing else, a
 * panic's, too. False: none is. Context: thread; one in an ISR ends the run.
 */
void ztest_set_fault_valid(bool valid);
/**
 * A test may define it: called for an expected fatal error, before its thread ends, with interrupts
 * masked and arguments as k_sys_fatal_error_handler() has them. Context: either.
 */
void ztest_post_fatal_error_hook(unsigned int reason, const struct arch_esf *frame);

/**
 * The next failed assertion of the calling thread is expected: it ends that thread.
 * Context: thread.
 */
void ztest_set_assert_valid(bool valid);
/**
 * A test may define it, for an expected failed assertion; the thread ends when it returns.
 * Context: either.
 */
void ztest_post_assert_fail_hook(void);

EXTERN_C_END_

#endif /* ZEPHYR_ZTEST_ERROR_HOOK_H */

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a test written for Zephyr's ztest includes (CONFIG_ZTEST): tests and suites, what they
 * check, and faults that they expect. docs/compatibility.md says what of it is different here.
 */
#ifndef ZEPHYR_ZTEST_H
#define ZEPHYR_ZTEST_H

#include <stdio.h>
#include <string.h>

#include <zephyr/kernel.h>
#include <zephyr/app_memory/app_memdomain.h>
#include <zephyr/sys/printk.h>
#include <zephyr/tc_util.h>
#include <zephyr/ztest_assert.h>
#include <zephyr/ztest_error_hook.h>
#include <zephyr/ztest_test.h>

#endif /* ZEPHYR_ZTEST_H */

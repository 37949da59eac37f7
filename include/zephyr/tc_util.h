/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How ztest prints: lines that a test may print itself, in the same manner.
 */
#ifndef ZEPHYR_TC_UTIL_H
#define ZEPHYR_TC_UTIL_H

#include <zephyr/sys/printk.h>

#define TC_PASS  0 /**< what came of a test: it held */
#define TC_FAIL  1 /**< it did not */
#define TC_SKIP  2 /**< it did not run */
#define TC_FLAKY 3 /**< run more than once, with different ends */

/** Print as printk() does. Context: either. */
#define PRINT_DATA(fmt, ...) printk(fmt, ##__VA_ARGS__)
/** The same, of a test's own. Context: either. */
#define TC_PRINT(fmt, ...)   printk(fmt, ##__VA_ARGS__)
/** The same, with where it was said. Context: either. */
#define TC_ERROR(fmt, ...)   printk("FAIL - %s@%d. " fmt, __func__, __LINE__, ##__VA_ARGS__)
/** A line across. Context: either. */
#define PRINT_LINE           printk("===================================================================\n")

#endif /* ZEPHYR_TC_UTIL_H */

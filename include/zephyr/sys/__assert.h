/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * __ASSERT() under Zephyr's path. */
#ifndef ZEPHYR_SYS_ASSERT_H
#define ZEPHYR_SYS_ASSERT_H

#include <foliot/assert.h>

#endif /* ZEPHYR_SYS_ASSERT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * assert(), as a named assertion of CONFIG_ASSERT. */
#ifndef FOLIOT_LIBC_ASSERT_H
#define FOLIOT_LIBC_ASSERT_H

#include <foliot/assert.h>

#undef assert
#define assert(condition) K_ASSERT(condition, #condition)

#endif /* FOLIOT_LIBC_ASSERT_H */

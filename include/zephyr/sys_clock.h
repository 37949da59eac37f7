/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The clock under Zephyr's path. */
#ifndef ZEPHYR_SYS_CLOCK_H
#define ZEPHYR_SYS_CLOCK_H

#include <foliot/time.h>

#endif /* ZEPHYR_SYS_CLOCK_H */

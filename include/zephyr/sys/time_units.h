/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Units of time under Zephyr's path. */
#ifndef ZEPHYR_SYS_TIME_UNITS_H
#define ZEPHYR_SYS_TIME_UNITS_H

#include <foliot/time.h>

#endif /* ZEPHYR_SYS_TIME_UNITS_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Types under Zephyr's path. */
#ifndef ZEPHYR_TYPES_H
#define ZEPHYR_TYPES_H

#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>

#endif /* ZEPHYR_TYPES_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Fatal errors under Zephyr's path. */
#ifndef ZEPHYR_FATAL_H
#define ZEPHYR_FATAL_H

#include <foliot/fatal.h>

#endif /* ZEPHYR_FATAL_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory domains and their partitions under Zephyr's path. */
#ifndef ZEPHYR_APP_MEMORY_APP_MEMDOMAIN_H
#define ZEPHYR_APP_MEMORY_APP_MEMDOMAIN_H

#include <foliot/kernel.h>

#endif /* ZEPHYR_APP_MEMORY_APP_MEMDOMAIN_H */

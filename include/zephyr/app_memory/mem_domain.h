/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory domains under Zephyr's path. */
#ifndef ZEPHYR_APP_MEMORY_MEM_DOMAIN_H
#define ZEPHYR_APP_MEMORY_MEM_DOMAIN_H

#include <foliot/kernel.h>

#endif /* ZEPHYR_APP_MEMORY_MEM_DOMAIN_H */

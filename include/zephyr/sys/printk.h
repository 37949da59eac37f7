/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * printk() under Zephyr's path. */
#ifndef ZEPHYR_SYS_PRINTK_H
#define ZEPHYR_SYS_PRINTK_H

#include <foliot/console.h>

#endif /* ZEPHYR_SYS_PRINTK_H */

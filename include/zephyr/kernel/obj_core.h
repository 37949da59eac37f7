/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Object cores under Zephyr's path. */
#ifndef ZEPHYR_KERNEL_OBJ_CORE_H
#define ZEPHYR_KERNEL_OBJ_CORE_H

#include <foliot/kernel.h>

#endif /* ZEPHYR_KERNEL_OBJ_CORE_H */

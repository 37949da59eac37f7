/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The kernel's types under Zephyr's path. */
#ifndef ZEPHYR_KERNEL_STRUCTS_H
#define ZEPHYR_KERNEL_STRUCTS_H

#include <zephyr/kernel.h>

#endif /* ZEPHYR_KERNEL_STRUCTS_H */

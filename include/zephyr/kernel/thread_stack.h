/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Stacks under Zephyr's path. */
#ifndef ZEPHYR_KERNEL_THREAD_STACK_H
#define ZEPHYR_KERNEL_THREAD_STACK_H

#include <foliot/kernel.h>

#endif /* ZEPHYR_KERNEL_THREAD_STACK_H */

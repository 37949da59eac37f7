/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What of the core's own a kernel program asks for: interrupts. */
#ifndef ZEPHYR_ARCH_CPU_H
#define ZEPHYR_ARCH_CPU_H

#include <foliot/kernel.h>

#endif /* ZEPHYR_ARCH_CPU_H */

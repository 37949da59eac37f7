/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The same, under the older path. */
#ifndef ZEPHYR_SYS_ARCH_INTERFACE_H
#define ZEPHYR_SYS_ARCH_INTERFACE_H

#include <zephyr/arch/cpu.h>

#endif /* ZEPHYR_SYS_ARCH_INTERFACE_H */

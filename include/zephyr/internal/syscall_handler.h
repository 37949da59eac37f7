/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the verifiers of an application's own system calls use, under Zephyr's path. */
#ifndef ZEPHYR_INTERNAL_SYSCALL_HANDLER_H
#define ZEPHYR_INTERNAL_SYSCALL_HANDLER_H

#include <zephyr/kernel.h>
#include <foliot/syscall.h>

#endif /* ZEPHYR_INTERNAL_SYSCALL_HANDLER_H */

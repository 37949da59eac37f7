/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What code written to Zephyr's kernel API includes: the kernel, and what Zephyr's own header
 * brings with it. docs/compatibility.md says what is there and what is different.
 */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <foliot/kernel.h>
#include <zephyr/toolchain.h>
#include <zephyr/sys/atomic.h>
#include <zephyr/sys/dlist.h>
#include <zephyr/sys/sflist.h>
#include <zephyr/sys/slist.h>
#include <zephyr/sys/sys_heap.h>
#include <zephyr/sys/util.h>
#include <zephyr/spinlock.h>

#endif /* ZEPHYR_KERNEL_H */

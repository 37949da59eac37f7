/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What code written to Zephyr's kernel API includes: the kernel, and what Zephyr's own header
 * brings with it. docs/compatibility.md says what is there and what is different.
 */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <limits.h>

#include <foliot/kernel.h>
#include <zephyr/toolchain.h>
#include <zephyr/sys/atomic.h>
#include <zephyr/sys/dlist.h>
#include <zephyr/sys/sflist.h>
#include <zephyr/sys/slist.h>
#include <zephyr/sys/sys_heap.h>
#include <zephyr/sys/util.h>
#include <zephyr/spinlock.h>
#include <zephyr/sys_clock.h>

#ifdef CONFIG_USERSPACE
/* As in Zephyr these have no result, so what is refused is a fatal error of the caller. */
#undef k_object_access_grant
/** As <foliot/object.h> has it; what is refused is fatal. Context: thread. */
#define k_object_access_grant(object, thread)                                       \
	k_object_must_be_granted_(k_object_grant_((object), K_OBJECT_KIND_(object), \
						  K_OBJECT_SIZE_(object), (thread)))
#undef k_object_access_all_grant
/** As <foliot/object.h> has it; what is refused is fatal. Context: thread. */
#define k_object_access_all_grant(object) \
	k_object_must_be_granted_(        \
		k_object_grant_all_((object), K_OBJECT_KIND_(object), K_OBJECT_SIZE_(object)))
#endif

#endif /* ZEPHYR_KERNEL_H */

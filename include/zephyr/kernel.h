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

EXTERN_C_BEGIN_

/** Returns the number of cores. Context: either. */
static inline unsigned int arch_num_cpus(void)
{
	return 1U;
}

/* There is one core, number 0; a thread that may run keeps its mask, as in Zephyr. */
static inline int k_thread_cpu_mask_change_(k_tid_t thread, int cpu)
{
	return cpu != 0 || thread->state == 0U ? -EINVAL : 0;
}

/**
 * Whether the thread's mask of cores may be emptied. No thread is kept from the one core.
 * Returns 0; -EINVAL: it may run now. Context: either.
 */
static inline int k_thread_cpu_mask_clear(k_tid_t thread)
{
	return k_thread_cpu_mask_change_(thread, 0);
}

/** Let it run on all cores. Returns 0; -EINVAL: it may run now. Context: either. */
static inline int k_thread_cpu_mask_enable_all(k_tid_t thread)
{
	return k_thread_cpu_mask_change_(thread, 0);
}

/** Let it run on a core. Returns 0; -EINVAL: it may run now, or no such core. Context: either. */
static inline int k_thread_cpu_mask_enable(k_tid_t thread, int cpu)
{
	return k_thread_cpu_mask_change_(thread, cpu);
}

/** Keep it from a core. Returns as k_thread_cpu_mask_enable(). Context: either. */
static inline int k_thread_cpu_mask_disable(k_tid_t thread, int cpu)
{
	return k_thread_cpu_mask_change_(thread, cpu);
}

/** Let it run on one core only. Returns as k_thread_cpu_mask_enable(). Context: either. */
static inline int k_thread_cpu_pin(k_tid_t thread, int cpu)
{
	return k_thread_cpu_mask_change_(thread, cpu);
}

EXTERN_C_END_

/** As <foliot/thread.h> has it, of what k_thread_foreach() shows too. Context: thread. */
#define k_thread_stack_space_get(thread, unused_bytes)                                 \
	k_thread_stack_space_get(                                                      \
		(k_tid_t)(uintptr_t)(true ? (thread) : (const struct k_thread *)NULL), \
		(unused_bytes))

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

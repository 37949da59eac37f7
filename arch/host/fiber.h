/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telling AddressSanitizer which stack runs, so that it knows the bounds of the one it
 * checks and keeps no traces of a dead thread's frames on a stack that is used again.
 * Nothing without it.
 */
#ifndef FOLIOT_ARCH_HOST_FIBER_H
#define FOLIOT_ARCH_HOST_FIBER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

static inline void fiber_leave(void **own, bool for_good, const void *stack, size_t size)
{
	__sanitizer_start_switch_fiber(for_good ? NULL : own, stack, size);
}

static inline void fiber_arrive(void *own)
{
	__sanitizer_finish_switch_fiber(own, NULL, NULL);
}

static inline void fiber_clean(void *stack, size_t size)
{
	__asan_unpoison_memory_region(stack, size);
}
#else
static inline void fiber_leave(void **own, bool for_good, const void *stack, size_t size)
{
	(void)own;
	(void)for_good;
	(void)stack;
	(void)size;
}

static inline void fiber_arrive(void *own)
{
	(void)own;
}

static inline void fiber_clean(void *stack, size_t size)
{
	(void)stack;
	(void)size;
}
#endif

#endif /* FOLIOT_ARCH_HOST_FIBER_H */

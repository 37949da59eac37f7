/* SPDX-License-Identifier: Apache-2.0 */
/* Where a thread's copy of the thread-local variables lies, by the ABI: kernel/sched/tls.c. */
#ifndef FOLIOT_ARCH_TLS_H
#define FOLIOT_ARCH_TLS_H

#include <stddef.h>
#include <stdint.h>
#include <foliot/util.h>

/*
 * Returns where `size` bytes aligned to `align`, a power of two, lie in front of `end`; `pointer`:
 * the thread pointer that finds them. They begin 8 bytes behind it, or as many as they are aligned
 * to; nobody has those bytes, which are the ABI's for dynamic linkers.
 */
static inline char *arch_tls_place(char *end, size_t size, size_t align, void **pointer)
{
	uintptr_t copy = ((uintptr_t)end - size) & ~(uintptr_t)(align - 1);

	*pointer = (void *)(copy - MAX(align, 8U));
	return (char *)copy;
}

#endif /* FOLIOT_ARCH_TLS_H */

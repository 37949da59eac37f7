/* SPDX-License-Identifier: Apache-2.0 */
/* Where a thread's copy of the thread-local variables lies, by the ABI: kernel/sched/tls.c. */
#ifndef FOLIOT_ARCH_TLS_H
#define FOLIOT_ARCH_TLS_H

#include <stddef.h>
#include <stdint.h>
#include <foliot/util.h>

/*
 * Returns where `size` bytes lie in front of `end`; `pointer`: the thread pointer that finds them.
 * They end where it points to, but for what fills them up to `align`, a power of two; and there
 * lies its own address, since no instruction reads the segment's base otherwise.
 */
static inline char *arch_tls_place(char *end, size_t size, size_t align, void **pointer)
{
	uintptr_t mask = ~(uintptr_t)(MAX(align, sizeof(uintptr_t)) - 1);
	uintptr_t base = ((uintptr_t)end - sizeof(uintptr_t)) & mask;

	*(uintptr_t *)base = base;
	*pointer = (void *)base;
	return (char *)(base - ROUND_UP(size, align));
}

#endif /* FOLIOT_ARCH_TLS_H */

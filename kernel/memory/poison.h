/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a port is told that watches for uses of freed memory: which bytes are somebody's and which
 * are nobody's from now on. The host port does (arch_poison.h there); elsewhere this is nothing,
 * and no instruction.
 */
#ifndef FOLIOT_KERNEL_POISON_H
#define FOLIOT_KERNEL_POISON_H

#include <foliot/util.h>

#if __has_include(<arch_poison.h>)
#include <arch_poison.h>
#else
#define ARCH_OWNS_FREE_BLOCKS /* a function that reads and writes there nevertheless */

static inline void arch_block_freed(void *start, size_t bytes)
{
	(void)start;
	(void)bytes;
}

static inline void arch_block_taken(void *start, size_t bytes)
{
	(void)start;
	(void)bytes;
}
#endif

#endif /* FOLIOT_KERNEL_POISON_H */

/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Barriers of memory: full ones, by the compiler's own. */
#ifndef ZEPHYR_SYS_BARRIER_H
#define ZEPHYR_SYS_BARRIER_H

#include <foliot/util.h>

/** All accesses before it come before all behind it. Context: either. */
static inline void barrier_dmem_fence_full(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif /* ZEPHYR_SYS_BARRIER_H */

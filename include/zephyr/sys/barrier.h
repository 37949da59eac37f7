/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Barriers of memory: full ones, by the compiler's own; and Arm's of the pipeline. */
#ifndef ZEPHYR_SYS_BARRIER_H
#define ZEPHYR_SYS_BARRIER_H

#include <foliot/util.h>

/** All accesses before it come before all behind it. Context: either. */
static inline void barrier_dmem_fence_full(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/**
 * The same, and on Arm no instruction behind it is executed before they are done; elsewhere no
 * core has one of that kind. Context: either.
 */
static inline void barrier_dsync_fence_full(void)
{
#if defined(__arm__) || defined(__aarch64__)
	__asm__ volatile("dsb sy" ::: "memory");
#else
	barrier_dmem_fence_full();
#endif
}

/**
 * What lies behind it is fetched and executed as what was set before it says (CONTROL, the MPU
 * ...), on Arm; elsewhere barrier_dmem_fence_full(), as in Zephyr. It does not make code that was
 * just written visible to a RISC-V core: that is FENCE.I. Context: either.
 */
static inline void barrier_isync_fence_full(void)
{
#if defined(__arm__) || defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#else
	barrier_dmem_fence_full();
#endif
}

#endif /* ZEPHYR_SYS_BARRIER_H */

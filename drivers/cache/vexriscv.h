/* SPDX-License-Identifier: Apache-2.0 */
/*
 * VexRiscv's caches: fence.i empties that of instructions, a fence of another kind, which is the
 * core's own, that of data. Data is written through, so nothing is ever to be cleaned.
 */
#ifndef FOLIOT_DRIVERS_CACHE_VEXRISCV_H
#define FOLIOT_DRIVERS_CACHE_VEXRISCV_H

/* They are on after a reset. */
static inline void cache_start(void)
{
}

static inline void cache_drop_code(void)
{
	__asm__ volatile(".word 0x0000100f" ::: "memory");
}

static inline void cache_drop_data(void)
{
	__asm__ volatile(".word 0x0000500f" ::: "memory");
}

static inline void cache_clean_data(void)
{
	__asm__ volatile("" ::: "memory");
}

#endif /* FOLIOT_DRIVERS_CACHE_VEXRISCV_H */

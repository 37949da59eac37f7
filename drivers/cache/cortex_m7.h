/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Cortex-M7's caches, which are off after a reset and hold anything. Data is written back, so
 * that it has to be cleaned before it is dropped; both go by set and way, since all of it is meant,
 * and the core says how many there are. What lies in tightly coupled memory is in no cache:
 * CONFIG_RAM_CACHED. (ARMv7-M Architecture Reference Manual, B2.2, B4.8.)
 */
#ifndef FOLIOT_DRIVERS_CACHE_CORTEX_M7_H
#define FOLIOT_DRIVERS_CACHE_CORTEX_M7_H

#include <stdint.h>

#define CACHE_REG_(n) (*(volatile uint32_t *)(0xE000E000UL + (n)))
#define CACHE_CCR     CACHE_REG_(0xD14)
#define CACHE_CCSIDR  CACHE_REG_(0xD80)
#define CACHE_CSSELR  CACHE_REG_(0xD84)
#define CACHE_ICIALLU CACHE_REG_(0xF50)
#define CACHE_DCISW   CACHE_REG_(0xF60) /* drops */
#define CACHE_DCCSW   CACHE_REG_(0xF6C) /* cleans */
#define CACHE_DCCISW  CACHE_REG_(0xF74) /* both */

#define CACHE_CCR_DATA (1UL << 16)
#define CACHE_CCR_CODE (1UL << 17)

#define CACHE_LINE_SHIFT 5 /* lines of 32 bytes, on every M7 */

static inline void cache_wait_(void)
{
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

/* Write each set and way of the data cache to one of the registers above. */
static inline void cache_each_line_(volatile uint32_t *operation)
{
	uint32_t size, sets, ways, way_shift;

	CACHE_CSSELR = 0; /* of data, level 1 */
	cache_wait_();
	size = CACHE_CCSIDR;
	sets = (size >> 13 & 0x7FFFU) + 1U;
	ways = (size >> 3 & 0x3FFU) + 1U;
	way_shift = ways == 1U ? 0U : (uint32_t)__builtin_clz(ways - 1U);
	/* Bound: the lines, 512 of 16 KiB. */
	for (uint32_t set = 0; set < sets; set++) {
		for (uint32_t way = 0; way < ways; way++) {
			*operation = way << way_shift | set << CACHE_LINE_SHIFT;
		}
	}
	cache_wait_();
}

static inline void cache_drop_code(void)
{
	cache_wait_();
	CACHE_ICIALLU = 0;
	cache_wait_();
}

static inline void cache_drop_data(void)
{
	cache_wait_();
	cache_each_line_(&CACHE_DCCISW);
}

static inline void cache_clean_data(void)
{
	cache_wait_();
	cache_each_line_(&CACHE_DCCSW);
}

/* At boot. */
static inline void cache_start(void)
{
	cache_drop_code();
	cache_each_line_(&CACHE_DCISW);
	CACHE_CCR |= CACHE_CCR_CODE | CACHE_CCR_DATA;
	cache_wait_();
}

#endif /* FOLIOT_DRIVERS_CACHE_CORTEX_M7_H */

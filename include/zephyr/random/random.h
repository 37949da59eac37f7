/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Numbers that look random, as Zephyr's CONFIG_TEST_RANDOM_GENERATOR has them: made of the cycle
 * counter, and so for tests and for what only has to differ. Secrets need a device that no board
 * here has: sys_csrand_get() is not there.
 */
#ifndef ZEPHYR_RANDOM_RANDOM_H
#define ZEPHYR_RANDOM_RANDOM_H

#include <zephyr/kernel.h>

EXTERN_C_BEGIN_

/** Returns a number of 32 bits; two calls on end never return the same. Context: either. */
uint32_t sys_rand32_get(void);
/** Fill `length` bytes. Context: either. */
void sys_rand_get(void *dst, size_t length);

/** Returns a number of 8 bits. Context: either. */
static inline uint8_t sys_rand8_get(void)
{
	return (uint8_t)sys_rand32_get();
}

/** Returns a number of 16 bits. Context: either. */
static inline uint16_t sys_rand16_get(void)
{
	return (uint16_t)sys_rand32_get();
}

/** Returns a number of 64 bits. Context: either. */
static inline uint64_t sys_rand64_get(void)
{
	return ((uint64_t)sys_rand32_get() << 32) | sys_rand32_get();
}

EXTERN_C_END_

#endif /* ZEPHYR_RANDOM_RANDOM_H */

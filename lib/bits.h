/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lowest bit that is set, inline. A core without an instruction for it calls libgcc
 * for __builtin_ctz(), and a function that calls saves registers: here it is a
 * multiplication by a de Bruijn sequence and a table, nine instructions.
 */
#ifndef FOLIOT_LIB_BITS_H
#define FOLIOT_LIB_BITS_H

#include <stdint.h>

#if defined(CONFIG_FAST_BIT_SEARCH) && defined(__riscv_mul) && !defined(__riscv_zbb)
extern const uint8_t bits_place[32];

/* Its number, from 0; `bits` is not 0. */
static inline unsigned int lowest_bit(uint32_t bits)
{
	return bits_place[((bits & -bits) * 0x077CB531U) >> 27U];
}
#else
static inline unsigned int lowest_bit(uint32_t bits)
{
	return (unsigned int)__builtin_ctz(bits);
}
#endif

#endif /* FOLIOT_LIB_BITS_H */

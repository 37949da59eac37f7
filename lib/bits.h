/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bits of a word, inline: the lowest that is set. A core without an instruction for it calls libgcc
 * for __builtin_ctz(), and a function that calls saves registers: here it is a
 * multiplication by a de Bruijn sequence and a table, nine instructions.
 */
#ifndef FOLIOT_LIB_BITS_H
#define FOLIOT_LIB_BITS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__riscv_mul) && !defined(__riscv_zbb)
#define SEARCHES_BY_CALL 1
#elif defined(__arm__) && !defined(__ARM_FEATURE_CLZ)
#define SEARCHES_BY_CALL 1
#else
#define SEARCHES_BY_CALL 0
#endif

#if defined(CONFIG_FAST_BIT_SEARCH) && SEARCHES_BY_CALL
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

/*
 * Is bit `number` modulo 32 set? A core that rotates by a register takes that modulo 32 by itself,
 * which GCC 12 does not make of the C.
 */
/*@ assigns \nothing;
  @ ensures \result <==> (bits >> (number % 32)) % 2 == 1;
  @*/
static inline bool bit_is_set(uint32_t bits, unsigned int number)
{
#ifdef __thumb2__
	__asm__("ror %0, %0, %1" : "+r"(bits) : "r"(number));
#else
	bits >>= number % 32U;
#endif
	return (bits & 1U) != 0;
}

#endif /* FOLIOT_LIB_BITS_H */

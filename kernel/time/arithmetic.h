/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches and divisions as the clock and the timeout wheel do them: by instructions where
 * the core has fast ones. Elsewhere the compiler would call libgcc's, which take 16 to 33
 * cycles on Ibex to search a word for a bit; its `divu` takes 37.
 */
#ifndef FOLIOT_KERNEL_ARITHMETIC_H
#define FOLIOT_KERNEL_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>
#include <foliot/util.h>

#define DIGIT_BITS 4U

#if defined(__riscv) && !defined(__riscv_zbb)
#define SEARCH_BY_HAND true
#elif defined(__arm__) && !defined(__ARM_FEATURE_CLZ)
#define SEARCH_BY_HAND true
#else
#define SEARCH_BY_HAND false
#endif

#if defined(__riscv)
#define DIVIDE_BY_HAND true
#else
#define DIVIDE_BY_HAND false
#endif

/* By comparisons: two to decide where, one to count. */
/*@ predicate is_digit_of(integer digit, integer word) =
  @   digit == (word < 0x10 ? 0 : word < 0x100 ? 1 : word < 0x1000 ? 2 : word < 0x10000 ? 3 :
  @             word < 0x100000 ? 4 : word < 0x1000000 ? 5 : word < 0x10000000 ? 6 : 7);
  @*/
/*@ assigns \nothing;
  @ ensures is_digit_of(\result, word);
  @*/
static inline unsigned int highest_digit_by_hand(uint32_t word)
{
	if (likely(word >> 16 == 0)) {
		return likely(word >> 8 != 0) ? 2U + (word >> 12 != 0) : word >> 4 != 0;
	}
	return word >> 24 == 0 ? 4U + (word >> 20 != 0) : 6U + (word >> 28 != 0);
}

/* The number of the highest hexadecimal digit that is not 0; 0 for 0. */
/*@ assigns \nothing;
  @ ensures is_digit_of(\result, word);
  @*/
static inline unsigned int highest_digit(uint32_t word)
{
	return SEARCH_BY_HAND ? highest_digit_by_hand(word)
			      : (31U - (unsigned int)__builtin_clz(word | 1U)) / DIGIT_BITS;
}

/* word / by, which is a constant. */
static inline uint32_t quotient(uint32_t word, uint32_t by)
{
	uint32_t found;

	if (!DIVIDE_BY_HAND || by == 1U) {
		return word / by;
	}
	/* The reciprocal is rounded down, so what it finds is at most one too few. */
	found = (uint32_t)(((uint64_t)word * ((1ULL << 32) / by)) >> 32);
	return word - found * by >= by ? found + 1U : found;
}

#endif /* FOLIOT_KERNEL_ARITHMETIC_H */

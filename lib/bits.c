/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lowest bit that is set, for cores without an instruction for it: libgcc's own goes
 * through the bytes and takes 33 cycles on Ibex, a multiplication by a de Bruijn sequence
 * 15. The archive is linked before libgcc. Inline, where a call would cost more: bits.h.
 */
#include "lib/bits.h"

#if defined(CONFIG_FAST_BIT_SEARCH) && defined(__riscv_mul) && !defined(__riscv_zbb)

const uint8_t bits_place[32] = {
	0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
	31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9,
};

/* The compiler calls it. */
int __ctzsi2(unsigned int x);

__attribute__((aligned(16))) int __ctzsi2(unsigned int x)
{
	return (int)lowest_bit(x);
}

#endif

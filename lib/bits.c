/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lowest bit that is set, for cores without an instruction for it: libgcc's own goes
 * through the bytes and takes 33 cycles on Ibex, a multiplication by a de Bruijn sequence
 * 15. The archive is linked before libgcc. Inline, where a call would cost more: bits.h.
 */
#include "lib/bits.h"

#if defined(CONFIG_FAST_BIT_SEARCH) && SEARCHES_BY_CALL

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

#elif defined(CONFIG_SIZE_OPTIMIZATIONS) && defined(__riscv) && !defined(__riscv_zbb)

int __ctzsi2(unsigned int x);

/* By halves, without the 256 bytes of libgcc's table. */
int __ctzsi2(unsigned int x)
{
	int place = 0;

	for (unsigned int half = 16; half != 0; half >>= 1) {
		if ((x & ((1U << half) - 1U)) == 0) {
			x >>= half;
			place += (int)half;
		}
	}
	return place;
}

#endif

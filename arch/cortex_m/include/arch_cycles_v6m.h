/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch_cycles() where the core has no DWT: SysTick where there is one, else a timer that has to be
 * told to copy its count (an nRF51's TIMER0, which at 16 MHz is the core's clock): a store of 1 to
 * BOARD_CYCLES_CAPTURE_REG, then a load from BOARD_CYCLES_CAPTURED_REG. One statement of always the
 * same instructions, see arch_inline.h.
 */
#ifndef FOLIOT_ARCH_CYCLES_V6M_H
#define FOLIOT_ARCH_CYCLES_V6M_H

#include <stdint.h>
#include <board.h>

#ifdef BOARD_CYCLES_SYSTICK
/* SysTick, at the core's clock: 24 bits, counting down. */
static ALWAYS_INLINE uint32_t arch_cycles(void)
{
	uint32_t count;

	__asm__ volatile("movs %0, #0xE0\n\tlsls %0, %0, #16\n\tadds %0, #0xE0\n\t"
			 "lsls %0, %0, #8\n\tldr %0, [%0, #0x18]\n\tmvns %0, %0\n\t"
			 "lsls %0, %0, #8\n\tlsrs %0, %0, #8"
			 : "=&l"(count)
			 :
			 : "cc", "memory");
	return count;
}
#else
#define CAPTURE_BASE_ (BOARD_CYCLES_CAPTURE_REG & ~0xFFUL)
#define CAPTURE_AT_   (BOARD_CYCLES_CAPTURE_REG & 0xFFUL)
#define CAPTURED_AT_  (BOARD_CYCLES_CAPTURED_REG - BOARD_CYCLES_CAPTURE_REG)

static ALWAYS_INLINE uint32_t arch_cycles(void)
{
	uint32_t place, word;

	/* Constants by parts: a load of one from memory would depend on where that lies. */
	__asm__ volatile("movs %0, %2\n\tlsls %0, %0, #16\n\tadds %0, %3\n\tlsls %0, %0, #8\n\t"
			 "adds %0, %4\n\tmovs %1, #1\n\tstr %1, [%0]\n\t"
			 "movs %1, %5\n\tlsls %1, %1, #8\n\tadds %1, %6\n\tldr %0, [%0, %1]"
			 : "=&l"(place), "=&l"(word)
			 : "i"(CAPTURE_BASE_ >> 24), "i"(CAPTURE_BASE_ >> 8 & 0xFFUL),
			   "i"(CAPTURE_AT_), "i"(CAPTURED_AT_ >> 8), "i"(CAPTURED_AT_ & 0xFFUL)
			 : "cc", "memory");
	return place;
}

_Static_assert((CAPTURE_BASE_ >> 16 & 0xFFUL) == 0 && CAPTURED_AT_ < 0x10000, "its constants");
#endif

#endif /* FOLIOT_ARCH_CYCLES_V6M_H */

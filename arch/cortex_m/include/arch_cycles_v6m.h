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
#define CAPTURED_AT_ (BOARD_CYCLES_CAPTURED_REG - BOARD_CYCLES_CAPTURE_REG)

static ALWAYS_INLINE uint32_t arch_cycles(void)
{
	uint32_t place, word;

	/*
	 * The address out of the function's constants: flash that every load takes as long from,
	 * wherever they lie.
	 */
	__asm__ volatile("ldr %0, =%c2\n\tmovs %1, #1\n\tstr %1, [%0]\n\t"
			 "movs %1, %3\n\tlsls %1, %1, #8\n\tldr %0, [%0, %1]"
			 : "=&l"(place), "=&l"(word)
			 : "i"(BOARD_CYCLES_CAPTURE_REG), "i"(CAPTURED_AT_ >> 8)
			 : "cc", "memory");
	return place;
}

_Static_assert(CAPTURED_AT_ % 0x100 == 0 && CAPTURED_AT_ < 0x10000, "its constants");
#endif

#endif /* FOLIOT_ARCH_CYCLES_V6M_H */

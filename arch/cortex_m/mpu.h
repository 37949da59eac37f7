/* SPDX-License-Identifier: Apache-2.0 */
/* What the MPUs of ARMv7-M (mpu.c) and ARMv8-M (mpu_v8.c) have in common. */
#ifndef FOLIOT_CORTEX_M_MPU_H
#define FOLIOT_CORTEX_M_MPU_H

#include <stdint.h>
#include "frames.h"

#define MPU_CTRL (*(volatile uint32_t *)0xE000ED94)
#define REGIONS  ((volatile uint32_t *)MPU_RBAR) /* and RASR or RLAR; three pairs more behind */

#define CTRL_ENABLE     1U
#define CTRL_PRIVDEFENA 4U

#define VECTORS_SIZE 256U /* what the region of code leaves out at its beginning, or more */

extern char _user_rom_end[], _rodata_end[], _user_words[];

/* Two words at once, from an offset behind `from` to one behind `to`. */
#define MOVE_PAIR(to, to_offset, from, from_offset)                                     \
	do {                                                                            \
		uint32_t one_, two_;                                                    \
		__asm__ volatile("ldrd %0, %1, [%2, %4]\n\tstrd %0, %1, [%3, %5]"       \
				 : "=&r"(one_), "=&r"(two_)                             \
				 : "r"(from), "r"(to), "i"(from_offset), "i"(to_offset) \
				 : "memory");                                           \
	} while (0)

#endif /* FOLIOT_CORTEX_M_MPU_H */

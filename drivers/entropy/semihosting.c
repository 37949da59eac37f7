/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of the computer that a debugger or emulator runs on, by Arm semihosting. In
 * seconds: it differs from boot to boot, and keeps out nobody who knows when that was.
 */
#include "drivers/entropy.h"

#define SYS_TIME 0x11U

#ifdef __aarch64__
#define FIRST  "x0"
#define SECOND "x1"
#define CALL   "hlt #0xf000"
#else
#define FIRST  "r0"
#define SECOND "r1"
#define CALL   "bkpt 0xab"
#endif

bool entropy_get(uint32_t *word)
{
	register uintptr_t operation __asm__(FIRST) = SYS_TIME;
	register uintptr_t argument __asm__(SECOND) = 0;

	__asm__ volatile(CALL : "+r"(operation) : "r"(argument) : "memory");
	*word = (uint32_t)operation;
	return true;
}

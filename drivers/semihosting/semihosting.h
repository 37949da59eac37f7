/* SPDX-License-Identifier: Apache-2.0 */
/* A call of Arm semihosting: the debugger, or the emulator, that the core runs under answers. */
#ifndef FOLIOT_DRIVERS_SEMIHOSTING_H
#define FOLIOT_DRIVERS_SEMIHOSTING_H

#include <stdint.h>

#ifdef __aarch64__
#define SEMIHOSTING_FIRST  "x0"
#define SEMIHOSTING_SECOND "x1"
#define SEMIHOSTING_CALL   "hlt #0xf000"
#else
#define SEMIHOSTING_FIRST  "r0"
#define SEMIHOSTING_SECOND "r1"
#define SEMIHOSTING_CALL   "bkpt 0xab"
#endif

/* `argument` is the operation's own, most often a block's address. Returns its result. */
static inline uintptr_t semihosting_call(uintptr_t operation, uintptr_t argument)
{
	register uintptr_t first __asm__(SEMIHOSTING_FIRST) = operation;
	register uintptr_t second __asm__(SEMIHOSTING_SECOND) = argument;

	__asm__ volatile(SEMIHOSTING_CALL : "+r"(first) : "r"(second) : "memory");
	return first;
}

#endif /* FOLIOT_DRIVERS_SEMIHOSTING_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* Arm semihosting: the debugger or emulator ends the run. */
#include <stdint.h>
#include "drivers/board_exit.h"

#define SYS_EXIT_EXTENDED     0x20U
#define STOP_APPLICATION_EXIT 0x20026U

#ifdef __aarch64__
#define FIRST  "x0"
#define SECOND "x1"
#define CALL   "hlt #0xf000"
#else
#define FIRST  "r0"
#define SECOND "r1"
#define CALL   "bkpt 0xab"
#endif

void board_exit(int status)
{
	const uintptr_t block[2] = {STOP_APPLICATION_EXIT, (uintptr_t)status};
	register uintptr_t operation __asm__(FIRST) = SYS_EXIT_EXTENDED;
	register const uintptr_t *argument __asm__(SECOND) = block;

	__asm__ volatile(CALL : "+r"(operation) : "r"(argument) : "memory");
	for (;;) {
	}
}

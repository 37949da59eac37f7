/* SPDX-License-Identifier: Apache-2.0 */
/* Arm semihosting: the debugger or emulator ends the run. */
#include <stdint.h>
#include "drivers/board_exit.h"

#define SYS_EXIT_EXTENDED     0x20U
#define STOP_APPLICATION_EXIT 0x20026U

void board_exit(int status)
{
	const uint32_t block[2] = {STOP_APPLICATION_EXIT, (uint32_t)status};
	register uint32_t r0 __asm__("r0") = SYS_EXIT_EXTENDED;
	register const uint32_t *r1 __asm__("r1") = block;

	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	for (;;) {
	}
}

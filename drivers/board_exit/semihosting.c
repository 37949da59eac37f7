/* SPDX-License-Identifier: Apache-2.0 */
/* Arm semihosting: the debugger or emulator ends the run. */
#include "drivers/board_exit.h"
#include "drivers/semihosting/semihosting.h"

#define SYS_EXIT_EXTENDED     0x20U
#define STOP_APPLICATION_EXIT 0x20026U

void board_exit(int status)
{
	const uintptr_t block[2] = {STOP_APPLICATION_EXIT, (uintptr_t)status};

	(void)semihosting_call(SYS_EXIT_EXTENDED, (uintptr_t)block);
	for (;;) {
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The BCM2835's power management: a reset by its watchdog into partition 63, which the Pi's loader
 * takes for "off", and QEMU for its end, with success. That it was none can only be told by
 * semihosting, which QEMU answers. On a real Pi nobody does; what was to be said has been printed
 * by then, and the core stays in the fault that comes of it.
 */
#include "drivers/board_exit.h"
#include "drivers/semihosting/semihosting.h"
#include <board.h>

#define REG(n)  (*(volatile uint32_t *)(BOARD_PM_BASE + (n)))
#define PM_RSTC REG(0x1CUL)
#define PM_RSTS REG(0x20UL)
#define PM_WDOG REG(0x24UL)

#define PASSWORD   0x5A000000U
#define FULL_RESET 0x20U
#define OFF        0x555U
#define SOON       10U /* of 16 us */

#define SYS_EXIT_EXTENDED     0x20U
#define STOP_APPLICATION_EXIT 0x20026U

void board_exit(int status)
{
	const uintptr_t block[2] = {STOP_APPLICATION_EXIT, (uintptr_t)status};

	if (status != 0) {
		(void)semihosting_call(SYS_EXIT_EXTENDED, (uintptr_t)block);
	}
	PM_RSTS = PASSWORD | OFF;
	PM_WDOG = PASSWORD | SOON;
	PM_RSTC = PASSWORD | FULL_RESET;
	for (;;) {
		__asm__ volatile("wfi");
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The window that is swept: a file of its own, since the linker leads calls of other files only through the stub. */
#include "everywhere.h"
#include <board.h>

#ifdef BOARD_MARKER
#define MARKER (*(volatile uint32_t *)BOARD_MARKER)
#else
static volatile uint32_t MARKER;
#endif

uint32_t units_to_injection;

void everywhere_window(unsigned int number)
{
	MARKER = number;
	inject_in(number != 0 ? units_to_injection : 0);
}

void verify_everywhere_window(unsigned int number);
void verify_everywhere_window(unsigned int number)
{
	everywhere_window(number);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a report is printed with. Asks nothing of what may be broken: no thread, no registers, no
 * printk.
 */
#include "kernel/base/fatal.h"

void fatal_print_hex(uintptr_t value)
{
	for (int shift = (int)sizeof(value) * 8 - 4; shift >= 0; shift -= 4) {
		if (shift < 32 || (value >> shift) != 0) {
			unsigned int digit = (value >> shift) & 15U;

			console_putc((char)(digit < 10U ? '0' + digit : 'a' - 10U + digit));
		}
	}
}

void fatal_print_text(const char *text)
{
	/* Bound: its length. */
	while (*text != '\0') {
		console_putc(*text++);
	}
}

void fatal_print_pc(const char *text, uintptr_t pc)
{
	fatal_print_text(text);
	fatal_print_hex(pc);
	console_putc('\n');
}

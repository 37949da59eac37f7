/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a report is printed with, a line at a time. Asks nothing of what may be broken: no thread,
 * no registers, no printk.
 */
#include "kernel/base/fatal.h"
#include "drivers/uart.h"
#include "lib/console_line.h"

#ifdef CONFIG_USERSPACE
#define MAX_TRIES 8U /* then others' lines have gone in front often enough, and it is left */

/* There is a thread only once threads have begun. */
static const void *writer(void)
{
	return k_cpu.current != NULL ? (const void *)k_cpu.current : &k_cpu;
}

static bool is_cut(void)
{
	return console_line != writer();
}

bool fatal_line(unsigned int *tries)
{
	const bool is_done = *tries != 0 && (!is_cut() || *tries == MAX_TRIES);

	if (!is_done) {
		console_take();
	}
	console_line = is_done ? NULL : writer();
	(*tries)++;
	return !is_done;
}

void fatal_print_char(char c)
{
	if (!is_cut()) {
		uart_putc(c);
	}
}
#endif

void fatal_print_hex(uintptr_t value)
{
	for (int shift = (int)sizeof(value) * 8 - 4; shift >= 0; shift -= 4) {
		if (shift < 32 || (value >> shift) != 0) {
			unsigned int digit = (value >> shift) & 15U;

			fatal_print_char((char)(digit < 10U ? '0' + digit : 'a' - 10U + digit));
		}
	}
}

void fatal_print_text(const char *text)
{
	/* Bound: its length. */
	while (*text != '\0') {
		fatal_print_char(*text++);
	}
}

void fatal_print_pc(const char *text, uintptr_t pc)
{
	unsigned int tries = 0;

	/* Bound: MAX_TRIES. */
	while (fatal_line(&tries)) {
		fatal_print_text(text);
		fatal_print_hex(pc);
		fatal_print_char('\n');
	}
}

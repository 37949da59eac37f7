/* SPDX-License-Identifier: Apache-2.0 */
/* A fatal error for people, in words with all registers, and as a record for the lab. */
#include "kernel/base/fatal.h"
#include "lib/also_link.h"
#include "lib/string.h"

ALSO_LINK(arch_fault_words); /* the port's */

#define NAME_WIDTH 11 /* of a register in a column */
#define IN_A_LINE  4U

static const char *reason_name(unsigned int reason)
{
	static const char *const names[] = {
		[K_ERR_CPU_EXCEPTION] = "cpu exception",
		[K_ERR_SPURIOUS_IRQ] = "spurious interrupt",
		[K_ERR_STACK_CHK_FAIL] = "stack overflow",
		[K_ERR_KERNEL_OOPS] = "kernel oops",
		[K_ERR_KERNEL_PANIC] = "kernel panic",
	};

	return reason < ARRAY_SIZE(names) ? names[reason] : "unknown";
}

/*
 * `$` stands for a text and `#` for a uintptr_t in hexadecimal. Not printk(): a program that
 * prints nothing else would weigh 2.8 KB more for it.
 */
static void print(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	for (; *fmt != '\0'; fmt++) {
		if (*fmt == '$') {
			fatal_print_text(va_arg(ap, const char *));
		} else if (*fmt == '#') {
			fatal_print_hex(va_arg(ap, uintptr_t));
		} else {
			fatal_print_char(*fmt);
		}
	}
	va_end(ap);
}

/* As a JSON string: an assertion's name may be the text of a condition with quotes. */
static void print_quoted(const char *text)
{
	fatal_print_char('"');
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\') {
			fatal_print_char('\\');
		}
		fatal_print_char(*text);
	}
	fatal_print_char('"');
}

static void print_what(const struct fault *fault)
{
	const struct k_thread *thread = k_cpu.current;

	print("\n*** FATAL: $: $ at pc 0x#, thread 0x# $$\n", reason_name(fault->reason),
	      fault->cause, fault->pc, (uintptr_t)thread,
	      thread == NULL ? "" : k_thread_name_get((k_tid_t)(uintptr_t)thread),
	      fault->where == FATAL_IN_ISR ? " (in an interrupt)" : "");
}

static void print_some(const uintptr_t *registers, unsigned int from)
{
	const unsigned int to = MIN(from + IN_A_LINE, ARCH_FAULT_REGISTERS);

	for (unsigned int i = from; i < to; i++) {
		for (size_t width = strlen(arch_fault_names[i]); width < NAME_WIDTH; width++) {
			fatal_print_char(' ');
		}
		print("$ 0x#", arch_fault_names[i], registers[i]);
	}
	fatal_print_char('\n');
}

/* Everything but the cause meets JSON's rules by construction. */
static void print_record(const struct fault *fault, const uintptr_t *registers)
{
	print("@foliot {\"type\":\"fault\",\"reason\":\"$\",\"cause\":",
	      reason_name(fault->reason));
	print_quoted(fault->cause);
	print(",\"pc\":\"0x#\",\"thread\":\"0x#\",\"in_isr\":$,\"registers\":{", fault->pc,
	      (uintptr_t)k_cpu.current, fault->where == FATAL_IN_ISR ? "1" : "0");
	for (unsigned int i = 0; registers != NULL && i < ARCH_FAULT_REGISTERS; i++) {
		print("$\"$\":\"0x#\"", i == 0 ? "" : ",", arch_fault_names[i], registers[i]);
	}
	print("}}\n");
}

void fatal_print_words(const struct fault *fault, const uintptr_t *registers)
{
	const unsigned int rows = registers == NULL
					  ? 0
					  : (ARCH_FAULT_REGISTERS + IN_A_LINE - 1) / IN_A_LINE;

	/* Bound: the lines. */
	for (unsigned int line = 0; line < rows + 2; line++) {
		unsigned int tries = 0;

		while (fatal_line(&tries)) {
			if (line == 0) {
				print_what(fault);
			} else if (line <= rows) {
				print_some(registers, (line - 1) * IN_A_LINE);
			} else {
				print_record(fault, registers);
			}
		}
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A fatal error for people, in words with all registers, and as a record for the lab. */
#include "kernel/base/fatal.h"
#include "lib/also_link.h"
#include "lib/string.h"

ALSO_LINK(fault_report_words); /* the port's */

#define NAME_WIDTH 11 /* of a register in a column */

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
			console_putc(*fmt);
		}
	}
	va_end(ap);
}

/* As a JSON string: an assertion's name may be the text of a condition with quotes. */
static void print_quoted(const char *text)
{
	console_putc('"');
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\') {
			console_putc('\\');
		}
		console_putc(*text);
	}
	console_putc('"');
}

static void print_for_people(unsigned int reason, const char *cause, uintptr_t pc,
			     const struct fault_register *regs, unsigned int num_regs, bool in_isr)
{
	const struct k_thread *thread = k_cpu.current;

	print("\n*** FATAL: $: $ at pc 0x#, thread 0x# $$\n", reason_name(reason), cause, pc,
	      (uintptr_t)thread,
	      thread == NULL ? "" : k_thread_name_get((k_tid_t)(uintptr_t)thread),
	      in_isr ? " (in an interrupt)" : "");
	for (unsigned int i = 0; i < num_regs; i++) {
		for (size_t width = strlen(regs[i].name); width < NAME_WIDTH; width++) {
			console_putc(' ');
		}
		print("$ 0x#$", regs[i].name, regs[i].value,
		      (i % 4 == 3 || i + 1 == num_regs) ? "\n" : "");
	}
}

/* Everything but the cause meets JSON's rules by construction. */
void fatal_print_words(unsigned int reason, const char *cause, uintptr_t pc,
		       const struct fault_register *regs, unsigned int num_regs, bool in_isr)
{
	print_for_people(reason, cause, pc, regs, num_regs, in_isr);
	print("@foliot {\"type\":\"fault\",\"reason\":\"$\",\"cause\":", reason_name(reason));
	print_quoted(cause);
	print(",\"pc\":\"0x#\",\"thread\":\"0x#\",\"in_isr\":$,\"registers\":{", pc,
	      (uintptr_t)k_cpu.current, in_isr ? "1" : "0");
	for (unsigned int i = 0; i < num_regs; i++) {
		print("$\"$\":\"0x#\"", i == 0 ? "" : ",", regs[i].name, regs[i].value);
	}
	print("}}\n");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A fatal error for people, in words with all registers, and as a record for the lab. */
#include "kernel/core/fatal.h"

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

/* Everything else in the record meets JSON's rules by construction. */
void fatal_print(unsigned int reason, const char *cause, uintptr_t pc,
		 const struct fault_register *regs, unsigned int num_regs, bool in_isr)
{
	const struct k_thread *thread = k_cpu.current;

	printk("\n*** FATAL: %s: %s at pc 0x%08lx, thread %p %s%s\n", reason_name(reason), cause,
	       (unsigned long)pc, (const void *)thread,
	       thread == NULL ? "" : k_thread_name_get((k_tid_t)(uintptr_t)thread),
	       in_isr ? " (in an interrupt)" : "");
	for (unsigned int i = 0; i < num_regs; i++) {
		printk("%11s 0x%08lx%s", regs[i].name, (unsigned long)regs[i].value,
		       (i % 4 == 3 || i + 1 == num_regs) ? "\n" : "");
	}
	printk("@foliot {\"type\":\"fault\",\"reason\":\"%s\",\"cause\":", reason_name(reason));
	print_quoted(cause);
	printk(",\"pc\":\"0x%08lx\",\"thread\":\"0x%08lx\",\"in_isr\":%d,\"registers\":{",
	       (unsigned long)pc, (unsigned long)(uintptr_t)thread, in_isr);
	for (unsigned int i = 0; i < num_regs; i++) {
		printk("%s\"%s\":\"0x%08lx\"", i == 0 ? "" : ",", regs[i].name,
		       (unsigned long)regs[i].value);
	}
	printk("}}\n");
}

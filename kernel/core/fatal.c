/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fatal errors: one report for people and one record for the lab, whatever went
 * wrong; then the application's handler decides, and by default the run ends. A verdict and
 * no more: how a thread that faulted is left is its port's matter, which knows the context.
 */
#include "kernel/core/kernel.h"
#include "kernel/sched/generation.h"
#include "drivers/board_exit.h"

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
static void print_report(unsigned int reason, const char *cause, uintptr_t pc,
			 const struct fault_register *regs, unsigned int num_regs, bool in_isr)
{
	const struct k_thread *thread = k_cpu.current;

	printk("\n*** FATAL: %s: %s at pc 0x%08lx, thread %p %s%s\n", reason_name(reason), cause,
	       (unsigned long)pc, (const void *)thread,
	       thread == NULL ? "" : k_thread_name_get((k_tid_t)(uintptr_t)thread),
	       in_isr ? " (in an interrupt)" : "");
	for (unsigned int i = 0; i < num_regs; i++) {
		printk("%8s 0x%08lx%s", regs[i].name, (unsigned long)regs[i].value,
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

__attribute__((weak)) void k_sys_fatal_error_handler(unsigned int reason, const void *frame)
{
	k_exit(1);
}

/*
 * The last thread whose fault was reported, and its generation then; NULL at first, and
 * before there are threads.
 */
static struct k_thread *reported;
static uint32_t reported_generation;

/* One line, that asks nothing of what may be broken: no thread, no registers, no printk. */
static void print_again(uintptr_t pc)
{
	static const char text[] = "\n*** FATAL again, while a fault was reported: at pc 0x";

	for (const char *c = text; *c != '\0'; c++) {
		console_putc(*c);
	}
	for (int shift = (int)sizeof(pc) * 8 - 4; shift >= 0; shift -= 4) {
		console_putc("0123456789abcdef"[(pc >> shift) & 15U]);
	}
	console_putc('\n');
}

/*
 * A handler of the application's may not return but go on elsewhere, by aborting its thread
 * or waiting, and then fault_depth stays: what another thread does is no repetition, nor
 * what the same block does once it is created anew. A thread that has ended is no other yet.
 */
static bool is_again(void)
{
	if (k_cpu.fault_depth == 0 || k_cpu.current != reported) {
		return false;
	}
	return reported == NULL || reported->generation == reported_generation ||
	       (reported->state & K_THREAD_DEAD) != 0;
}

static void begin(void)
{
	reported = k_cpu.current;
	if (reported != NULL) {
		reported_generation = generation_of(reported);
	}
	k_cpu.fault_depth = 1;
}

void fatal_check_again(uintptr_t pc)
{
	if (!is_again()) {
		return;
	}
	(void)arch_irq_lock();
	k_cpu.fault_depth++;
	if (k_cpu.fault_depth == 2) {
		print_again(pc);
	}
	board_exit(1);
}

void fatal_report(unsigned int reason, const char *cause, uintptr_t pc,
		  const struct fault_register *regs, unsigned int num_regs, enum fatal_where where)
{
	unsigned int key = arch_irq_lock();

	fatal_check_again(pc);
	begin();
	print_report(reason, cause, pc, regs, num_regs, where == FATAL_IN_ISR);
	k_sys_fatal_error_handler(reason, regs);
	if (where != FATAL_IN_THREAD || reason == K_ERR_KERNEL_PANIC || !kernel_started) {
		k_exit(1);
	}
	k_cpu.fault_depth = 0;
	arch_irq_unlock(key);
}

static enum fatal_where caller(void)
{
	return arch_in_isr() ? FATAL_IN_ISR : FATAL_IN_THREAD;
}

void fatal_raise(unsigned int reason, const char *cause)
{
	fatal_report(reason, cause, (uintptr_t)__builtin_return_address(0), NULL, 0, caller());
	thread_exit();
}

void k_fatal_raise(unsigned int reason)
{
	fatal_report(reason, "raised by software", (uintptr_t)__builtin_return_address(0), NULL, 0,
		     caller());
	thread_exit();
}

void k_assert_failed(const char *name, const char *file, int line)
{
	(void)arch_irq_lock();
	printk("ASSERTION FAILED: %s at %s:%d\n", name, file, line);
	fatal_report(K_ERR_KERNEL_PANIC, name, (uintptr_t)__builtin_return_address(0), NULL, 0,
		     caller());
	k_exit(1);
}

void k_exit(int status)
{
	(void)arch_irq_lock();
	board_exit(status);
}

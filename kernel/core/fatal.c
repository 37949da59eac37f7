/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fatal errors: one report for people and one record for the lab, whatever went
 * wrong; then the application's handler decides, and by default the run ends. A verdict and
 * no more: how a thread that faulted is left is its port's matter, which knows the context.
 */
#include "kernel/base/fatal.h"
#include "kernel/hooks/user.h"
#include "drivers/board_exit.h"
#include "lib/string.h"

__attribute__((weak)) void k_sys_fatal_error_handler(unsigned int reason,
						     const struct arch_esf *frame)
{
	if (user_is_running()) {
		return; /* only the thread ends; the run, where the fault was the kernel's */
	}
	k_exit(1);
}

/* The last thread whose fault was reported; NULL at first, and before there are threads. */
static const struct k_thread *reported;

/*
 * A handler of the application's may not return but go on elsewhere, by aborting its thread
 * or waiting, and then fault_depth stays: what another thread does is no repetition, nor
 * what the same block does once it is created anew, which has no such mark among its options.
 */
static bool is_again(void)
{
	const struct k_thread *thread = k_cpu.current;

	return k_cpu.fault_depth != 0 && thread == reported &&
	       (thread == NULL || (thread->options & THREAD_OPTION_REPORTED) != 0);
}

static void begin(void)
{
	struct k_thread *thread = k_cpu.current;

	reported = thread;
	if (thread != NULL) {
		thread->options |= THREAD_OPTION_REPORTED;
	}
	k_cpu.fault_depth = 1;
}

/* Its number, as enum k_fatal_error_reason has it, and where. */
static __cold void print_brief(unsigned int reason, uintptr_t pc)
{
	unsigned int tries = 0;

	/* Bound: fatal_line()'s. */
	while (fatal_line(&tries)) {
		fatal_print_text("\n*** FATAL ");
		fatal_print_char((char)('0' + reason));
		fatal_print_text(" 0x");
		fatal_print_hex(pc);
		fatal_print_char('\n');
	}
}

static inline void print(const struct fault *fault, const uintptr_t *registers)
{
	if (FATAL_HAS_WORDS(fatal_print_words)) {
		fatal_print_words(fault, registers);
	} else {
		print_brief(fault->reason, fault->pc);
	}
}

void fatal_check_again(uintptr_t pc)
{
	if (!is_again()) {
		return;
	}
	(void)arch_irq_lock();
	k_cpu.fault_depth++;
	if (k_cpu.fault_depth == 2) {
		fatal_print_pc("\n*** FATAL again, at pc 0x", pc);
	}
	board_exit(1);
}

/* A user thread's, in kernel mode, takes as long as its console: with interrupts as they were. */
void fatal_report(const struct fault *fault, const uintptr_t *registers)
{
	const bool is_threads = fault->where == FATAL_IN_THREAD &&
				fault->reason != K_ERR_KERNEL_PANIC && kernel_started;
	unsigned int key = arch_irq_lock();

	fatal_check_again(fault->pc);
	begin();
	if (is_threads && user_is_running()) {
		arch_irq_unlock(key);
	}
	if (!FATAL_HAS_WORDS(fatal_print_words)) {
		registers = NULL; /* nobody has found them */
	}
	print(fault, registers);
	k_sys_fatal_error_handler(fault->reason, (const struct arch_esf *)registers);
	if (!is_threads) {
		k_exit(1);
	}
	k_cpu.fault_depth = 0;
	arch_irq_unlock(key);
}

#ifdef CONFIG_USERSPACE
struct fatal_kept *fatal_keep(const struct fault *fault, const uintptr_t *registers)
{
	struct fatal_kept *kept = (struct fatal_kept *)ROUND_DOWN(
		(uintptr_t)k_cpu.current->stack_start - sizeof(struct fatal_kept), 16);

	kept->fault = *fault;
	kept->fault.where = FATAL_IN_THREAD;
	memcpy(kept->registers, registers, sizeof(kept->registers));
	return kept;
}

void fatal_of_user(const struct fatal_kept *kept)
{
	fatal_report(&kept->fault, kept->registers);
	thread_exit();
}
#endif

static enum fatal_where caller(void)
{
	return arch_in_isr() ? FATAL_IN_ISR : FATAL_IN_THREAD;
}

void fatal_raise_at(unsigned int reason, const char *cause, uintptr_t pc)
{
	fatal_report(&(struct fault){reason, cause, pc, caller()}, NULL);
	thread_exit();
}

void fatal_raise(unsigned int reason, const char *cause)
{
	fatal_raise_at(reason, cause, (uintptr_t)__builtin_return_address(0));
}

void k_fatal_raise(unsigned int reason)
{
	fatal_raise_at(reason, IS_ENABLED(CONFIG_FAULT_REPORT) ? "raised by software" : NULL,
		       (uintptr_t)__builtin_return_address(0));
}

void k_exit(int status)
{
	(void)arch_irq_lock();
	board_exit(status);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A fault: whose it is, and that its thread ends. */
#include "fault_words.h"
#include "kernel/core/kernel.h"
#include "offsets.h"

uintptr_t aarch64_fault_frame[33];

/* trap.S calls it. */
void aarch64_fault(bool in_isr);

/* Did arch_switch() fail to save the thread it leaves, x0, which sp is wrong of? */
static bool is_in_switch(void)
{
	extern const char aarch64_switch_saved[];
	uintptr_t pc = aarch64_fault_frame[FAULT_PC];

	return pc >= (uintptr_t)arch_switch && pc < (uintptr_t)aarch64_switch_saved;
}

/* arch_fault_raise()'s: its arguments are in the frame. */
static void find_raised(struct fault *fault, uint64_t esr)
{
#ifdef CONFIG_STACK_CHECKS
	const uintptr_t *x = aarch64_fault_frame;

	if (esr >> ESR_EC_SHIFT == EC_BRK && fault->pc == (uintptr_t)arch_fault_raise) {
		*fault = (struct fault){(unsigned int)x[0], (const char *)x[1], x[2],
					(enum fatal_where)x[3]};
	}
#endif
}

void aarch64_fault(bool in_isr)
{
	struct fault fault = {K_ERR_CPU_EXCEPTION, NULL, aarch64_fault_frame[FAULT_PC],
			      FATAL_IN_THREAD};
	uint64_t esr;

	if (is_in_switch() && !sched_switch_failed((struct k_thread *)aarch64_fault_frame[0])) {
		return;
	}
	fatal_check_again(fault.pc);
	__asm__ volatile("mrs %0, esr_el1" : "=r"(esr));
	fault.cause = fault_cause(esr);
	find_raised(&fault, esr);
	if (in_isr) {
		fault.where = FATAL_IN_ISR;
	}
	fault_report(&fault, esr);
	k_thread_abort(k_cpu.current); /* like a handler's: trap.S leaves it as it leaves one */
}

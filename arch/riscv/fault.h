/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that are the stack's: raised by arch_fault_raise(), or a hit of the guard. */
#ifndef FOLIOT_RISCV_FAULT_H
#define FOLIOT_RISCV_FAULT_H

#include "kernel/core/kernel.h"
#include "offsets.h"

#ifdef CONFIG_STACK_CHECKS
#include "kernel/protect/stackcheck.h"
#include "kernel/protect/stackguard.h"

#define CAUSE_BREAKPOINT  3U
#define CAUSE_STORE_FAULT 7U

/* Were interrupts masked, other than by the core to enter this one (trap.S)? */
static inline bool fault_while_masked(uintptr_t pc)
{
	extern char riscv_interrupt[], riscv_interrupt_saved[];
	uint32_t status;

	__asm__ volatile("csrr %0, mstatus" : "=r"(status));
	return (status & MSTATUS_MPIE) == 0 &&
	       (pc < (uintptr_t)riscv_interrupt || pc >= (uintptr_t)riscv_interrupt_saved);
}

/* Report a fault as what it is, if it is the stack's; `frame` as trap.S keeps it. */
static inline bool fault_report_stack(uint32_t cause, uint32_t address, const uintptr_t *frame,
				      const struct fault_register *regs, unsigned int num_regs,
				      bool in_isr)
{
	if (cause == CAUSE_BREAKPOINT && frame[0] == (uintptr_t)arch_fault_raise) {
		fatal_report(frame[10], (const char *)frame[11], frame[12], regs, num_regs, in_isr);
		return true;
	}
	if (cause == CAUSE_STORE_FAULT && stackguard_holds(address)) {
		stackcheck_is_final = fault_while_masked(frame[0]);
		fatal_report(K_ERR_STACK_CHK_FAIL, "store into the stack guard", frame[0], regs,
			     num_regs, in_isr);
		return true;
	}
	return false;
}
#else
static inline bool fault_report_stack(uint32_t cause, uint32_t address, const uintptr_t *frame,
				      const struct fault_register *regs, unsigned int num_regs,
				      bool in_isr)
{
	return false;
}
#endif

#endif /* FOLIOT_RISCV_FAULT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers. */
#include "fault.h"
#include "kernel/core/kernel.h"

/* pc in place of x0, then x1 to x31; filled by trap.S. */
uintptr_t riscv_fault_frame[32];

/* trap.S calls it. */
void riscv_fault(bool in_isr);

static const char *cause_name(uint32_t cause)
{
	static const char *const names[] = {
		[0] = "instruction address misaligned",
		[1] = "instruction access fault",
		[2] = "illegal instruction",
		[3] = "breakpoint",
		[4] = "load address misaligned",
		[5] = "load access fault",
		[6] = "store address misaligned",
		[7] = "store access fault",
		[8] = "ecall from user mode",
		[11] = "ecall",
	};

	return cause < ARRAY_SIZE(names) && names[cause] != NULL ? names[cause] : "unknown";
}

/* Did arch_switch() fail to save the thread it leaves, a0, which sp is wrong of? */
static bool is_in_switch(void)
{
	extern const char riscv_switch_saved[];
	uintptr_t pc = riscv_fault_frame[0];

	return pc >= (uintptr_t)arch_switch && pc < (uintptr_t)riscv_switch_saved;
}

void riscv_fault(bool in_isr)
{
	static const char *const names[32] = {
		"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
		"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
		"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
	};
	struct fault_register regs[ARRAY_SIZE(names) + 2];
	struct fault fault = {K_ERR_CPU_EXCEPTION, NULL, riscv_fault_frame[0], FATAL_IN_THREAD};
	uint32_t cause;
	uint32_t mtval;

	if (is_in_switch() && !sched_switch_failed((struct k_thread *)riscv_fault_frame[10])) {
		return;
	}
	fatal_check_again(riscv_fault_frame[0]);
	__asm__ volatile("csrr %0, mcause" : "=r"(cause));
	__asm__ volatile("csrr %0, mtval" : "=r"(mtval));
	fault.cause = cause_name(cause);
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		regs[i] = (struct fault_register){names[i], riscv_fault_frame[i]};
	}
	regs[ARRAY_SIZE(names)] = (struct fault_register){"mcause", cause};
	regs[ARRAY_SIZE(names) + 1] = (struct fault_register){"mtval", mtval};
	fault_find_stack(&fault, cause, mtval, riscv_fault_frame);
	fatal_report(fault.reason, fault.cause, fault.pc, regs, ARRAY_SIZE(regs),
		     in_isr ? FATAL_IN_ISR : fault.where);
	k_thread_abort(k_cpu.current); /* like a handler's: trap.S leaves it as it leaves one */
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A fault: whose it is, and that its thread ends. */
#include "fault.h"
#include "fault_words.h"
#include "user_fault.h"
#include "kernel/core/kernel.h"
#include "kernel/protect/user.h"

CALLS_DIRECTLY(k_thread_abort);

uintptr_t riscv_fault_frame[32];
#ifdef RISCV_KEEPS_FAULTS
struct riscv_kept *riscv_kept;
#endif

/* trap.S calls it. */
__cold void riscv_fault(bool in_isr);

/* Did arch_switch() fail to save the thread it leaves, a0, which sp is wrong of? */
static bool is_in_switch(void)
{
	extern const char riscv_switch_saved[];
	uintptr_t pc = riscv_fault_frame[0];

	if (fault_is_no_room(pc)) {
		return true;
	}
	return pc >= (uintptr_t)arch_switch && pc < (uintptr_t)riscv_switch_saved;
}

/* User mode has chosen its pc and its registers: they say nothing of the kernel then. */
static bool is_from_user_mode(void)
{
	uintptr_t status;

	if (!IS_ENABLED(CONFIG_USERSPACE)) {
		return false;
	}
	__asm__ volatile("csrr %0, mstatus" : "=r"(status));
	return (status & MSTATUS_MPP) == 0;
}

/* What lies there is the stack of the thread's system calls, of which it cannot mean anything. */
static bool is_below_stack(uintptr_t address)
{
	return user_is_running() && (uintptr_t)k_cpu.current->stack_start - 1 - address <
					    user_stack_reserved(k_cpu.current->stack_start);
}

void riscv_fault(bool in_isr)
{
	struct fault fault = {K_ERR_CPU_EXCEPTION, NULL, riscv_fault_frame[0], FATAL_IN_THREAD};
	uintptr_t cause;
	uintptr_t mtval;

	if (!is_from_user_mode() && is_in_switch() &&
	    !sched_switch_failed((struct k_thread *)riscv_fault_frame[10])) {
		return;
	}
	fatal_check_again(riscv_fault_frame[0]);
	__asm__ volatile("csrr %0, mcause" : "=r"(cause));
	__asm__ volatile("csrr %0, mtval" : "=r"(mtval));
	fault.cause = fault_cause(cause);
	if (is_from_user_mode() && is_below_stack(mtval)) {
		fault.reason = K_ERR_STACK_CHK_FAIL;
		fault.cause = "a user thread's stack has overflowed";
	} else if (is_from_user_mode()) {
		fault_find_canary(&fault, cause, riscv_fault_frame);
	} else {
		fault_find_stack(&fault, cause, mtval, riscv_fault_frame);
		if (user_is_running() && fault.reason != K_ERR_STACK_CHK_FAIL) {
			fault.where = FATAL_FOR_ALL; /* the kernel's, in a system call */
		}
	}
	if (in_isr) {
		fault.where = FATAL_IN_ISR;
	} else if (is_from_user_mode() && fault_is_kept(&fault, cause, mtval)) {
		return; /* its handler decides */
	}
	fault_report(&fault, cause, mtval);
	k_thread_abort(k_cpu.current); /* like a handler's: trap.S leaves it as it leaves one */
}

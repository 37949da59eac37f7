/* SPDX-License-Identifier: Apache-2.0 */
/* A fault: whose it is, and that its thread ends. */
#include "fault.h"
#include "fault_words.h"
#include "user_fault.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/user.h"

CALLS_DIRECTLY(k_thread_abort);

uintptr_t riscv_fault_frame[ARCH_FAULT_REGISTERS];

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

/*
 * Of user mode: what lies there is the stack of the thread's system calls, of which it cannot mean
 * anything.
 */
static bool is_below_stack(uintptr_t address)
{
#ifndef CONFIG_USERSPACE
	return false;
#else
	return (uintptr_t)k_cpu.current->stack_start - 1 - address < ARCH_USER_STACK_RESERVED;
#endif
}

/* In place of user mode: trap.S leaves as from a handler that has interrupted it there. */
static void go_on_reporting(const struct fault *fault)
{
	struct fatal_kept *kept = fatal_keep(fault, riscv_fault_frame);
	uintptr_t *frame = (uintptr_t *)kept - IRQ_FRAME_SIZE / REGBYTES;

	frame[4] = (uintptr_t)kept; /* a0 */
	k_cpu.arch.in_isr = (uintptr_t)frame;
	__asm__ volatile("csrw mepc, %0\n\tcsrs mstatus, %1" ::"r"(fatal_of_user),
			 "r"(MSTATUS_MPP | MSTATUS_MPIE));
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
	if (is_from_user_mode()) {
		fault.where = FATAL_IN_USER_MODE;
		if (is_below_stack(mtval)) {
			fault.reason = K_ERR_STACK_CHK_FAIL;
			fault.cause = FATAL_USER_OVERFLOW;
		} else {
			fault_find_canary(&fault, cause, riscv_fault_frame);
		}
	} else {
		fault_find_stack(&fault, cause, mtval, riscv_fault_frame);
		if (user_is_running() && fault.reason != K_ERR_STACK_CHK_FAIL) {
			fault.where = FATAL_FOR_ALL; /* the kernel's, in a system call */
		}
	}
	if (in_isr) {
		fault.where = FATAL_IN_ISR;
	}
	riscv_fault_frame[FAULT_MCAUSE] = cause;
	riscv_fault_frame[FAULT_MTVAL] = mtval;
	if (IS_ENABLED(CONFIG_USERSPACE) && fault.where == FATAL_IN_USER_MODE) {
		go_on_reporting(&fault);
		return;
	}
	fatal_report(&fault, riscv_fault_frame);
	k_thread_abort(k_cpu.current); /* like a handler's: trap.S leaves it as it leaves one */
}

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
/* ipc.S calls them. */
bool riscv_fault_is_saved(struct riscv_saved *kept);
uintptr_t riscv_fault_deliver(struct riscv_saved *kept);
uintptr_t riscv_fault_answered(struct riscv_saved *kept, int result);

/* A canary is no address that anybody could repair. */
static bool is_of_canary(const struct riscv_saved *kept, uintptr_t cause)
{
	return IS_ENABLED(CONFIG_STACK_CANARIES) && cause == CAUSE_BREAKPOINT &&
	       kept->registers[0] == (uintptr_t)arch_fault_raise;
}

/*
 * A fault of user mode, whose registers are kept; masked. True: its message is there, and its
 * handler decides. False: it is to be reported, by riscv_fault().
 */
bool riscv_fault_is_saved(struct riscv_saved *kept)
{
	uintptr_t cause, mtval, kind;

	__asm__ volatile("csrr %0, mcause" : "=r"(cause));
	if (k_cpu.current->ipc.fault_gate == NULL || is_of_canary(kept, cause)) {
		/* Bound: 32. */
		for (unsigned int i = 0; i < ARRAY_SIZE(kept->registers); i++) {
			riscv_fault_frame[i] = kept->registers[i];
		}
		return false;
	}
	__asm__ volatile("csrr %0, mtval" : "=r"(mtval));
	kind = fault_kind(cause, is_below_stack(mtval));
	kept->fault.words[K_IPC_FAULT_KIND] = kind;
	kept->fault.words[K_IPC_FAULT_ADDRESS] = fault_has_address(kind) ? mtval : 0;
	kept->fault.words[K_IPC_FAULT_PC] = kept->registers[0];
	kept->fault.words[K_IPC_FAULT_CAUSE] = cause;
	kept->fault.registers = kept->registers;
	kept->fault.size = sizeof(kept->registers);
	return true;
}

/* For a report, should there be one: as if it were in a system call. */
static void prepare_report(struct riscv_saved *kept)
{
	kept->call_frame[1] = kept->registers[0];
	kept->call_frame[2] = kept->registers[2];
}

uintptr_t riscv_fault_deliver(struct riscv_saved *kept)
{
	prepare_report(kept);
	return ipc_fault_deliver(&kept->fault);
}

uintptr_t riscv_fault_answered(struct riscv_saved *kept, int result)
{
	prepare_report(kept);
	return ipc_fault_answered(&kept->fault, result);
}
#endif

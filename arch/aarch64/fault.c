/* SPDX-License-Identifier: Apache-2.0 */
/* A fault: whose it is, and that its thread ends. */
#include "fault_words.h"
#include "user_fault.h"
#include "kernel/core/kernel.h"
#include "kernel/protect/stackguard.h"
#include "kernel/protect/user.h"
#include "offsets.h"
#include <arch_level.h>

CALLS_DIRECTLY(k_thread_abort);

uintptr_t aarch64_fault_frame[33];
#ifdef AARCH64_KEEPS_FAULTS
struct aarch64_kept *aarch64_kept;
#endif

/* trap.S calls it. */
void aarch64_fault(bool in_isr);

/* Did arch_switch() fail to save the thread it leaves, x0, which sp is wrong of? */
static bool is_in_switch(void)
{
	extern const char aarch64_switch_saved[];
	uintptr_t pc = aarch64_fault_frame[FAULT_PC];

	return pc >= (uintptr_t)arch_switch && pc < (uintptr_t)aarch64_switch_saved;
}

/* User mode has chosen its pc and its registers: they say nothing of the kernel then. */
static bool is_from_user_mode(void)
{
	uint64_t spsr;

	if (!IS_ENABLED(CONFIG_USERSPACE)) {
		return false;
	}
	AARCH64_READ(AARCH64_OWN(spsr), spsr);
	return (spsr & SPSR_MODE) == SPSR_EL0;
}

/* What lies there is the stack of the thread's system calls, of which it cannot mean anything. */
static bool is_below_stack(uint64_t esr)
{
	uintptr_t address;

	if (esr >> ESR_EC_SHIFT != EC_DATA_ABORT_0 || !user_is_running()) {
		return false;
	}
	AARCH64_READ(AARCH64_OWN(far), address);
	return (uintptr_t)k_cpu.current->stack_start - 1 - address <
	       user_stack_reserved(k_cpu.current->stack_start);
}

/*
 * arch_fault_raise()'s: its arguments are in the frame. User mode raises nothing but an overwritten canary, and
 * may have jumped there, too: no more is believed than its pc, which it may choose anyway.
 */
static void find_raised(struct fault *fault, uint64_t esr)
{
#ifdef CONFIG_STACK_CHECKS
	const uintptr_t *x = aarch64_fault_frame;

	if (esr >> ESR_EC_SHIFT != EC_BRK || fault->pc != (uintptr_t)arch_fault_raise) {
		return;
	}
	if (!is_from_user_mode()) {
		*fault = (struct fault){(unsigned int)x[0], (const char *)x[1], x[2],
					(enum fatal_where)x[3]};
	} else if (IS_ENABLED(CONFIG_STACK_CANARIES)) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = "stack canary overwritten";
		fault->pc = x[2];
	}
#endif
}

#ifdef CONFIG_STACK_GUARD_PAGES
/* Where trap.S has interrupts masked, but nothing is half done: on its way in, and before a switch. */
static bool is_in_entry(uintptr_t pc)
{
	extern char aarch64_interrupt[], aarch64_interrupt_saved[], aarch64_preempt_check[],
		aarch64_preempt_checked[];

	return pc - (uintptr_t)aarch64_interrupt <
		       (uintptr_t)(aarch64_interrupt_saved - aarch64_interrupt) ||
	       pc - (uintptr_t)aarch64_preempt_check <
		       (uintptr_t)(aarch64_preempt_checked - aarch64_preempt_check);
}

static bool is_masked(void)
{
	uint64_t spsr;

	AARCH64_READ(AARCH64_OWN(spsr), spsr);
	return (spsr & PSTATE_I) != 0;
}

/* The kernel has met the page below the running thread's stack. */
static void find_overflow(struct fault *fault, uint64_t esr)
{
	uintptr_t address;

	AARCH64_READ(AARCH64_OWN(far), address);
	if (esr >> ESR_EC_SHIFT == EC_DATA_ABORT && stackguard_holds(address)) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = "access to the stack guard";
		fault->where = is_masked() && !is_in_entry(fault->pc) ? FATAL_FOR_ALL
								      : FATAL_IN_THREAD;
	}
}
#else
static void find_overflow(struct fault *fault, uint64_t esr)
{
}
#endif

void aarch64_fault(bool in_isr)
{
	struct fault fault = {K_ERR_CPU_EXCEPTION, NULL, aarch64_fault_frame[FAULT_PC],
			      FATAL_IN_THREAD};
	uint64_t esr;

	if (!is_from_user_mode() && is_in_switch() &&
	    !sched_switch_failed((struct k_thread *)aarch64_fault_frame[0])) {
		return;
	}
	fatal_check_again(fault.pc);
	AARCH64_READ(AARCH64_OWN(esr), esr);
	fault.cause = fault_cause(esr);
	find_raised(&fault, esr);
	find_overflow(&fault, esr);
	if (is_from_user_mode() && is_below_stack(esr)) {
		fault.reason = K_ERR_STACK_CHK_FAIL;
		fault.cause = "a user thread's stack has overflowed";
	} else if (!is_from_user_mode() && user_is_running() &&
		   fault.reason != K_ERR_STACK_CHK_FAIL) {
		fault.where = FATAL_FOR_ALL; /* the kernel's, in a system call */
	}
	if (in_isr) {
		fault.where = FATAL_IN_ISR;
	} else if (is_from_user_mode() && fault_is_kept(&fault, esr)) {
		return; /* its handler decides */
	}
	fault_report(&fault, esr);
	k_thread_abort(k_cpu.current); /* like a handler's: trap.S leaves it as it leaves one */
}

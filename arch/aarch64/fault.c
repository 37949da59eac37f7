/* SPDX-License-Identifier: Apache-2.0 */
/* A fault: whose it is, and that its thread ends. */
#include "fault_words.h"
#include "user_fault.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/stackguard.h"
#include "kernel/hooks/user.h"
#include "frames.h"
#include <arch_level.h>

CALLS_DIRECTLY(k_thread_abort);

uintptr_t aarch64_fault_frame[ARCH_FAULT_REGISTERS];

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

/*
 * Of user mode: what lies there is the stack of the thread's system calls, of which it cannot mean
 * anything.
 */
static bool is_below_stack(uint64_t esr, uintptr_t address)
{
#ifdef CONFIG_USERSPACE
	return esr >> ESR_EC_SHIFT == EC_DATA_ABORT_0 &&
	       (uintptr_t)k_cpu.current->stack_start - 1 - address < ARCH_USER_STACK_RESERVED;
#else
	return false;
#endif
}

static uintptr_t fault_address(void)
{
	uintptr_t address;

	AARCH64_READ(AARCH64_OWN(far), address);
	return address;
}

/*
 * arch_fault_raise()'s: its arguments are in the frame. User mode raises nothing but an overwritten
 * canary, and may have jumped there, too: no more is believed than its pc, which it may choose
 * anyway.
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
/*
 * Where trap.S has interrupts masked, but nothing is half done: on its way in, and before a switch.
 */
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
	if (esr >> ESR_EC_SHIFT == EC_DATA_ABORT && stackguard_holds(fault_address())) {
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

/* In place of user mode: trap.S leaves as from a handler that has interrupted it there. */
static void go_on_reporting(const struct fault *fault)
{
	struct fatal_kept *kept = fatal_keep(fault, aarch64_fault_frame);
	uintptr_t *frame = (uintptr_t *)((uintptr_t)kept - IRQ_FRAME_SIZE);
	uintptr_t level;

	AARCH64_READ(CurrentEL, level);
	frame[0] = (uintptr_t)kept;
	frame[18] = 0; /* x18: kernel mode */
	frame[IRQ_FRAME_RETURN / sizeof(*frame)] = (uintptr_t)fatal_of_user;
	frame[IRQ_FRAME_RETURN / sizeof(*frame) + 1] = level | SPSR_IN_CALL |
						       (uintptr_t)IS_ENABLED(CONFIG_AARCH64_PAN)
							       << SPSR_PAN_SHIFT;
	k_cpu.arch.in_isr = (uintptr_t)frame;
}

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
	if (is_from_user_mode()) {
		fault.where = FATAL_IN_USER_MODE;
		if (is_below_stack(esr, fault_address())) {
			fault.reason = K_ERR_STACK_CHK_FAIL;
			fault.cause = FATAL_USER_OVERFLOW;
		}
	} else if (user_is_running() && fault.reason != K_ERR_STACK_CHK_FAIL) {
		fault.where = FATAL_FOR_ALL; /* the kernel's, in a system call */
	}
	if (in_isr) {
		fault.where = FATAL_IN_ISR;
	}
	AARCH64_READ(AARCH64_OWN(spsr), aarch64_fault_frame[FAULT_PSTATE]);
	aarch64_fault_frame[FAULT_ESR] = esr;
	aarch64_fault_frame[FAULT_FAR] = fault_address();
	if (IS_ENABLED(CONFIG_USERSPACE) && fault.where == FATAL_IN_USER_MODE) {
		go_on_reporting(&fault);
		return;
	}
	fatal_report(&fault, aarch64_fault_frame);
	k_thread_abort(k_cpu.current); /* like a handler's: trap.S leaves it as it leaves one */
}

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
/* ipc.S calls them. */
bool aarch64_fault_is_saved(struct aarch64_saved *kept);
uintptr_t aarch64_fault_deliver(struct aarch64_saved *kept);
uintptr_t aarch64_fault_answered(struct aarch64_saved *kept, int result);

/* A canary is no address that anybody could repair. */
static bool is_of_canary(const struct aarch64_saved *kept, uint64_t esr)
{
	return IS_ENABLED(CONFIG_STACK_CANARIES) && esr >> ESR_EC_SHIFT == EC_BRK &&
	       kept->registers[FAULT_PC] == (uintptr_t)arch_fault_raise;
}

/*
 * A fault of user mode, whose registers are kept; masked. True: its message is there, and its
 * handler decides. False: it is to be reported, by aarch64_fault().
 */
bool aarch64_fault_is_saved(struct aarch64_saved *kept)
{
	struct ipc_fault *fault = &kept->fault;
	uintptr_t address;
	uint64_t esr;

	AARCH64_READ(AARCH64_OWN(esr), esr);
	if (k_cpu.current->ipc.fault_gate == NULL || is_of_canary(kept, esr)) {
		/* Bound: 33. */
		for (unsigned int i = 0; i < ARRAY_SIZE(kept->registers); i++) {
			aarch64_fault_frame[i] = kept->registers[i];
		}
		return false;
	}
	address = fault_address();
	fault->words[K_IPC_FAULT_KIND] = fault_kind(esr, is_below_stack(esr, address));
	fault->words[K_IPC_FAULT_ADDRESS] = fault_has_address(esr) ? address : 0;
	fault->words[K_IPC_FAULT_PC] = kept->registers[FAULT_PC];
	fault->words[K_IPC_FAULT_CAUSE] = esr;
	fault->registers = kept->registers;
	fault->size = FAULT_PC * sizeof(uintptr_t);
	return true;
}

/* For a report, should there be one: as if it were in a system call. */
static void prepare_report(struct aarch64_saved *kept)
{
	kept->call_frame[0] = kept->registers[FAULT_PC];
	kept->call_frame[1] = kept->registers[FAULT_SP];
}

uintptr_t aarch64_fault_deliver(struct aarch64_saved *kept)
{
	prepare_report(kept);
	return ipc_fault_deliver(&kept->fault);
}

uintptr_t aarch64_fault_answered(struct aarch64_saved *kept, int result)
{
	prepare_report(kept);
	return ipc_fault_answered(&kept->fault, result);
}
#endif

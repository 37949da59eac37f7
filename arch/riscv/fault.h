/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that are the stack's: raised by arch_fault_raise(), or a hit of the guard. */
#ifndef FOLIOT_RISCV_FAULT_H
#define FOLIOT_RISCV_FAULT_H

#include "fault_words.h"
#include "kernel/base/kernel.h"
#include "frames.h"

#ifdef CONFIG_STACK_CHECKS
#include "kernel/hooks/stackguard.h"

#define CAUSE_BREAKPOINT  3U
#define CAUSE_STORE_FAULT 7U

/*
 * Where trap.S has interrupts masked, but nothing is half done: on its way in, and before a switch.
 */
static inline bool fault_is_in_entry(uintptr_t pc)
{
	extern char riscv_interrupt[], riscv_interrupt_saved[];
	extern char riscv_preempt_check[], riscv_preempt_checked[];

	if (pc - (uintptr_t)riscv_interrupt <
	    (uintptr_t)(riscv_interrupt_saved - riscv_interrupt)) {
		return true;
	}
	return IS_ENABLED(CONFIG_STACK_GUARD_HW) &&
	       pc - (uintptr_t)riscv_preempt_check <
		       (uintptr_t)(riscv_preempt_checked - riscv_preempt_check);
}

/* Where arch_switch() finds no room above the guard for its frame. */
static inline bool fault_is_no_room(uintptr_t pc)
{
	extern char riscv_switch_no_room[];

	return IS_ENABLED(CONFIG_STACK_GUARD_HW) && pc == (uintptr_t)riscv_switch_no_room;
}

static inline bool fault_while_masked(uintptr_t pc)
{
	uintptr_t status;

	__asm__ volatile("csrr %0, mstatus" : "=r"(status));
	return (status & MSTATUS_MPIE) == 0 && !fault_is_in_entry(pc);
}

/* `address`: what the PMP refused; `frame` as trap.S keeps it. */
static inline void fault_find_stack(struct fault *fault, uintptr_t cause, uintptr_t address,
				    const uintptr_t *frame)
{
	if (cause == CAUSE_BREAKPOINT && frame[0] == (uintptr_t)arch_fault_raise) {
		*fault = (struct fault){frame[10], (const char *)frame[11], frame[12],
					(enum fatal_where)frame[13]};
	} else if (cause == CAUSE_BREAKPOINT && fault_is_no_room(frame[0])) {
		*fault = (struct fault){K_ERR_STACK_CHK_FAIL, "stack overflow seen at a switch",
					frame[1], FATAL_IN_THREAD};
	} else if (cause == CAUSE_STORE_FAULT && stackguard_holds(address)) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = "store into the stack guard";
		fault->where = fault_while_masked(frame[0]) ? FATAL_FOR_ALL : FATAL_IN_THREAD;
	}
}
#else
static inline bool fault_is_no_room(uintptr_t pc)
{
	return false;
}

static inline void fault_find_stack(struct fault *fault, uintptr_t cause, uintptr_t address,
				    const uintptr_t *frame)
{
}
#endif

/*
 * The same of user mode, which raises nothing but an overwritten canary. It may have jumped there,
 * too: no more is believed than its pc, which it may choose anyway.
 */
static inline void fault_find_canary(struct fault *fault, uint32_t cause, const uintptr_t *frame)
{
#ifdef CONFIG_STACK_CANARIES
	if (cause == CAUSE_BREAKPOINT && frame[0] == (uintptr_t)arch_fault_raise) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = "stack canary overwritten";
		fault->pc = frame[12];
	}
#endif
}

#endif /* FOLIOT_RISCV_FAULT_H */

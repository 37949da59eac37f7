/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults that are a guarded copy's, or the stack's: raised by arch_fault_raise(), or a hit of the
 * guard.
 */
#ifndef FOLIOT_CORTEX_M_FAULT_H
#define FOLIOT_CORTEX_M_FAULT_H

#include "fault_words.h"
#include "kernel/base/kernel.h"
#include "frames.h"
#include "registers.h"
#include "switch_fault.h"

/*
 * If the fault is a guarded copy's and the untrusted side's: has the exception return to its
 * fix-up, and is true. `frame`: the core's. Weak: linked where anything is copied so
 * (copy_fault.c).
 */
__cold bool cortex_m_copy_has_faulted(uint32_t *frame, uint32_t cfsr) __attribute__((weak));

/* The thread that faulted is dead: what the switch from it saves goes where there is room. */
static inline void fault_drop_stack(const struct k_thread *thread)
{
	uintptr_t end = (uintptr_t)thread->stack_start + thread->stack_size;

	__asm__ volatile("msr psp, %0" ::"r"(ROUND_DOWN(end, ARCH_STACK_ALIGN) - EXC_SIZE));
}

#ifdef CONFIG_STACK_CHECKS
#include "kernel/hooks/stackguard.h"

#define ARCH_VECTORS_SIZE (4U * (16U + ARCH_NUM_IRQS)) /* bytes; code begins behind them */

/*
 * The core had no room to save the pc. What lies lowest on the stack and looks like a
 * return address (odd, and in the code) most probably is one of the function that
 * overflowed it. 0 if there is none. Bound: 64 words.
 */
static inline uintptr_t fault_last_return(const struct k_thread *thread)
{
	extern const char _text_end[];
	uintptr_t end = (uintptr_t)thread->stack_start + thread->stack_size;
	uintptr_t at = stackguard_end(thread);

	for (unsigned int i = 0; i < 64U && at < end; i++, at += sizeof(uintptr_t)) {
		uintptr_t word = *(const uintptr_t *)at;

		if ((word & 1U) != 0 && word > ARCH_VECTORS_SIZE && word < (uintptr_t)_text_end) {
			return word & ~(uintptr_t)1;
		}
	}
	return 0;
}

/* `frame`: the core's; `address`: what the MPU refused; interrupts were masked, or not. */
static inline void fault_find_stack(struct fault *fault, uint32_t cfsr, uint32_t address,
				    const uint32_t *frame, bool was_masked)
{
	if (fault->pc == ((uintptr_t)arch_fault_raise & ~(uintptr_t)1)) {
		fault->reason = frame[0];
		fault->cause = (const char *)frame[1];
		fault->pc = frame[2];
		fault->where = (enum fatal_where)frame[3];
		return;
	}
	if (fault_is_no_room(fault->pc)) { /* nothing is half done: sched_switch_failed() */
		*fault = (struct fault){K_ERR_STACK_CHK_FAIL, "stack overflow seen at a switch",
					frame[5] & ~(uintptr_t)1, FATAL_IN_THREAD};
		return;
	}
	if ((cfsr & CFSR_STKOF) != 0 && fault->pc != 0) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = "stack guard, below the stack pointer's limit";
	} else if ((cfsr & (CFSR_MSTKERR | CFSR_STKOF)) != 0) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = "stack guard, no room for a frame; pc by the last return address";
		fault->pc = fault_last_return(k_cpu.current);
	} else if ((cfsr & (CFSR_DACCVIOL | CFSR_MMARVALID)) == (CFSR_DACCVIOL | CFSR_MMARVALID) &&
		   stackguard_holds(address)) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = "store into the stack guard";
	}
	if (fault->reason == K_ERR_STACK_CHK_FAIL && was_masked) {
		fault->where = FATAL_FOR_ALL;
	}
}
#else
static inline void fault_find_stack(struct fault *fault, uint32_t cfsr, uint32_t address,
				    const uint32_t *frame, bool was_masked)
{
}
#endif

#endif /* FOLIOT_CORTEX_M_FAULT_H */

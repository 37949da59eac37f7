/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of user mode, which has chosen its pc, its registers and its stack pointer: they say
 * nothing of the kernel then. The frame is where the core pushed it with the user's rights, or
 * nowhere.
 */
#ifndef FOLIOT_CORTEX_M_USER_FAULT_H
#define FOLIOT_CORTEX_M_USER_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/base/kernel.h"
#include "kernel/base/user_stack.h"
#include "registers.h"

#define CONTROL_NPRIV 1U

/* In a fault handler. CONTROL stays that of the thread, also where a handler is what faulted. */
static inline bool fault_is_from_user(bool in_isr)
{
	uint32_t control;

	if (!IS_ENABLED(CONFIG_USERSPACE)) {
		return false;
	}
	__asm__ volatile("mrs %0, control" : "=r"(control));
	return !in_isr && (control & CONTROL_NPRIV) != 0;
}

/*
 * Bits of CFSR that say that there is no frame to be read. One that user mode has forged, so
 * that nothing can return through it, is none either: the architecture pushes it once more, and
 * QEMU 7.2 onto the main stack.
 */
static inline uint32_t fault_no_frame(bool from_user)
{
	return from_user ? CFSR_NO_FRAME | CFSR_INVPC : CFSR_NO_FRAME;
}

/*
 * Has user mode left secure state (ARMv8-M: BXNS)? No memory is the other one's, so it executes
 * nothing there, and the core's frame lies nowhere; the fault returns to secure state (user.inc).
 */
static inline bool fault_has_left_secure_state(bool from_user, uint32_t exc_return)
{
	return IS_ENABLED(CONFIG_CORTEX_M_PMSAV8) && from_user &&
	       (exc_return & EXC_RETURN_SECURE) == 0;
}

/*
 * Did user mode go below its stack? What lies there is the stack of its system calls, of which it
 * cannot mean anything. `psp` is where the core had no room for its frame, if that is what CFSR
 * says.
 */
static inline bool fault_is_user_overflow(uint32_t cfsr, uintptr_t psp)
{
	const uint32_t store = CFSR_DACCVIOL | CFSR_MMARVALID;
	uintptr_t start = (uintptr_t)k_cpu.current->stack_start;
	uintptr_t address = (cfsr & store) == store ? MMFAR : psp;

	return (cfsr & (CFSR_DACCVIOL | CFSR_MSTKERR)) != 0 &&
	       start - 1U - address < user_stack_reserved(k_cpu.current->stack_start);
}

/*
 * Does user mode say that a canary was overwritten? It may have jumped to arch_fault_raise() as
 * well: no more is believed than its pc, `frame` its r2, which it may choose anyway.
 */
static inline bool fault_is_user_canary(uint32_t cfsr, const uint32_t *frame)
{
	return IS_ENABLED(CONFIG_STACK_CANARIES) && (cfsr & CFSR_UNDEFINSTR) != 0 &&
	       frame[6] == ((uintptr_t)arch_fault_raise & ~(uintptr_t)1);
}

/*
 * Was it a fast path's store with user mode's rights (user.S), where user mode has none? Then the
 * return from this exception goes on with the call, which looks at what it was given. `frame`: of
 * the call's handler.
 */
static inline bool fault_is_user_store(uint32_t *frame, uint32_t cfsr)
{
#ifdef CONFIG_USERSPACE
	extern const char cortex_m_user_store[];

	if (frame[6] != (uintptr_t)cortex_m_user_store) {
		return false;
	}
	fault_forget(cfsr);
	frame[6] = (uintptr_t)arch_user_call_verified & ~(uintptr_t)1;
	return true;
#else
	return false;
#endif
}

#endif /* FOLIOT_CORTEX_M_USER_FAULT_H */

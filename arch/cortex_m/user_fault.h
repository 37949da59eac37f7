/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of user mode, which has chosen its pc, its registers and its stack pointer: they say
 * nothing of the kernel then. The frame is where the core pushed it with the user's rights, or nowhere.
 */
#ifndef FOLIOT_CORTEX_M_USER_FAULT_H
#define FOLIOT_CORTEX_M_USER_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include "registers.h"

#define CONTROL_NPRIV 1U

/* In a fault handler. CONTROL stays that of the thread, also where a handler is what faulted. */
static inline bool fault_is_from_user(bool in_isr)
{
#ifdef CONFIG_USERSPACE
	uint32_t control;

	__asm__ volatile("mrs %0, control" : "=r"(control));
	return !in_isr && (control & CONTROL_NPRIV) != 0;
#else
	return false;
#endif
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

#endif /* FOLIOT_CORTEX_M_USER_FAULT_H */

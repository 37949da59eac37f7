/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of arch_switch() (switch.S) that are those of the thread it leaves. */
#ifndef FOLIOT_CORTEX_M_SWITCH_FAULT_H
#define FOLIOT_CORTEX_M_SWITCH_FAULT_H

#include "kernel/base/kernel.h"
#include "frames.h"
#include "registers.h"

static inline uintptr_t fault_psp(void)
{
	uintptr_t psp;

	__asm__ volatile("mrs %0, psp" : "=r"(psp));
	return psp;
}

/*
 * Was the thread's stack too short for the core's frame? That, too, is beyond the limit of ARMv8-M
 * then, to which the pointer is set.
 */
static inline bool fault_is_beyond_limit(uint32_t cfsr)
{
	uintptr_t limit;

	if (!IS_ENABLED(CONFIG_CORTEX_M_PSPLIM)) {
		return false;
	}
	__asm__ volatile("mrs %0, psplim" : "=r"(limit));
	return (cfsr & CFSR_STKOF) != 0 && fault_psp() == limit;
}

/* Bytes that the core pushed, or had no room for. */
static inline size_t exc_frame_size(uint32_t exc_return)
{
	return IS_ENABLED(CONFIG_FPU) && (exc_return & EXC_RETURN_NO_FPU) == 0 ? EXC_FPU_SIZE
									       : EXC_SIZE;
}

static inline bool fault_is_masked(void)
{
	uint32_t primask;

	__asm__ volatile("mrs %0, primask" : "=r"(primask));
	return primask != 0;
}

/* Where arch_switch() finds no room above the guard for its frame: guard.inc. */
static inline bool fault_is_no_room(uintptr_t pc)
{
	extern const char cortex_m_switch_no_room[];

	return IS_ENABLED(CONFIG_STACK_GUARD_HW) && pc == (uintptr_t)cortex_m_switch_no_room;
}

/*
 * Did arch_switch(from, to, key) fail to save `from`, which k_cpu.current is not any more?
 * Where its sp leads nowhere the core had no place for the frame either, so the pc is lost.
 * What then tells is all of: the arguments as the handler found them (the architecture
 * calls r0 to r3 unknown there; what changes them is a handler before this one, which masked
 * interrupts keep out), and an sp outside of the running thread's stack that is not
 * the one which `to` was saved with, as it would be in the second half.
 */
static inline bool switch_has_faulted(const uint32_t *frame, bool frame_is_lost,
				      uint32_t exc_return)
{
	extern const char cortex_m_switch_saved[];
	const struct k_thread *to = k_cpu.current;
	uintptr_t sp = fault_psp() + exc_frame_size(exc_return);

	if (to == NULL || frame[1] != (uintptr_t)to) {
		return false;
	}
	if (!frame_is_lost && fault_is_no_room(frame[6])) {
		return true;
	}
	if (!frame_is_lost) {
		return frame[6] >= ((uintptr_t)arch_switch & ~(uintptr_t)1) &&
		       frame[6] < (uintptr_t)cortex_m_switch_saved;
	}
	return fault_is_masked() && frame[2] <= 1 && frame[0] != frame[1] &&
	       (frame[0] & (sizeof(uintptr_t) - 1)) == 0 &&
	       sp - (uintptr_t)to->stack_start > to->stack_size &&
	       sp != ((uintptr_t)to->sp & ~(uintptr_t)7);
}

#endif /* FOLIOT_CORTEX_M_SWITCH_FAULT_H */

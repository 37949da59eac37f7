/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that arch_copy_guarded() (copy.S) answers for; linked with it. */
#include "fault.h"
#include "kernel/base/kernel.h"
#include "registers.h"

#define CFSR_COPY  (CFSR_DACCVIOL | CFSR_PRECISERR | CFSR_IMPRECISERR)
#define CFSR_VALID (CFSR_MMARVALID | CFSR_BFARVALID)

#define OPCODE_LOAD     (1U << 11)
#define XPSR_IT_AND_ICI 0x0600FC00UL /* where in an IT block or an LDM it was */

/* A load or a store, and nothing else. ARMv6-M does not tell. */
static inline bool is_of_an_access(uint32_t cfsr)
{
	return IS_ENABLED(CONFIG_CORTEX_M_V6M) ||
	       ((cfsr & CFSR_COPY) != 0 && (cfsr & ~(CFSR_COPY | CFSR_VALID)) == 0);
}

/*
 * Masked code faults here too, as a hard fault that was forced; the status registers hold the same.
 */
bool cortex_m_copy_has_faulted(uint32_t *frame, uint32_t cfsr)
{
	extern const char cortex_m_copy_begin[], cortex_m_copy_end[], cortex_m_copy_faulted[];
	uintptr_t pc = frame[6];
	unsigned int side = ARCH_COPY_TO;

	if (!is_of_an_access(cfsr) || pc < (uintptr_t)cortex_m_copy_begin ||
	    pc >= (uintptr_t)cortex_m_copy_end) {
		return false;
	}
	/* Only stores are buffered, so only they are late. */
	if ((cfsr & CFSR_IMPRECISERR) == 0 && (*(const uint16_t *)pc & OPCODE_LOAD) != 0) {
		side = ARCH_COPY_FROM;
	}
	if ((frame[3] & side) == 0) {
		return false;
	}
	fault_forget(cfsr);
	frame[6] = (uintptr_t)cortex_m_copy_faulted;
	frame[7] &= ~XPSR_IT_AND_ICI;
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fault of user mode that goes straight to its handler, in the handler of the exception: ipc.S.
 * One cause, a frame where it belongs, and a handler that waits for the words alone; all else is
 * cortex_m_fault()'s (fault.c), which finds everything as it was.
 */
#include "saved_fault.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/thread_ipc.h"
#include "registers.h"
#include "user_fault.h"

/* ipc.S calls it. */
struct k_thread *cortex_m_fault_fast(void);

/*
 * What kind it is; 0: not one of those. Of two bits that both say why, neither does, and one that
 * says that there is no frame is no reason.
 */
static inline uint32_t kind_of_only_cause(uint32_t cfsr)
{
	uint32_t bit = cfsr & ~(CFSR_MMARVALID | CFSR_BFARVALID);

	return bit != 0 && (bit & (bit - 1U)) == 0 ? fault_kind_of_bit(bit) : 0;
}

/*
 * Out of an exception with a short frame on the process stack, of secure state (EXC_RETURN).
 * Returns the handler, which runs from now on, where the thread waits; what is kept of it has its
 * words, but not r4 to r11. NULL: nothing is changed.
 */
struct k_thread *cortex_m_fault_fast(void)
{
	struct k_thread *thread = k_cpu.current;
	uint32_t cfsr = CFSR;
	uint32_t kind = kind_of_only_cause(cfsr);
	const uint32_t *frame = (const uint32_t *)fault_psp();
	struct cortex_m_saved *kept;
	struct k_thread *handler;

	if (!fault_is_from_user(false) || kind == 0 || k_cpu.fault_depth != 0 ||
	    thread->ipc.fault_gate == NULL || !fault_frame_is_own(thread, frame) ||
	    fault_is_user_canary(cfsr, frame)) {
		return NULL;
	}
	if (fault_is_user_overflow(cfsr, (uintptr_t)frame)) {
		kind = K_IPC_FAULT_STACK;
	}
	kept = fault_keep(thread, kind, cfsr, frame, EXC_SIZE);
	handler = ipc_fault_fast(&kept->fault);
	if (handler != NULL) {
		fault_forget(cfsr);
	}
	return handler;
}

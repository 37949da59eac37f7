/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of user mode that are delivered as messages (CONFIG_IPC): what is kept of the thread
 * meanwhile.
 */
#ifndef FOLIOT_AARCH64_USER_FAULT_H
#define FOLIOT_AARCH64_USER_FAULT_H

#include "fault_words.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/thread_ipc.h"
#include "frames.h"
#include <arch_level.h>

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
/* At the end of its stack of system calls; ipc.S restores it. */
struct aarch64_saved {
	struct ipc_fault fault;
	uintptr_t pstate;
	uintptr_t registers[33]; /* as aarch64_fault_frame */
	uintptr_t call_frame[2]; /* as if it were in a system call: user.S */
};

BUILD_ASSERT(sizeof(struct aarch64_saved) % 16 == 0, "on a stack");

static inline uintptr_t fault_kind(uint64_t esr, bool is_below_stack)
{
	switch (esr >> ESR_EC_SHIFT) {
	case EC_INSN_ABORT_0:
	case EC_PC_ALIGNMENT:
		return K_IPC_FAULT_EXECUTE;
	case EC_DATA_ABORT_0:
		if (is_below_stack) {
			return K_IPC_FAULT_STACK;
		}
		if ((esr & ESR_STATUS) == ESR_STATUS_ALIGNMENT) {
			return K_IPC_FAULT_ALIGNMENT;
		}
		return (esr >> ESR_WNR_SHIFT & 1U) != 0 ? K_IPC_FAULT_STORE : K_IPC_FAULT_LOAD;
	case EC_UNKNOWN:
	case EC_FP:
	case EC_SYSREG:
		return K_IPC_FAULT_INSTRUCTION;
	case EC_BRK:
		return K_IPC_FAULT_BREAKPOINT;
	case EC_SP_ALIGNMENT:
		return K_IPC_FAULT_ALIGNMENT;
	default:
		return K_IPC_FAULT_OTHER;
	}
}

static inline bool fault_has_address(uint64_t esr)
{
	return esr >> ESR_EC_SHIFT == EC_INSN_ABORT_0 || esr >> ESR_EC_SHIFT == EC_DATA_ABORT_0 ||
	       esr >> ESR_EC_SHIFT == EC_PC_ALIGNMENT;
}
#endif

#endif /* FOLIOT_AARCH64_USER_FAULT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of user mode that are delivered as messages (CONFIG_IPC): what is kept of the thread meanwhile. */
#ifndef FOLIOT_AARCH64_USER_FAULT_H
#define FOLIOT_AARCH64_USER_FAULT_H

#include "fault_words.h"
#include "kernel/core/kernel.h"
#include "kernel/ipc/thread_ipc.h"
#include "offsets.h"
#include <arch_level.h>

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
#define AARCH64_KEEPS_FAULTS

/* At the end of its stack of system calls; ipc.S restores it. */
struct aarch64_kept {
	struct ipc_fault fault;
	uintptr_t pstate;
	uintptr_t registers[33]; /* as aarch64_fault_frame */
	uintptr_t call_frame[2]; /* as if it were in a system call: user.S */
};

/* Where trap.S finds that of the thread that has just faulted; NULL: nobody handles its faults. */
extern struct aarch64_kept *aarch64_kept;

BUILD_ASSERT(offsetof(struct aarch64_kept, pstate) == KEPT_PSTATE &&
		     offsetof(struct aarch64_kept, registers) == KEPT_REGISTERS &&
		     sizeof(struct aarch64_kept) == KEPT_SIZE && KEPT_SIZE % 16 == 0,
	     "offsets.h");

static inline uintptr_t fault_kind(const struct fault *fault, uint64_t esr)
{
	if (fault->reason == K_ERR_STACK_CHK_FAIL) {
		return K_IPC_FAULT_STACK;
	}
	switch (esr >> ESR_EC_SHIFT) {
	case EC_INSN_ABORT_0:
	case EC_PC_ALIGNMENT:
		return K_IPC_FAULT_EXECUTE;
	case EC_DATA_ABORT_0:
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

/* True: the thread goes on at aarch64_fault_to_handler, with `aarch64_kept` its stack pointer. */
static inline bool fault_is_kept(const struct fault *fault, uint64_t esr)
{
	struct aarch64_kept *kept;
	uintptr_t kind = fault_kind(fault, esr);
	uintptr_t address = 0;

	/* A canary is no address that anybody could repair. */
	if (!ipc_fault_is_handled() ||
	    (kind == K_IPC_FAULT_STACK && esr >> ESR_EC_SHIFT == EC_BRK)) {
		return false;
	}
	if (fault_has_address(esr)) {
		AARCH64_READ(AARCH64_OWN(far), address);
	}
	kept = (struct aarch64_kept *)(uintptr_t)k_cpu.current->stack_start - 1;
	kept->fault = (struct ipc_fault){
		{kind, address, aarch64_fault_frame[FAULT_PC], esr},
		fault->reason,
		fault->cause,
		kept->registers,
		FAULT_PC * sizeof(uintptr_t),
	};
	AARCH64_READ(AARCH64_OWN(spsr), kept->pstate);
	/* Bound: 33. */
	for (unsigned int i = 0; i < ARRAY_SIZE(kept->registers); i++) {
		kept->registers[i] = aarch64_fault_frame[i];
	}
	kept->call_frame[0] = aarch64_fault_frame[FAULT_PC];
	kept->call_frame[1] = aarch64_fault_frame[FAULT_SP];
	aarch64_kept = kept;
	return true;
}
#else
static inline bool fault_is_kept(const struct fault *fault, uint64_t esr)
{
	return false;
}
#endif

#endif /* FOLIOT_AARCH64_USER_FAULT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of user mode that are delivered as messages (CONFIG_IPC): what is kept of the thread meanwhile. */
#ifndef FOLIOT_RISCV_USER_FAULT_H
#define FOLIOT_RISCV_USER_FAULT_H

#include "fault_words.h"
#include "kernel/core/kernel.h"
#include "kernel/ipc/thread_ipc.h"
#include "offsets.h"

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
#define RISCV_KEEPS_FAULTS

#define CAUSE_BREAKPOINT 3U

/* At the end of its stack of system calls; ipc.S restores it. */
struct riscv_kept {
	struct ipc_fault fault;
	uintptr_t registers[32]; /* as riscv_fault_frame */
	uintptr_t call_frame[4]; /* as if it were in a system call: user.inc */
};

/* Where trap.S finds that of the thread that has just faulted; NULL: nobody handles its faults. */
extern struct riscv_kept *riscv_kept;

BUILD_ASSERT(offsetof(struct riscv_kept, registers) == KEPT_REGISTERS &&
		     sizeof(struct riscv_kept) == KEPT_SIZE && KEPT_SIZE % 16 == 0,
	     "offsets.h");

static inline uintptr_t fault_kind(const struct fault *fault, uintptr_t cause)
{
	static const uint8_t kinds[] = {
		[0] = K_IPC_FAULT_EXECUTE,     [1] = K_IPC_FAULT_EXECUTE,
		[2] = K_IPC_FAULT_INSTRUCTION, [3] = K_IPC_FAULT_BREAKPOINT,
		[4] = K_IPC_FAULT_ALIGNMENT,   [5] = K_IPC_FAULT_LOAD,
		[6] = K_IPC_FAULT_ALIGNMENT,   [7] = K_IPC_FAULT_STORE,
	};

	if (fault->reason == K_ERR_STACK_CHK_FAIL) {
		return K_IPC_FAULT_STACK;
	}
	return cause < ARRAY_SIZE(kinds) ? kinds[cause] : K_IPC_FAULT_OTHER;
}

/* True: the thread goes on at riscv_fault_to_handler, with `riscv_kept` its stack pointer. */
static inline bool fault_is_kept(const struct fault *fault, uintptr_t cause, uintptr_t mtval)
{
	struct riscv_kept *kept;
	uintptr_t kind = fault_kind(fault, cause);
	bool has_address = kind != K_IPC_FAULT_INSTRUCTION && kind != K_IPC_FAULT_BREAKPOINT;

	/* A canary is no address that anybody could repair. */
	if (!ipc_fault_is_handled() || (kind == K_IPC_FAULT_STACK && cause == CAUSE_BREAKPOINT)) {
		return false;
	}
	kept = (struct riscv_kept *)(uintptr_t)k_cpu.current->stack_start - 1;
	kept->fault = (struct ipc_fault){
		{kind, has_address ? mtval : 0, riscv_fault_frame[0], cause},
		fault->reason,
		fault->cause,
		kept->registers,
		sizeof(kept->registers),
	};
	/* Bound: 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(kept->registers); i++) {
		kept->registers[i] = riscv_fault_frame[i];
	}
	kept->call_frame[1] = riscv_fault_frame[0];
	kept->call_frame[2] = riscv_fault_frame[2];
	riscv_kept = kept;
	return true;
}
#else
static inline bool fault_is_kept(const struct fault *fault, uintptr_t cause, uintptr_t mtval)
{
	return false;
}
#endif

#endif /* FOLIOT_RISCV_USER_FAULT_H */

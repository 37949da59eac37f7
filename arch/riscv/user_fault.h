/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of user mode that are delivered as messages (CONFIG_IPC): what is kept of the thread
 * meanwhile.
 */
#ifndef FOLIOT_RISCV_USER_FAULT_H
#define FOLIOT_RISCV_USER_FAULT_H

#include "fault_words.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/thread_ipc.h"
#include "frames.h"

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
#ifndef CAUSE_BREAKPOINT
#define CAUSE_BREAKPOINT 3U
#endif

/* At the end of its stack of system calls; ipc.S restores it. */
struct riscv_saved {
	struct ipc_fault fault;
	uintptr_t registers[32] __aligned(16); /* the pc, and xn */
	uintptr_t call_frame[4]; /* as if it were in a system call: user.inc */
};

BUILD_ASSERT(sizeof(struct riscv_saved) % 16 == 0, "on a stack");

static inline uintptr_t fault_kind(uintptr_t cause, bool is_below_stack)
{
	static const uint8_t kinds[] = {
		[0] = K_IPC_FAULT_EXECUTE,     [1] = K_IPC_FAULT_EXECUTE,
		[2] = K_IPC_FAULT_INSTRUCTION, [3] = K_IPC_FAULT_BREAKPOINT,
		[4] = K_IPC_FAULT_ALIGNMENT,   [5] = K_IPC_FAULT_LOAD,
		[6] = K_IPC_FAULT_ALIGNMENT,   [7] = K_IPC_FAULT_STORE,
	};

	if (is_below_stack) {
		return K_IPC_FAULT_STACK;
	}
	return cause < ARRAY_SIZE(kinds) ? kinds[cause] : K_IPC_FAULT_OTHER;
}

static inline bool fault_has_address(uintptr_t kind)
{
	return kind != K_IPC_FAULT_INSTRUCTION && kind != K_IPC_FAULT_BREAKPOINT;
}
#endif

#endif /* FOLIOT_RISCV_USER_FAULT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of user mode that are delivered as messages (CONFIG_IPC): what is kept of the thread
 * meanwhile.
 */
#ifndef FOLIOT_X86_64_USER_FAULT_H
#define FOLIOT_X86_64_USER_FAULT_H

#include "fault_words.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/thread_ipc.h"
#include "frames.h"
#include "tables.h"

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
/* At the end of its stack of system calls; ipc.S restores it. */
struct x86_64_saved {
	struct ipc_fault fault;
	uintptr_t registers[FAULT_WORDS]; /* as x86_64_fault_frame */
	uintptr_t call_frame[2]; /* as if it were in a system call: user.S */
};

BUILD_ASSERT(sizeof(struct x86_64_saved) % 16 == 0, "on a stack");

static inline uintptr_t fault_kind(uintptr_t vector, uintptr_t error, bool is_below_stack)
{
	if (is_below_stack) {
		return K_IPC_FAULT_STACK;
	}
	switch (vector) {
	case VECTOR_PAGE:
		return (error & PAGE_FETCH) != 0   ? K_IPC_FAULT_EXECUTE
		       : (error & PAGE_WRITE) != 0 ? K_IPC_FAULT_STORE
						   : K_IPC_FAULT_LOAD;
	case VECTOR_UNDEFINED:
	case VECTOR_FLOATING_POINT:
		return K_IPC_FAULT_INSTRUCTION;
	case VECTOR_BREAKPOINT:
		return K_IPC_FAULT_BREAKPOINT;
	case VECTOR_ALIGNMENT:
		return K_IPC_FAULT_ALIGNMENT;
	default: /* general protection says no more than that */
		return K_IPC_FAULT_OTHER;
	}
}
#endif

#endif /* FOLIOT_X86_64_USER_FAULT_H */

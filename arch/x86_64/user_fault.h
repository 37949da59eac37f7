/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of user mode that are delivered as messages (CONFIG_IPC): what is kept of the thread meanwhile. */
#ifndef FOLIOT_X86_64_USER_FAULT_H
#define FOLIOT_X86_64_USER_FAULT_H

#include "fault_words.h"
#include "kernel/core/kernel.h"
#include "kernel/ipc/thread_ipc.h"
#include "offsets.h"
#include "tables.h"

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
/* At the end of its stack of system calls; ipc.S restores it. */
struct x86_64_kept {
	struct ipc_fault fault;
	uintptr_t registers[FAULT_WORDS]; /* as x86_64_fault_frame */
	uintptr_t call_frame[2]; /* as if it were in a system call: user.S */
};

BUILD_ASSERT(offsetof(struct x86_64_kept, registers) == KEPT_REGISTER(0) &&
		     sizeof(struct x86_64_kept) == KEPT_SIZE && KEPT_SIZE % 16 == 0,
	     "offsets.h");

static inline uintptr_t fault_kind(const struct fault *fault)
{
	uintptr_t error = x86_64_fault_frame[FAULT_ERROR];

	if (fault->reason == K_ERR_STACK_CHK_FAIL) {
		return K_IPC_FAULT_STACK;
	}
	switch (x86_64_fault_frame[FAULT_VECTOR]) {
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

/*
 * Of user mode's fault, for x86_64_fault_to_handler; NULL: nobody handles it. The core's own word is the vector and,
 * above its 8 bits, the error code.
 */
static inline struct x86_64_kept *fault_keep(const struct fault *fault)
{
	const uintptr_t *frame = x86_64_fault_frame;
	struct x86_64_kept *kept = (struct x86_64_kept *)(uintptr_t)k_cpu.current->stack_start - 1;
	uintptr_t vector = frame[FAULT_VECTOR];

	kept->fault = (struct ipc_fault){
		{fault_kind(fault), vector == VECTOR_PAGE ? frame[FAULT_CR2] : 0, frame[FAULT_RIP],
		 vector | frame[FAULT_ERROR] << 8},
		fault->reason,
		fault->cause,
		NULL, /* what lies here is not what a handler may change: selectors, all flags */
		0,
	};
	/* Bound: FAULT_WORDS. */
	for (unsigned int i = 0; i < FAULT_WORDS; i++) {
		kept->registers[i] = frame[i];
	}
	kept->call_frame[0] = frame[FAULT_RIP];
	kept->call_frame[1] = frame[FAULT_RSP];
	return kept;
}
#endif

#endif /* FOLIOT_X86_64_USER_FAULT_H */

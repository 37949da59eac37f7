/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of user mode that are delivered as messages (CONFIG_IPC): what is kept of the thread
 * meanwhile. Its frame stays where the core has pushed it, which has to be in the thread's own
 * stack, as for a system call: an answer may change the pc in there. A frame that was lost, and a
 * bus error that came too late to tell where from, leave nothing to go on with.
 */
#ifndef FOLIOT_CORTEX_M_SAVED_FAULT_H
#define FOLIOT_CORTEX_M_SAVED_FAULT_H

#include "fault_words.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/thread_ipc.h"
#include "frames.h"
#include "registers.h"
#include "switch_fault.h"

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
#define CFSR_IACCVIOL  (1UL << 0)
#define CFSR_IBUSERR   (1UL << 8)
#define CFSR_UNALIGNED (1UL << 24)

/* At the end of its stack of system calls; ipc.S goes on with it. */
struct cortex_m_saved {
	struct ipc_fault fault;
	uintptr_t registers[KEPT_NUM_REGISTERS]; /* r0 to r12, sp, lr, pc, xPSR */
	uint32_t unused;
	uint32_t psp; /* last but one on that stack: user.inc's */
	uint32_t unused_too;
};

/* As many as a load and a store of several move: a loop costs ten times that. */
struct four_registers {
	uint32_t r[4];
} __attribute__((may_alias));

BUILD_ASSERT(offsetof(struct cortex_m_saved, fault.words) == 0 &&
		     sizeof(struct cortex_m_saved) % 8 == 0,
	     "ipc.S");

/* What one bit of CFSR says; 0: nothing that leaves a frame. */
static inline uint32_t fault_kind_of_bit(uint32_t bit)
{
	static const uint8_t kinds[32] = {
		[0] = K_IPC_FAULT_EXECUTE,      [1] = K_IPC_FAULT_ACCESS,
		[8] = K_IPC_FAULT_EXECUTE,      [9] = K_IPC_FAULT_ACCESS,
		[16] = K_IPC_FAULT_INSTRUCTION, [17] = K_IPC_FAULT_OTHER,
		[19] = K_IPC_FAULT_OTHER,       [24] = K_IPC_FAULT_ALIGNMENT,
		[25] = K_IPC_FAULT_OTHER,
	};

	return kinds[__builtin_ctz(bit)];
}

static inline uint32_t fault_kind(const struct fault *fault)
{
	/* The first of them that there is. */
	static const uint32_t bits[] = {CFSR_IACCVIOL,  CFSR_IBUSERR,    CFSR_DACCVIOL,
					CFSR_PRECISERR, CFSR_UNDEFINSTR, CFSR_UNALIGNED};

	if (fault->reason == K_ERR_STACK_CHK_FAIL) {
		return K_IPC_FAULT_STACK;
	}
	/* Bound: six. */
	for (unsigned int i = 0; i < ARRAY_SIZE(bits); i++) {
		if ((CFSR & bits[i]) != 0) {
			return fault_kind_of_bit(bits[i]);
		}
	}
	return K_IPC_FAULT_OTHER;
}

static inline uint32_t fault_address(uint32_t kind, uint32_t cfsr, const uint32_t *frame)
{
	if (kind == K_IPC_FAULT_EXECUTE) {
		return frame[6];
	}
	if ((cfsr & CFSR_MMARVALID) != 0) {
		return MMFAR;
	}
	return (cfsr & CFSR_BFARVALID) != 0 ? BFAR : 0;
}

/* Would be a system call's frame, too: in the thread's own stack. */
static inline bool fault_frame_is_own(const struct k_thread *thread, const uint32_t *frame)
{
	return (uintptr_t)frame - thread->user.arch.stack.start <=
	       thread->user.arch.stack.last_frame;
}

/*
 * What the core knows of the fault, and the registers in its frame; r4 to r11 are the caller's.
 */
static inline struct cortex_m_saved *fault_keep(const struct k_thread *thread, uint32_t kind,
						uint32_t cfsr, const uint32_t *frame,
						size_t frame_size)
{
	struct cortex_m_saved *kept = (struct cortex_m_saved *)(uintptr_t)thread->stack_start - 1;

	kept->fault.words[K_IPC_FAULT_KIND] = kind;
	kept->fault.words[K_IPC_FAULT_ADDRESS] = fault_address(kind, cfsr, frame);
	kept->fault.words[K_IPC_FAULT_PC] = frame[6];
	kept->fault.words[K_IPC_FAULT_CAUSE] = cfsr;
	kept->fault.registers = kept->registers;
	kept->fault.size = sizeof(kept->registers);
	*(struct four_registers *)&kept->registers[0] = *(const struct four_registers *)&frame[0];
	kept->registers[12] = frame[4];
	kept->registers[13] = (uint32_t)(uintptr_t)frame + frame_size +
			      ((frame[7] & XPSR_ALIGNED) != 0 ? 4U : 0U);
	kept->registers[14] = frame[5];
	kept->registers[15] = frame[6];
	kept->registers[16] = frame[7];
	kept->psp = (uint32_t)(uintptr_t)frame;
	return kept;
}

/*
 * True: the return from this exception leads to cortex_m_fault_to_handler, on the thread's stack of
 * system calls. `frame`: the core's, of user mode; interrupts are open there.
 */
static inline bool fault_is_saved(const struct fault *fault, const struct fault_found *found,
				  const uint32_t *frame)
{
	extern const char cortex_m_fault_to_handler[];
	struct k_thread *thread = k_cpu.current;
	struct cortex_m_saved *kept;
	size_t frame_size = exc_frame_size(found->exc_return);
	uint32_t *to;

	if (!ipc_fault_is_handled() || (CFSR & CFSR_IMPRECISERR) != 0 ||
	    !fault_frame_is_own(thread, frame)) {
		return false;
	}
	kept = fault_keep(thread, fault_kind(fault), CFSR, frame, frame_size);
	*(struct four_registers *)&kept->registers[4] =
		*(const struct four_registers *)&found->r[4];
	*(struct four_registers *)&kept->registers[8] =
		*(const struct four_registers *)&found->r[8];
	fault_forget(CFSR);
	to = (uint32_t *)(uintptr_t)kept - frame_size / sizeof(uint32_t);
	/* Bound: eighteen. Its floating-point unit goes on as it is. */
	for (size_t i = EXC_SIZE / sizeof(uint32_t); i < frame_size / sizeof(uint32_t); i++) {
		to[i] = frame[i];
	}
	to[0] = (uint32_t)(uintptr_t)kept;
	to[EXC_PC / 4] = (uint32_t)(uintptr_t)cortex_m_fault_to_handler & ~1U;
	to[EXC_PC / 4 + 1] = XPSR_THUMB;
	__asm__ volatile("msr psp, %0\n\tmsr control, %1" ::"r"(to), "r"(2) : "memory");
	return true;
}
#else
static inline bool fault_is_saved(const struct fault *fault, const struct fault_found *found,
				  const uint32_t *frame)
{
	return false;
}
#endif

#endif /* FOLIOT_CORTEX_M_SAVED_FAULT_H */

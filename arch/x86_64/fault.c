/* SPDX-License-Identifier: Apache-2.0 */
/* A fault: whose it is, and that its thread ends. */
#include "fault_words.h"
#include "kernel/hooks/stackguard.h"
#include "kernel/hooks/user.h"
#include "tables.h"
#include "user_fault.h"

CALLS_DIRECTLY(k_thread_abort);

uintptr_t x86_64_fault_frame[ARCH_FAULT_REGISTERS];

/* trap.S calls them. */
uintptr_t x86_64_copy_fault(void);
void x86_64_fault(bool in_isr);

/* irq.c */
void x86_64_irq_end_lost(void);

/* Where nobody copies so, copy.S is not linked, and no pc lies in it. */
extern const char x86_64_copy_end[] __attribute__((weak));
extern const char x86_64_copy_faulted[] __attribute__((weak));
#pragma weak arch_copy_guarded

/* User mode has chosen its pc and its registers: they say nothing of the kernel then. */
static bool is_from_user_mode(void)
{
	return (x86_64_fault_frame[FAULT_CS] & 3U) != 0;
}

/* The bits from the highest that is translated on are alike. */
static bool is_canonical(uintptr_t address)
{
	intptr_t high = (intptr_t)address >> 47;

	return high == 0 || high == -1;
}

/*
 * A guarded copy's (copy.S), and of the side that it calls untrusted? Returns where it goes on, or
 * 0. An address that is none is no page fault and leaves no word which it was: loads come first.
 */
uintptr_t x86_64_copy_fault(void)
{
	const uintptr_t *frame = x86_64_fault_frame;
	uintptr_t pc = frame[FAULT_RIP];
	bool stored;

	if (is_from_user_mode() || pc < (uintptr_t)arch_copy_guarded ||
	    pc >= (uintptr_t)x86_64_copy_end) {
		return 0;
	}
	if (frame[FAULT_VECTOR] == VECTOR_PAGE) {
		stored = (frame[FAULT_ERROR] & PAGE_WRITE) != 0;
	} else if (frame[FAULT_VECTOR] == VECTOR_PROTECTION) {
		stored = is_canonical(frame[FAULT_RSI]);
	} else {
		return 0;
	}
	if ((frame[FAULT_RCX] & (stored ? ARCH_COPY_TO : ARCH_COPY_FROM)) == 0) {
		return 0;
	}
	return (uintptr_t)x86_64_copy_faulted;
}

/* Did arch_switch() fail to save the thread it leaves, rdi, which rsp is wrong of? */
static bool is_in_switch(void)
{
	extern const char x86_64_switch_saved[];
	uintptr_t pc = x86_64_fault_frame[FAULT_RIP];

	return pc >= (uintptr_t)arch_switch && pc < (uintptr_t)x86_64_switch_saved;
}

/* arch_fault_raise()'s: its arguments are in the frame. */
static void find_raised(struct fault *fault)
{
#ifdef CONFIG_STACK_CHECKS
	const uintptr_t *frame = x86_64_fault_frame;

	if (frame[FAULT_VECTOR] == VECTOR_UNDEFINED && fault->pc == (uintptr_t)arch_fault_raise) {
		*fault = (struct fault){(unsigned int)frame[FAULT_RDI],
					(const char *)frame[FAULT_RSI], frame[FAULT_RDX],
					(enum fatal_where)frame[FAULT_RCX]};
	}
#endif
}

/*
 * The same of user mode, which raises nothing but an overwritten canary: no more is believed than
 * the pc.
 */
static void find_canary(struct fault *fault)
{
#ifdef CONFIG_STACK_CANARIES
	if (x86_64_fault_frame[FAULT_VECTOR] == VECTOR_UNDEFINED &&
	    fault->pc == (uintptr_t)arch_fault_raise) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = "stack canary overwritten";
		fault->pc = x86_64_fault_frame[FAULT_RDX];
	}
#endif
}

/*
 * Of user mode: what lies there is the stack of the thread's system calls, of which it cannot mean
 * anything.
 */
static bool is_below_stack(uintptr_t vector, uintptr_t address)
{
#ifdef CONFIG_USERSPACE
	return vector == VECTOR_PAGE &&
	       (uintptr_t)k_cpu.current->stack_start - 1 - address < ARCH_USER_STACK_RESERVED;
#else
	return false;
#endif
}

static void find_users(struct fault *fault)
{
	if (is_below_stack(x86_64_fault_frame[FAULT_VECTOR], x86_64_fault_frame[FAULT_CR2])) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = FATAL_USER_OVERFLOW;
	} else {
		find_canary(fault);
	}
}

#ifdef CONFIG_STACK_GUARD_PAGES
/*
 * Where trap.S has interrupts masked, but nothing is half done: on its way in, and before a switch.
 */
static bool is_in_entry(uintptr_t pc)
{
	extern const char x86_64_lines[], x86_64_spurious[], x86_64_interrupt[],
		x86_64_interrupt_saved[], x86_64_preempt_check[], x86_64_preempt_checked[];

	return (pc >= (uintptr_t)x86_64_lines && pc < (uintptr_t)x86_64_spurious) ||
	       (pc >= (uintptr_t)x86_64_interrupt && pc < (uintptr_t)x86_64_interrupt_saved) ||
	       (pc >= (uintptr_t)x86_64_preempt_check && pc < (uintptr_t)x86_64_preempt_checked);
}

/* The kernel has met the page below the running thread's stack. */
static void find_overflow(struct fault *fault)
{
	const uintptr_t *frame = x86_64_fault_frame;
	bool is_masked = (frame[FAULT_RFLAGS] & RFLAGS_IF) == 0;

	if (frame[FAULT_VECTOR] == VECTOR_PAGE && stackguard_holds(frame[FAULT_CR2])) {
		fault->reason = K_ERR_STACK_CHK_FAIL;
		fault->cause = "access to the stack guard";
		fault->where = is_masked && !is_in_entry(fault->pc) ? FATAL_FOR_ALL
								    : FATAL_IN_THREAD;
	}
}
#else
static void find_overflow(struct fault *fault)
{
}
#endif

/* In place of user mode: trap.S leaves as from a handler that has interrupted it there. */
static void go_on_reporting(const struct fault *fault)
{
	struct fatal_kept *kept = fatal_keep(fault, x86_64_fault_frame);
	uintptr_t *end = (uintptr_t *)kept - 1; /* as behind a call */
	uintptr_t *frame = end - FRAME_OF_INTERRUPT;

	frame[FRAME_RDI] = (uintptr_t)kept;
	frame[FRAME_CS / sizeof(*frame) - 1] = (uintptr_t)fatal_of_user;
	frame[FRAME_CS / sizeof(*frame)] = SELECTOR_CODE;
	frame[FRAME_CS / sizeof(*frame) + 1] = RFLAGS_USER;
	frame[FRAME_CS / sizeof(*frame) + 2] = (uintptr_t)end;
	frame[FRAME_CS / sizeof(*frame) + 3] = SELECTOR_DATA;
	k_cpu.arch.in_isr = (uintptr_t)frame;
}

void x86_64_fault(bool in_isr)
{
	struct fault fault = {K_ERR_CPU_EXCEPTION, NULL, x86_64_fault_frame[FAULT_RIP],
			      FATAL_IN_THREAD};

	if (!in_isr) {
		x86_64_irq_end_lost();
	}
	if (!is_from_user_mode() && is_in_switch() &&
	    !sched_switch_failed((struct k_thread *)x86_64_fault_frame[FAULT_RDI])) {
		return;
	}
	fatal_check_again(fault.pc);
	fault.cause = fault_cause(fault_cause_word(x86_64_fault_frame));
	if (is_from_user_mode()) {
		fault.where = FATAL_IN_USER_MODE;
		find_users(&fault);
	} else {
		find_raised(&fault);
		if (user_is_running() && fault.reason != K_ERR_STACK_CHK_FAIL) {
			fault.where = FATAL_FOR_ALL; /* the kernel's, in a system call */
		}
		find_overflow(&fault);
	}
	if (in_isr) {
		fault.where = FATAL_IN_ISR;
	}
	if (IS_ENABLED(CONFIG_USERSPACE) && fault.where == FATAL_IN_USER_MODE) {
		go_on_reporting(&fault);
		return;
	}
	fatal_report(&fault, x86_64_fault_frame);
	k_thread_abort(k_cpu.current); /* like a handler's: trap.S leaves it as it leaves one */
}

#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
/* ipc.S calls them. */
bool x86_64_fault_is_saved(struct x86_64_saved *kept);
uintptr_t x86_64_fault_deliver(struct x86_64_saved *kept);
uintptr_t x86_64_fault_answered(struct x86_64_saved *kept, int result);

/* A canary is no address that anybody could repair. */
static bool is_of_canary(const struct x86_64_saved *kept)
{
#ifdef CONFIG_STACK_CANARIES
	return kept->registers[FAULT_VECTOR] == VECTOR_UNDEFINED &&
	       kept->registers[FAULT_RIP] == (uintptr_t)arch_fault_raise;
#else
	return false;
#endif
}

/*
 * A fault of user mode, whose registers are kept; masked. True: its message is there, and its
 * handler decides. False: it is to be reported, by x86_64_fault(). What the handler sees and
 * changes is the 16 registers, which lie first: no flags, no selectors.
 */
bool x86_64_fault_is_saved(struct x86_64_saved *kept)
{
	const uintptr_t *registers = kept->registers;
	struct ipc_fault *fault = &kept->fault;
	uintptr_t vector = registers[FAULT_VECTOR];
	uintptr_t address = registers[FAULT_CR2];

	if (k_cpu.current->ipc.fault_gate == NULL || is_of_canary(kept)) {
		/* Bound: FAULT_WORDS. */
		for (unsigned int i = 0; i < FAULT_WORDS; i++) {
			x86_64_fault_frame[i] = registers[i];
		}
		return false;
	}
	fault->words[K_IPC_FAULT_KIND] = fault_kind(vector, registers[FAULT_ERROR],
						    is_below_stack(vector, address));
	fault->words[K_IPC_FAULT_ADDRESS] = vector == VECTOR_PAGE ? address : 0;
	fault->words[K_IPC_FAULT_PC] = registers[FAULT_RIP];
	fault->words[K_IPC_FAULT_CAUSE] = fault_cause_word(registers);
	fault->registers = kept->registers;
	fault->size = FAULT_RIP * sizeof(uintptr_t);
	return true;
}

/* For a report, should there be one: as if it were in a system call. */
static void prepare_report(struct x86_64_saved *kept)
{
	kept->call_frame[0] = kept->registers[FAULT_RIP];
	kept->call_frame[1] = kept->registers[FAULT_RSP];
}

uintptr_t x86_64_fault_deliver(struct x86_64_saved *kept)
{
	prepare_report(kept);
	return ipc_fault_deliver(&kept->fault);
}

uintptr_t x86_64_fault_answered(struct x86_64_saved *kept, int result)
{
	prepare_report(kept);
	return ipc_fault_answered(&kept->fault, result);
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A fault: whose it is, and that its thread ends. */
#include "fault_words.h"

#define PAGE_WRITE (1UL << 1)

uintptr_t x86_64_fault_frame[FAULT_WORDS];

/* trap.S calls them. */
uintptr_t x86_64_copy_fault(void);
void x86_64_fault(bool in_isr);

/* irq.c */
void x86_64_irq_end_lost(void);

/* Where nobody copies so, copy.S is not linked, and no pc lies in it. */
extern const char x86_64_copy_end[] __attribute__((weak));
extern const char x86_64_copy_faulted[] __attribute__((weak));
#pragma weak arch_copy_guarded

/* The bits from the highest that is translated on are alike. */
static bool is_canonical(uintptr_t address)
{
	intptr_t high = (intptr_t)address >> 47;

	return high == 0 || high == -1;
}

/*
 * A guarded copy's (copy.S), and of the side that it calls foreign? Returns where it goes on, or
 * 0. An address that is none is no page fault and leaves no word which it was: loads come first.
 */
uintptr_t x86_64_copy_fault(void)
{
	const uintptr_t *frame = x86_64_fault_frame;
	uintptr_t pc = frame[FAULT_RIP];
	bool stored;

	if (pc < (uintptr_t)arch_copy_guarded || pc >= (uintptr_t)x86_64_copy_end) {
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

void x86_64_fault(bool in_isr)
{
	struct fault fault = {K_ERR_CPU_EXCEPTION, NULL, x86_64_fault_frame[FAULT_RIP],
			      FATAL_IN_THREAD};

	if (!in_isr) {
		x86_64_irq_end_lost();
	}
	if (is_in_switch() &&
	    !sched_switch_failed((struct k_thread *)x86_64_fault_frame[FAULT_RDI])) {
		return;
	}
	fatal_check_again(fault.pc);
	fault.cause = fault_cause();
	find_raised(&fault);
	if (in_isr) {
		fault.where = FATAL_IN_ISR;
	}
	fault_report(&fault);
	k_thread_abort(k_cpu.current); /* like a handler's: trap.S leaves it as it leaves one */
}

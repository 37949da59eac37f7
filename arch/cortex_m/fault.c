/* SPDX-License-Identifier: Apache-2.0 */
/* A fault: whose it is, when it is reported, and how its thread is left. */
#include "fault.h"
#include "fault_words.h"
#include "saved_fault.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/user.h"
#include "mpu_fault.h"
#include "frames.h"
#include "registers.h"
#include "switch_fault.h"
#include "user_fault.h"

CALLS_DIRECTLY(k_thread_abort);

static bool was_masked, was_in_switch; /* when the report was put off */

/* handlers.S calls it. */
__cold void cortex_m_fault(struct fault_found *found);

/*
 * It was aborted and a switch is pending. It may have masked interrupts, have been about
 * to resume another frame (switch.S), and have no usable stack left.
 */
static void leave_thread(const struct k_thread *thread)
{
	fault_forget(CFSR);
	SHCSR &= ~(SHCSR_SVCALLPENDED | SHCSR_FAULTS_PENDED);
	if (IS_ENABLED(CONFIG_FPU)) {
		FPCCR &= ~FPCCR_LSPACT; /* the room for them may be no memory */
	}
	fault_drop_stack(thread);
#ifndef CONFIG_CORTEX_M_V6M
	__asm__ volatile("msr basepri, %0" ::"r"(0));
#endif
	__asm__ volatile("cpsie i" ::: "memory");
}

/*
 * What faults with interrupts masked is a hard fault, and another one in there, of the report
 * or of the application's handler, would lock the core up. So the report is put off to the
 * usage fault's level, which is above all interrupts: that is pended, and the return from here
 * leads straight into it, with the same frame and registers. True where it does; false where
 * the fault came at a level that does not let it in. NMIs, which nobody connects, alike. On ARMv6-M
 * there is no such level: a fault within a report locks the core up there.
 */
static bool put_off(bool in_isr, const uint32_t *frame)
{
	uint32_t interrupted = in_isr ? frame[7] & XPSR_EXC_NUMBER : 0;

	if (arch_ipsr() > EXC_HARD_FAULT ||
	    (interrupted != 0 && interrupted != EXC_PENDSV && interrupted < EXC_INTERRUPT)) {
		return false;
	}
	SHCSR = (SHCSR & ~SHCSR_FAULTS_PENDED) | SHCSR_USGFAULTPENDED;
	__asm__ volatile("cpsie i" ::: "memory");
	return true;
}

/*
 * Was it the switch that could not save the thread it leaves? True where that one is left already.
 * The registers r0 to r3 are at `frame` also where the core's is lost: it has those that the
 * handler found then.
 */
static bool is_left_by_switch(const uint32_t *frame, bool is_lost, uint32_t exc_return)
{
	struct k_thread *from = (struct k_thread *)frame[0];

	if (!switch_has_faulted(frame, is_lost, exc_return)) {
		return false;
	}
	was_in_switch = sched_switch_failed(from);
	if (was_in_switch) {
		return false;
	}
	leave_thread(from);
	return true;
}

/* In place of user mode: the return from this exception leads there, with a frame of its own. */
static void go_on_reporting(const struct fault *fault, const uintptr_t *registers,
			    struct fault_found *found)
{
	struct fatal_kept *kept = fatal_keep(fault, registers);
	uint32_t *frame = (uint32_t *)kept - EXC_SIZE / sizeof(*frame);

	leave_thread(k_cpu.current);
	frame[0] = (uint32_t)(uintptr_t)kept;
	frame[EXC_PC / sizeof(*frame)] = (uint32_t)(uintptr_t)fatal_of_user & ~1U;
	frame[EXC_PC / sizeof(*frame) + 1] = XPSR_THUMB;
	found->exc_return |= EXC_RETURN_NO_FPU;
	__asm__ volatile("msr psp, %0\n\tmsr control, %1" ::"r"(frame), "r"(2) : "memory");
}

/* Whose it is: it may be the kernel's, though a thread is running. */
static void find_where(struct fault *fault, const uint32_t *frame, bool in_isr, bool from_user)
{
	if (from_user) {
		fault->where = FATAL_IN_USER_MODE;
	} else {
		fault_find_stack(fault, CFSR, MMFAR, frame, was_masked);
		if (user_is_running() && fault->reason != K_ERR_STACK_CHK_FAIL) {
			fault->where = FATAL_FOR_ALL; /* the kernel's, in a system call */
		}
	}
	was_masked = false;
	was_in_switch = false;
	if (in_isr) {
		fault->where = FATAL_IN_ISR;
	}
}

/* Here; or by the thread itself, where it is user mode's. */
static void report(const struct fault *fault, struct fault_found *found, uint32_t *frame)
{
	uintptr_t registers[ARCH_FAULT_REGISTERS];
	struct k_thread *thread = k_cpu.current;

	if (FATAL_HAS_WORDS(fault_find_registers)) {
		fault_find_registers(registers, fault, found, frame);
	}
	if (IS_ENABLED(CONFIG_USERSPACE) && fault->where == FATAL_IN_USER_MODE) {
		go_on_reporting(fault, registers, found);
		return;
	}
	fatal_report(fault, registers);
	k_thread_abort(thread);
	leave_thread(thread);
}

void cortex_m_fault(struct fault_found *found)
{
	uint32_t cfsr = CFSR;
	bool in_isr = (found->exc_return & EXC_RETURN_THREAD) == 0;
	bool from_user = fault_is_from_user(in_isr);
	bool is_lost = !in_isr &&
		       ((cfsr & fault_no_frame(from_user)) != 0 || fault_is_beyond_limit(cfsr) ||
			fault_has_left_secure_state(from_user, found->exc_return));
	uint32_t *frame = (uint32_t *)(is_lost  ? (uintptr_t)found->r
				       : in_isr ? (uintptr_t)(found + 1)
						: fault_psp());
	struct fault fault = {K_ERR_CPU_EXCEPTION, NULL, is_lost ? 0 : frame[6], FATAL_IN_THREAD};

	if (from_user && fault_is_user_overflow(cfsr, fault_psp())) {
		fault.reason = K_ERR_STACK_CHK_FAIL;
	}
	if (from_user && is_lost) {
		fault_drop_stack(k_cpu.current); /* PSP may be 0, which would say user mode */
	}
	if (in_isr && fault_is_user_store(frame, cfsr)) {
		return;
	}
	if (!from_user && store_is_kernels()) {
		return;
	}
	if (!from_user && !is_lost && cortex_m_copy_has_faulted != NULL &&
	    cortex_m_copy_has_faulted(frame, cfsr)) {
		return;
	}
	if (!in_isr && !from_user && is_left_by_switch(frame, is_lost, found->exc_return)) {
		return;
	}
	if (is_lost) {
		cfsr &= fault_no_frame(from_user) | CFSR_STKOF;
		fault.pc = was_in_switch ? (uintptr_t)arch_switch & ~(uintptr_t)1 : 0;
	}
	fault.cause = fault_cause(cfsr);
	if (from_user && fault.reason == K_ERR_STACK_CHK_FAIL) {
		fault.cause = FATAL_USER_OVERFLOW;
	} else if (from_user && !is_lost && fault_is_user_canary(cfsr, frame)) {
		fault = (struct fault){K_ERR_STACK_CHK_FAIL, "stack canary overwritten", frame[2],
				       FATAL_IN_THREAD};
	}
	fatal_check_again(is_lost ? fault.pc : frame[6]);
	if (from_user && !is_lost && !fault_is_user_canary(cfsr, frame) &&
	    fault_is_saved(&fault, found, frame)) {
		return; /* its handler decides */
	}
	if (IS_ENABLED(CONFIG_STACK_CHECKS)) { /* who alone asks */
		was_masked = was_masked || fault_is_masked();
	}
	if (!IS_ENABLED(CONFIG_CORTEX_M_V6M) && put_off(in_isr, frame)) {
		return;
	}
	find_where(&fault, frame, in_isr, from_user);
	report(&fault, found, frame);
}

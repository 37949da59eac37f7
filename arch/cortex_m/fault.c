/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers. */
#include "fault.h"
#include "copy_fault.h"
#include "kernel/core/kernel.h"
#include "offsets.h"
#include "registers.h"

#define SHCSR_SVCALLPENDED (1UL << 15)

/* handlers.S calls it. */
void cortex_m_fault(uint32_t *frame, uint32_t exc_return, uint32_t psp, const uint32_t *r4_to_r11);

static const char *cause_name(uint32_t cfsr)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} causes[] = {
		{1UL << 0, "instruction access violation"},
		{1UL << 1, "data access violation"},
		{1UL << 3, "MPU fault on unstacking"},
		{1UL << 4, "MPU fault on stacking"},
		{1UL << 8, "instruction bus error"},
		{1UL << 9, "precise data bus error"},
		{1UL << 10, "imprecise data bus error"},
		{1UL << 11, "bus error on unstacking"},
		{1UL << 12, "bus error on stacking"},
		{1UL << 16, "undefined instruction"},
		{1UL << 17, "invalid execution state"},
		{1UL << 18, "invalid exception return"},
		{1UL << 19, "no coprocessor"},
		{1UL << 24, "unaligned access"},
		{1UL << 25, "division by zero"},
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(causes); i++) {
		if ((cfsr & causes[i].bit) != 0) {
			return causes[i].name;
		}
	}
	return "hard fault";
}

/*
 * It was aborted and a switch is pending. It may have masked interrupts, have been about
 * to resume another frame (switch.S), and have no usable stack left.
 */
static void leave_thread(const struct k_thread *thread)
{
	fault_drop_stack(thread);
	SHCSR &= ~SHCSR_SVCALLPENDED;
	__asm__ volatile("msr basepri, %0\n\tcpsie i" ::"r"(0) : "memory");
}

void cortex_m_fault(uint32_t *frame, uint32_t exc_return, uint32_t psp, const uint32_t *r4_to_r11)
{
	bool in_isr = (exc_return & 8U) == 0;
	const struct fault_register regs[] = {
		{"r0", frame[0]},     {"r1", frame[1]},      {"r2", frame[2]},
		{"r3", frame[3]},     {"r4", r4_to_r11[0]},  {"r5", r4_to_r11[1]},
		{"r6", r4_to_r11[2]}, {"r7", r4_to_r11[3]},  {"r8", r4_to_r11[4]},
		{"r9", r4_to_r11[5]}, {"r10", r4_to_r11[6]}, {"r11", r4_to_r11[7]},
		{"r12", frame[4]},    {"lr", frame[5]},      {"pc", frame[6]},
		{"xpsr", frame[7]},   {"psp", psp},          {"exc_return", exc_return},
		{"cfsr", CFSR},       {"hfsr", HFSR},        {"mmfar", MMFAR},
		{"bfar", BFAR},
	};

	struct fault fault = {K_ERR_CPU_EXCEPTION, cause_name(CFSR), frame[6], FATAL_IN_THREAD};
	const struct k_thread *thread = k_cpu.current;

	if (copy_has_faulted(frame, CFSR)) {
		return;
	}
	fatal_check_again(frame[6]);
	fault_find_stack(&fault, CFSR, MMFAR, frame);
	fatal_report(fault.reason, fault.cause, fault.pc, regs, ARRAY_SIZE(regs),
		     in_isr ? FATAL_IN_ISR : fault.where);
	k_thread_abort(k_cpu.current);
	CFSR = CFSR; /* the bits are cleared by writing ones */
	leave_thread(thread);
}

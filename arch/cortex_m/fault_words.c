/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers: in the kernel's archive, for fatal_words.c. */
#include "fault_words.h"
#include "registers.h"
#include "switch_fault.h"

const char *arch_fault_words(uintptr_t cfsr)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} causes[] = {
		{1UL << 0, "instruction access violation"},
		{1UL << 1, "data access violation"},
		{1UL << 3, "MPU fault on unstacking"},
		{1UL << 4, "MPU fault on stacking"},
		{1UL << 5, "MPU fault on stacking floating point"},
		{1UL << 8, "instruction bus error"},
		{1UL << 9, "precise data bus error"},
		{1UL << 10, "imprecise data bus error"},
		{1UL << 11, "bus error on unstacking"},
		{1UL << 12, "bus error on stacking"},
		{1UL << 13, "bus error on stacking floating point"},
		{1UL << 16, "undefined instruction"},
		{1UL << 17, "invalid execution state"},
		{1UL << 18, "invalid exception return"},
		{1UL << 19, "no coprocessor"},
		{1UL << 20, "stack limit"},
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

void fault_report_words(const struct fault *fault, const struct fault_found *found,
			const uint32_t *frame)
{
	const uint32_t *r = found->r;
	bool is_lost = frame == r;
	const struct fault_register regs[] = {
		{"r0", frame[0]},
		{"r1", frame[1]},
		{"r2", frame[2]},
		{"r3", frame[3]},
		{"r4", r[4]},
		{"r5", r[5]},
		{"r6", r[6]},
		{"r7", r[7]},
		{"r8", r[8]},
		{"r9", r[9]},
		{"r10", r[10]},
		{"r11", r[11]},
		{"r12", is_lost ? r[12] : frame[4]},
		{"lr", is_lost ? 0 : frame[5]},
		{"pc", is_lost ? fault->pc : frame[6]},
		{"xpsr", is_lost ? 0 : frame[7]},
		{"psp", fault_psp()},
		{"exc_return", found->exc_return},
		{"cfsr", CFSR},
		{"hfsr", HFSR},
		{"mmfar", MMFAR},
		{"bfar", BFAR},
	};

	fatal_report(fault->reason, fault->cause, fault->pc, regs, ARRAY_SIZE(regs), fault->where);
}

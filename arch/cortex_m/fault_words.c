/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault was, in words, and its registers: in the kernel's archive, for fatal_words.c. */
#include "fault_words.h"
#include "registers.h"
#include "switch_fault.h"
#include "lib/string.h"

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

const char *const arch_fault_names[ARCH_FAULT_REGISTERS] = {
	"r0",  "r1",  "r2", "r3", "r4",   "r5",  "r6",         "r7",   "r8",   "r9",    "r10",
	"r11", "r12", "lr", "pc", "xpsr", "psp", "exc_return", "cfsr", "hfsr", "mmfar", "bfar",
};

void fault_find_registers(uintptr_t *to, const struct fault *fault, const struct fault_found *found,
			  const uint32_t *frame)
{
	const uint32_t *r = found->r;
	const bool is_lost = frame == r;

	memcpy(to, frame, sizeof(*to) * 4);
	memcpy(&to[4], &r[4], sizeof(*to) * 8);
	to[12] = is_lost ? r[12] : frame[4];
	to[13] = is_lost ? 0 : frame[5];
	to[14] = is_lost ? fault->pc : frame[6];
	to[15] = is_lost ? 0 : frame[7];
	to[16] = fault_psp();
	to[17] = found->exc_return;
	to[18] = CFSR;
	to[19] = HFSR;
	to[20] = MMFAR;
	to[21] = BFAR;
}

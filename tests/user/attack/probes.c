/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Past the calls: reads and writes of every region, jumps into the kernel, privileged
 * instructions, and stacks that overflow. Who is still there afterwards has found a hole.
 */
#include <board.h>
#include "attack.h"
#include "tests/check/device.h"

extern void (*const syscall_table[])(void);

/* Memory that is nobody's, or the kernel's, or another thread's. */
static uintptr_t place(struct attacker *self)
{
	uintptr_t stack = (uintptr_t)attack_stack(self);
	const uintptr_t places[] = {
		arena.objects[1 + attack_below(self, DATA - 1)]
			     [attack_below(self, NUM_ALLOWED + 1)],
		stack - 4, /* of its own system calls */
		stack - ARCH_USER_STACK_RESERVED,
		stack + STACK_SIZE_,
		(uintptr_t)&attacker_threads[attack_below(self, NUM_ATTACKERS)],
		(uintptr_t)attacker_stacks[attack_below(self, NUM_ATTACKERS)] +
			ARCH_USER_STACK_RESERVED + attack_below(self, STACK_SIZE_),
		(uintptr_t)&k_cpu,
		(uintptr_t)A_DEVICE,
		(uintptr_t)&arena_page + PAGE,
		(uintptr_t)attack_any_word(self),
	};

	return places[attack_below(self, ARRAY_SIZE(places))] & ~(uintptr_t)3;
}

static void reads(struct attacker *self)
{
	uintptr_t address = place(self);
	uint32_t word;

	if (attack_is_ours(self, address, false)) {
		return;
	}
	word = *(const volatile uint32_t *)address;
	attack_found("memory could be read", address, word);
}

/* What was the attackers' a moment ago, and was not given back meanwhile. */
static void reads_taken(void)
{
	uint32_t taken = arena.taken;

	if (taken % 2 == 0) {
		return;
	}
	(void)*(volatile uintptr_t *)shared_buffer;
	if (arena.taken == taken) {
		attack_found("a partition that was removed", taken, 0);
	}
}

static void writes(struct attacker *self)
{
	uintptr_t address = attack_below(self, 4) != 0 ? place(self) : (uintptr_t)attack;

	if (attack_is_ours(self, address, true)) {
		return;
	}
	*(volatile uint32_t *)(address & ~(uintptr_t)3) = 0;
	attack_found("memory could be written", address, 0);
}

/*
 * A verifier, or some instruction of one, with registers of the attacker's choice. It may well return: it
 * has no rights, that is all. It finds zeros on its stack, so that no epilogue leads back into the attacker.
 */
static void jumps(struct attacker *self)
{
	struct registers registers = {0};
	volatile uintptr_t zeros[64];

	for (unsigned int i = 0; i < ARRAY_SIZE(zeros); i++) {
		zeros[i] = 0;
	}
	for (unsigned int i = 0; i < 4; i++) {
		registers.a[i] = arena.objects[1 + attack_below(self, NUM_OBJECTS - 1)][FORBIDDEN];
	}
	registers.t[0] = (uintptr_t)syscall_table[attack_below(self, NUM_CALLS)];
	switch (attack_below(self, 4)) {
	case 0:
		registers.t[0] += attack_below(self, 32) * 2;
		break;
	case 1:
		registers.t[0] = (uintptr_t)self->buffer; /* data */
		break;
	case 2:
		registers.t[0] = place(self);
		break;
	default:
		break;
	}
	registers.sp = (uintptr_t)&zeros[48];
	attack_jump(&registers);
}

__attribute__((noipa)) static void recurses(volatile uint32_t *above)
{
	volatile uint32_t here[16];

	here[0] = *above + 1;
	here[1] = 0;
	if (here[0] < 1000) {
		recurses(here);
	}
	*above = here[1];
}

static void overflows(void)
{
	volatile uint32_t depth = 0;

	recurses(&depth);
	attack_found("a stack without an end", depth, 0);
}

void attack_probe(struct attacker *self)
{
	unsigned int number;

	switch (attack_below(self, 8)) {
	case 0:
	case 1:
		reads(self);
		break;
	case 2:
		reads_taken();
		break;
	case 3:
	case 4:
		writes(self);
		break;
	case 5:
		jumps(self);
		break;
	case 6:
		number = attack_below(self, ATTACK_NUM_PRIVILEGED);
		attack_privileged(number);
		attack_found("a privileged instruction", number, 0);
		break;
	default:
		overflows();
		break;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack canaries: the word that the compiler puts below a function's return address and
 * compares when it returns. It must not be guessed, so it is drawn at each boot from the
 * board's entropy (drivers/entropy.h). Its lowest byte, the first in memory, is 0: a text
 * that is copied too far ends there.
 *
 * A board without entropy gets what differs from boot to boot by itself: the contents of
 * memory that nothing has initialised yet, and the counter. On a simulator these are the
 * same each time, and so is the value: mistakes are found all the same, an attacker is
 * not kept out.
 */
#include "arch/arch.h"
#include "kernel/protect/canary.h"
#include "drivers/entropy.h"
#include "kernel/core/kernel.h"

/* Names that the compiler fixes. */
uintptr_t __stack_chk_guard ARCH_NEAR;
void __stack_chk_fail(void) __attribute__((noreturn));

#define NOINIT_WORDS 64U
#define FNV_PRIME    0x01000193U

static uint32_t noinit_words[NOINIT_WORDS] __noinit;

static uint32_t weak_entropy(void)
{
	uint32_t hash = arch_cycles() ^ 0x811c9dc5U;

	for (unsigned int i = 0; i < NOINIT_WORDS; i++) {
		hash = (hash ^ *(volatile uint32_t *)&noinit_words[i]) * FNV_PRIME;
	}
	return hash;
}

/* Not itself protected: the value changes while it runs. */
__attribute__((optimize("no-stack-protector"))) void canary_init(void)
{
	uint32_t word = weak_entropy();
	uint32_t drawn;

	if (entropy_get(&drawn)) {
		word ^= drawn;
	}
	/* Stirred (the constants are MurmurHash3's), so that every bit of it matters. */
	word ^= word >> 16;
	word *= 0x85ebca6bU;
	word ^= word >> 13;
	word *= 0xc2b2ae35U;
	word ^= word >> 16;
	__stack_chk_guard = word & ~(uintptr_t)0xff;
}

void __stack_chk_fail(void)
{
	bool open = arch_may_switch(arch_irq_lock());

	arch_fault_raise(K_ERR_STACK_CHK_FAIL, "stack canary overwritten",
			 ((uintptr_t)__builtin_return_address(0) & ~(uintptr_t)1) - 2U,
			 open ? FATAL_IN_THREAD : FATAL_FOR_ALL);
}

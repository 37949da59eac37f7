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
 *
 * With user threads there are two words, drawn one after the other. Code that user mode may run,
 * which is all that is not the kernel's, compares with one that user mode reads. It says nothing of
 * the kernel's, with which the kernel's own files compare (foliot/kernel_mode.h). Rejected: one
 * word at one place, exchanged on each way between the modes, so that all frames of kernel mode
 * have the secret one. That costs each interrupt of a user thread, and handlers that the vectors
 * lead to have no place for it.
 */
#include "arch/arch.h"
#include "kernel/hooks/canary.h"
#include "drivers/entropy.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/user.h"

/* Names that the compiler fixes. */
#ifdef CONFIG_USERSPACE
uintptr_t kernel_stack_chk_guard ARCH_NEAR;
uintptr_t __stack_chk_guard __attribute__((section(".user_words"))); /* user mode reads it */
#else
uintptr_t __stack_chk_guard ARCH_NEAR;
#endif
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

#define NOT_PROTECTED __attribute__((optimize("no-stack-protector")))

static NOT_PROTECTED uintptr_t draw(void)
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
	return word & ~(uintptr_t)0xff;
}

/* Not itself protected: the value changes while it runs. */
NOT_PROTECTED void canary_init(void)
{
	__stack_chk_guard = draw();
#ifdef CONFIG_USERSPACE
	kernel_stack_chk_guard = draw();
	if (kernel_stack_chk_guard == __stack_chk_guard) {
		kernel_stack_chk_guard ^= 0x100U;
	}
#endif
}

/*
 * In user mode the port takes what it raises for what it says. Not protected: that runs in either
 * mode.
 */
NOT_PROTECTED void __stack_chk_fail(void)
{
	enum fatal_where where = FATAL_IN_THREAD;

	/*
	 * In a system call a frame of the kernel's has been overwritten, and who knows what else.
	 */
	if (!k_is_user_context() && (!arch_may_switch(arch_irq_lock()) || user_is_running())) {
		where = FATAL_FOR_ALL;
	}
	arch_fault_raise(K_ERR_STACK_CHK_FAIL, "stack canary overwritten",
			 ((uintptr_t)__builtin_return_address(0) & ~(uintptr_t)1) - 2U, where);
}

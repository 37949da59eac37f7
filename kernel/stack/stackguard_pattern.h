/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a guard is where the core has no region for it: a pattern, which an overflow changes. Where
 * it has one, or a page that is taken away, nothing is to be filled, and nothing can have changed.
 */
#ifndef FOLIOT_KERNEL_STACKGUARD_PATTERN_H
#define FOLIOT_KERNEL_STACKGUARD_PATTERN_H

#include "arch/arch.h"
#include "kernel/hooks/stackguard.h"

#ifdef CONFIG_STACK_GUARD_HW

static inline void stackguard_init(void)
{
	arch_guard_init();
}

static inline void stackguard_fill(struct k_thread *thread)
{
}

static inline bool stackguard_stands(const struct k_thread *thread)
{
	return true;
}

#else

#define STACKGUARD_PATTERN 0x5afe57acU

static inline void stackguard_init(void)
{
}

static inline void stackguard_fill(struct k_thread *thread)
{
	uint32_t *word = (uint32_t *)stackguard_start(thread);

#ifdef CONFIG_STACK_GUARD_PAGES
	if (stackguard_is_page(thread->stack_start)) {
		arch_guard_page((uintptr_t)word);
		return;
	}
#endif
	for (unsigned int i = 0; i < CONFIG_STACK_GUARD_SIZE / sizeof(*word); i++) {
		word[i] = STACKGUARD_PATTERN;
	}
}

static inline bool stackguard_stands(const struct k_thread *thread)
{
	const uint32_t *word = (const uint32_t *)stackguard_start(thread);
	uint32_t differs = 0;

	if (stackguard_is_page(thread->stack_start)) {
		return true;
	}
	for (unsigned int i = 0; i < CONFIG_STACK_GUARD_SIZE / sizeof(*word); i++) {
		differs |= word[i] ^ STACKGUARD_PATTERN;
	}
	return differs == 0;
}

#endif

#endif /* FOLIOT_KERNEL_STACKGUARD_PATTERN_H */

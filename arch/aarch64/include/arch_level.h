/* SPDX-License-Identifier: Apache-2.0 */
/*
 * At which exception level the kernel runs, and so which system registers are its own: for C and
 * assembly.
 */
#ifndef FOLIOT_ARCH_LEVEL_H
#define FOLIOT_ARCH_LEVEL_H

/* In the host regime of EL2 the names of EL1's registers are those of EL2's own. */
#ifdef CONFIG_AARCH64_STAGE2
#define AARCH64_OWN(name) name##_el2
#else
#define AARCH64_OWN(name) name##_el1
#endif

/* What user mode's tables hang on. */
#ifdef CONFIG_AARCH64_STAGE2
#define AARCH64_USER_TTBR vttbr_el2
#else
#define AARCH64_USER_TTBR ttbr0_el1
#endif

#define AARCH64_STRING_(text) #text
#define AARCH64_STRING(text)  AARCH64_STRING_(text)

/* A system register by name, in C. */
#define AARCH64_READ(name, value) \
	__asm__ volatile("mrs %0, " AARCH64_STRING(name) : "=r"(value)::"memory")
#define AARCH64_WRITE(name, value) \
	__asm__ volatile("msr " AARCH64_STRING(name) ", %0" ::"r"((uint64_t)(value)) : "memory")

#endif /* FOLIOT_ARCH_LEVEL_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fatal error prints: a line with its number and pc, or all there is to say in words
 * (fatal_words.c, and a port's fault_words.c). The words are 2 KB, and a program that never calls
 * printk() has nobody to read them: they are linked with printk(), which asks for them
 * (lib/printk.c), or by CONFIG_FAULT_REPORT_ALWAYS.
 */
#ifndef FOLIOT_KERNEL_FATAL_H
#define FOLIOT_KERNEL_FATAL_H

#include "kernel/base/kernel.h"

/* Among a thread's options, which its creation sets: its fault has been reported. */
#define THREAD_OPTION_REPORTED BIT(7)

/* Is a function there that is linked with the words? Not without CONFIG_FAULT_REPORT. */
#define FATAL_HAS_WORDS(function) (IS_ENABLED(CONFIG_FAULT_REPORT) && (function) != NULL)

/* What it is told of, whichever port has found it. */
#define FATAL_USER_OVERFLOW "a user thread's stack has overflowed"

/* What the core says of a fault, in words: K_IPC_FAULT_CAUSE. Weak: see above; fault_words.c's. */
__cold const char *arch_fault_words(uintptr_t cause) __attribute__((weak));
extern const char *const arch_fault_names[ARCH_FAULT_REGISTERS] __attribute__((weak));

static inline const char *fault_cause(uintptr_t cause)
{
	return FATAL_HAS_WORDS(arch_fault_words) ? arch_fault_words(cause) : "";
}

/* The report, for people and for the lab; or, where it is not linked, NULL. */
__cold void fatal_print_words(const struct fault *fault, const uintptr_t *registers)
	__attribute__((weak));

/*
 * With what a report is printed: fatal_print.c. A line is written while fatal_line(&tries) says so,
 * which begins at 0: again where others have cut it off (lib/console_line.h).
 */
#ifdef CONFIG_USERSPACE
__cold bool fatal_line(unsigned int *tries);
__cold void fatal_print_char(char c);
#else
#define fatal_print_char(c) console_putc(c)

static inline bool fatal_line(unsigned int *tries)
{
	return (*tries)++ == 0;
}
#endif
__cold void fatal_print_text(const char *text);

/* `value` in hexadecimal, in eight digits or as many as it needs. */
__cold void fatal_print_hex(uintptr_t value);

/* `text`, then `pc` in hexadecimal, on a line. */
__cold void fatal_print_pc(const char *text, uintptr_t pc);

#endif /* FOLIOT_KERNEL_FATAL_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* What a fatal error prints: fatal_words.c, or fatal_brief.c where flash is scarce. */
#ifndef FOLIOT_KERNEL_FATAL_H
#define FOLIOT_KERNEL_FATAL_H

#include "kernel/core/kernel.h"

/* The report, for people and for the lab. */
__cold void fatal_print(unsigned int reason, const char *cause, uintptr_t pc,
			const struct fault_register *regs, unsigned int num_regs, bool in_isr);

/* `value` in hexadecimal, in eight digits or as many as it needs. */
__cold void fatal_print_hex(uintptr_t value);

/* `text`, then `pc` in hexadecimal, on a line. */
__cold void fatal_print_pc(const char *text, uintptr_t pc);

/* What says that a fault was met while one was reported, and where. */
#ifdef CONFIG_FAULT_REPORT
#define FATAL_AGAIN "\n*** FATAL again, while a fault was reported: at pc 0x"
#else
#define FATAL_AGAIN "\n*** FATAL again 0x"
#endif

#endif /* FOLIOT_KERNEL_FATAL_H */

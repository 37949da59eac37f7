/* SPDX-License-Identifier: Apache-2.0 */
/* What a fatal error prints: fatal_words.c, or fatal_brief.c where flash is scarce. */
#ifndef FOLIOT_KERNEL_FATAL_H
#define FOLIOT_KERNEL_FATAL_H

#include "kernel/core/kernel.h"

/* The report, for people and for the lab. */
void fatal_print(unsigned int reason, const char *cause, uintptr_t pc,
		 const struct fault_register *regs, unsigned int num_regs, bool in_isr);

/* `text`, then `pc` in hexadecimal. */
void fatal_print_pc(const char *text, uintptr_t pc);

/* What says that a fault was met while one was reported, and where. */
#ifdef CONFIG_FAULT_REPORT
#define FATAL_AGAIN "\n*** FATAL again, while a fault was reported: at pc 0x"
#else
#define FATAL_AGAIN "\n*** FATAL again 0x"
#endif

#endif /* FOLIOT_KERNEL_FATAL_H */

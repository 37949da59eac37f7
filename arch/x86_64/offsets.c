/* SPDX-License-Identifier: Apache-2.0 */
/* What this port's assembly knows of structures, beside arch/offsets.h, which says how. */
#include "arch/offsets.h"
#include "frames.h"
#include "tables.h"
#include "user_fault.h"

#ifdef CONFIG_USERSPACE
BUILD_ASSERT(sizeof(struct x86_64_stack) == 16 && offsetof(struct k_mem_domain, arch.top) == 0 &&
		     TABLE_USERS == USERS,
	     "user.inc");
#endif
BUILD_ASSERT(ARCH_IRQ_KEY_BIT == RFLAGS_IF, "frames.h");
BUILD_ASSERT(FRAME_SIZE == 8 * 8 && FRAME_RETURN == FRAME_SIZE - 8, "arch_stack_init()");
BUILD_ASSERT(FRAME_SIZE == ARCH_SWITCH_FRAME_SIZE, "arch_checks.h");

void offsets(void)
{
	offsets_of_kernel();
	OFFSET(CPU_IN_ISR, struct cpu, arch.in_isr);
	OFFSET(CPU_SWITCH, struct cpu, arch.switch_pending);
	OFFSET(IRQ_ENTRY_HANDLER, struct irq_entry, handler);
	OFFSET(IRQ_ENTRY_ARG, struct irq_entry, arg);
#ifdef CONFIG_USERSPACE
	OFFSET(THREAD_PAGES, struct k_thread, user.arch.stack);
#ifdef CONFIG_IPC
	OFFSET(KEPT_REGISTERS, struct x86_64_saved, registers);
	VALUE(KEPT_SIZE, sizeof(struct x86_64_saved));
#endif
#endif
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What this port's assembly knows of structures, beside arch/offsets.h, which says how. */
#include "arch/offsets.h"
#include "floating_point.h"
#include "frames.h"
#include "user_fault.h"

#ifdef CONFIG_FPU
BUILD_ASSERT(offsetof(struct arch_fpu, status) == offsetof(struct arch_fpu, control) + 8 &&
		     sizeof(struct arch_fpu) % 16 == 0,
	     "floating_point.inc: on a stack");
#endif
#ifdef CONFIG_USERSPACE
BUILD_ASSERT(offsetof(struct k_thread, user.arch.stack_pages) ==
			     offsetof(struct k_thread, user.domain) + 8 &&
		     offsetof(struct k_mem_domain, arch.ttbr) ==
			     offsetof(struct k_mem_domain, arch.open) + 8,
	     "user.inc: in one load");
#ifdef CONFIG_IPC
BUILD_ASSERT(FRAME_KEY == FRAME_X(30) + 8, "ipc.S: the key behind x30");
#endif
#endif
BUILD_ASSERT(ARCH_IRQ_KEY_BIT == PSTATE_I, "frames.h");
BUILD_ASSERT(FRAME_SIZE == 14 * 8 && FRAME_KEY == 12 * 8 && FRAME_X(19) == 0, "arch_stack_init()");
BUILD_ASSERT(FRAME_SIZE == ARCH_SWITCH_FRAME_SIZE, "arch_checks.h");

void offsets(void)
{
	offsets_of_kernel();
	OFFSET(CPU_IN_ISR, struct cpu, arch.in_isr);
	OFFSET(CPU_SWITCH, struct cpu, arch.switch_pending);
#ifdef CONFIG_FPU
	OFFSET(FPU_CONTROL, struct arch_fpu, control);
	VALUE(FPU_SIZE, sizeof(struct arch_fpu));
#endif
#ifdef CONFIG_USERSPACE
	OFFSET(DOMAIN_OPEN, struct k_mem_domain, arch.open);
	OFFSET(DOMAIN_FORGET, struct k_mem_domain, arch.forget);
	OFFSET(DOMAIN_PAGES, struct k_mem_domain, arch.space.pages);
#ifdef CONFIG_IPC
	OFFSET(KEPT_PSTATE, struct aarch64_saved, pstate);
	OFFSET(KEPT_REGISTERS, struct aarch64_saved, registers);
	VALUE(KEPT_SIZE, sizeof(struct aarch64_saved));
#endif
#endif
}

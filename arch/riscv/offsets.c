/* SPDX-License-Identifier: Apache-2.0 */
/* What this port's assembly knows of structures, beside arch/offsets.h, which says how. */
#include "arch/offsets.h"
#include "frames.h"
#include "user_fault.h"

#ifdef CONFIG_USERSPACE
#ifdef CONFIG_IPC
BUILD_ASSERT(K_IPC_FAULT_RESUME == 0 && K_IPC_FAULT_KIND == 0 && K_IPC_FAULT_PC == 2, "ipc.S");
#endif
#endif
BUILD_ASSERT(FRAME_RA == sizeof(uintptr_t) && FRAME_S(0) == 2 * sizeof(uintptr_t),
	     "arch_stack_init()");

void offsets(void)
{
	offsets_of_kernel();
	OFFSET(CPU_IN_ISR, struct cpu, arch.in_isr);
	OFFSET(CPU_SWITCH, struct cpu, arch.switch_pending);
#ifdef CONFIG_USERSPACE
	OFFSET(THREAD_USER_START, struct k_thread, user.arch.stack_start);
	OFFSET(THREAD_USER_END, struct k_thread, user.arch.stack_end);
	OFFSET(DOMAIN_ADDRESSES, struct k_mem_domain, arch.addresses);
	OFFSET(DOMAIN_CONFIGURATIONS, struct k_mem_domain, arch.configurations);
	OFFSET(DOMAIN_IS_LONG, struct k_mem_domain, arch.is_long);
#ifdef CONFIG_IPC
	OFFSET(KEPT_REGISTERS, struct riscv_saved, registers);
	VALUE(KEPT_SIZE, sizeof(struct riscv_saved));
#endif
#endif
}

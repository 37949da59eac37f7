/* SPDX-License-Identifier: Apache-2.0 */
/* What this port's assembly knows of structures, beside arch/offsets.h, which says how. */
#include "arch/offsets.h"
#include "frames.h"
#include "saved_fault.h"

#ifdef CONFIG_USERSPACE
BUILD_ASSERT(sizeof(cortex_m_user_now) == 12, "ipc.S, user.S");
BUILD_ASSERT(offsetof(struct k_mem_domain, arch.regions) == 0, "ipc.S");
#ifdef CONFIG_IPC
BUILD_ASSERT(offsetof(struct k_ipc_message, size) == 24 &&
		     offsetof(struct k_ipc_message, capacity) == 28,
	     "ipc.S");
#endif
#endif
BUILD_ASSERT(FRAME_SIZE == 40 && FRAME_R4 == 4 * ARCH_FRAME_R4 && FRAME_PC == 36,
	     "arch_stack_init()");
BUILD_ASSERT(FRAME_SIZE + EXC_SIZE + ARCH_FPU_FRAME_SIZE == ARCH_SWITCH_FRAME_SIZE,
	     "arch_checks.h");
BUILD_ASSERT(ARCH_SWITCH_FRAME_SIZE == SWITCH_FRAME_SIZE, "frames.h");
BUILD_ASSERT(SWITCH_FRAME_SIZE >= EXC_MAX_SIZE + 4, "guard.inc: room for a trap");

void offsets(void)
{
	offsets_of_kernel();
#ifdef CONFIG_USERSPACE
	OFFSET(THREAD_REGIONS, struct k_thread, user.arch.regions);
	OFFSET(THREAD_USER_STACK, struct k_thread, user.arch.stack);
	OFFSET(USER_NOW_DOMAIN, struct arch_user_now, domain);
#ifdef CONFIG_IPC
	OFFSET(KEPT_CAME, struct cortex_m_saved, fault.size);
	OFFSET(KEPT_REGISTERS, struct cortex_m_saved, registers);
	OFFSET(KEPT_PSP, struct cortex_m_saved, psp);
	VALUE(KEPT_SIZE, sizeof(struct cortex_m_saved));
#endif
#endif
}

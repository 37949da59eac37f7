/* SPDX-License-Identifier: Apache-2.0 */
/* The offsets that assembly and arch_inline.h rely on, against the compiler's. */
#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>
#include "offsets.h"
#include <arch_checks.h>

BUILD_ASSERT(offsetof(struct cpu, current) == CPU_CURRENT, "offsets.h");
BUILD_ASSERT(offsetof(struct cpu, best) == CPU_BEST, "offsets.h");
#ifdef CONFIG_TIMESLICING
BUILD_ASSERT(offsetof(struct cpu, sliced) == CPU_SLICED, "offsets.h");
#endif
#ifdef CONFIG_THREAD_LOCAL_STORAGE
BUILD_ASSERT(offsetof(struct k_thread, tls) == THREAD_TLS, "offsets.h");
#endif
BUILD_ASSERT(offsetof(struct k_thread, sp) == THREAD_SP, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, wake_value) == THREAD_WAKE_VALUE, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, prio) == THREAD_PRIO, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, threshold) == THREAD_THRESHOLD, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, state) == THREAD_STATE, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, options) == THREAD_OPTIONS, "offsets.h");
BUILD_ASSERT(K_USER == 1U << OPTION_USER_BIT, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, stack_start) == THREAD_STACK_START, "offsets.h");
#ifdef CONFIG_STACK_GUARD
BUILD_ASSERT(offsetof(struct k_thread, stack_guard_end) == THREAD_GUARD_END, "offsets.h");
#endif
#ifdef CONFIG_USERSPACE
BUILD_ASSERT(offsetof(struct k_thread, user.domain) == THREAD_DOMAIN, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, user.arch.regions) == THREAD_REGIONS, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, user.arch.stack) == THREAD_USER_STACK, "offsets.h");
BUILD_ASSERT(offsetof(struct k_mem_domain, arch.regions) == 0, "ipc.S");
#ifdef CONFIG_IPC
BUILD_ASSERT(offsetof(struct k_thread, user.message.words) == THREAD_MESSAGE &&
		     offsetof(struct k_thread, user.message.badge) == THREAD_MESSAGE + 16 &&
		     offsetof(struct k_thread, user.message.size) == THREAD_MESSAGE + 20 &&
		     offsetof(struct k_thread, user.message.room) == THREAD_MESSAGE + 24,
	     "offsets.h");
BUILD_ASSERT(offsetof(struct k_ipc_message, size) == 24 &&
		     offsetof(struct k_ipc_message, room) == 28,
	     "ipc.S");
#endif
BUILD_ASSERT(sizeof(cortex_m_user_now) == 12 &&
		     offsetof(struct arch_user_now, domain) == USER_NOW_DOMAIN,
	     "offsets.h");
#endif
BUILD_ASSERT(K_THREAD_QUEUED == 0x80, "handlers.S");
BUILD_ASSERT(K_THREAD_DEAD == STATE_DEAD, "offsets.h");
BUILD_ASSERT(ARCH_COPY_FAULTED == COPY_FAULTED, "offsets.h");
BUILD_ASSERT(FRAME_SIZE == 40 && FRAME_R4 == 4 * ARCH_FRAME_R4 && FRAME_PC == 36,
	     "arch_stack_init()");
BUILD_ASSERT(FRAME_SIZE + EXC_SIZE + ARCH_FPU_FRAME_SIZE == ARCH_SWITCH_FRAME_SIZE,
	     "arch_checks.h");
BUILD_ASSERT(ARCH_SWITCH_FRAME_SIZE == SWITCH_FRAME_SIZE, "offsets.h");
BUILD_ASSERT(SWITCH_FRAME_SIZE >= EXC_MAX_SIZE + 4, "guard.inc: room for a trap");

/* SPDX-License-Identifier: Apache-2.0 */
/* The offsets that assembly and arch_inline.h rely on, against the compiler's. */
#include "kernel/base/kernel.h"
#include <board.h>
#include <foliot/mem_domain.h>
#include "offsets.h"

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
BUILD_ASSERT(offsetof(struct k_thread, stack_start) == THREAD_STACK_START, "offsets.h");
#ifdef CONFIG_STACK_GUARD
BUILD_ASSERT(offsetof(struct k_thread, stack_guard_end) == THREAD_GUARD_END, "offsets.h");
#endif
#ifdef CONFIG_USERSPACE
BUILD_ASSERT(offsetof(struct k_thread, user.domain) == THREAD_DOMAIN, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, user.arch.stack_start) == THREAD_USER_START &&
		     offsetof(struct k_thread, user.arch.stack_end) == THREAD_USER_END,
	     "offsets.h");
BUILD_ASSERT(offsetof(struct k_mem_domain, arch.addresses) == DOMAIN_ADDRESS(ARCH_DOMAIN_FIRST) &&
		     offsetof(struct k_mem_domain, arch.configurations) ==
			     DOMAIN_CONFIGURATION(0) &&
		     offsetof(struct k_mem_domain, arch.is_long) == DOMAIN_IS_LONG,
	     "offsets.h");
#ifdef CONFIG_IPC
BUILD_ASSERT(offsetof(struct k_thread, user.message.words) == THREAD_MESSAGE &&
		     offsetof(struct k_thread, user.message.badge) == MESSAGE_WORD(4) &&
		     offsetof(struct k_thread, user.message.size) == MESSAGE_WORD(5) &&
		     offsetof(struct k_thread, user.message.room) == MESSAGE_WORD(6),
	     "offsets.h");
#endif
#endif
BUILD_ASSERT(offsetof(struct cpu, arch.in_isr) == CPU_IN_ISR, "offsets.h");
BUILD_ASSERT(offsetof(struct cpu, arch.switch_pending) == CPU_SWITCH, "offsets.h");
BUILD_ASSERT(K_THREAD_QUEUED == 0x80, "trap.S");
#ifdef CONFIG_IPC
BUILD_ASSERT(K_IPC_FAULT_RESUME == 0 && K_IPC_FAULT_KIND == 0 && K_IPC_FAULT_PC == 2, "ipc.S");
#endif
BUILD_ASSERT(K_THREAD_DEAD == STATE_DEAD, "offsets.h");
BUILD_ASSERT(ARCH_COPY_FROM == COPY_FROM && ARCH_COPY_TO == COPY_TO, "offsets.h");
BUILD_ASSERT(ARCH_COPY_FAULTED == COPY_FAULTED, "offsets.h");
BUILD_ASSERT(FRAME_RA == sizeof(uintptr_t) && FRAME_S(0) == 2 * sizeof(uintptr_t),
	     "arch_stack_init()");

/* SPDX-License-Identifier: Apache-2.0 */
/* The offsets that assembly and arch_inline.h rely on, against the compiler's. */
#include "kernel/core/kernel.h"
#include "offsets.h"
#include <arch_checks.h>

BUILD_ASSERT(offsetof(struct cpu, current) == CPU_CURRENT, "offsets.h");
BUILD_ASSERT(offsetof(struct cpu, best) == CPU_BEST, "offsets.h");
#ifdef CONFIG_TIMESLICING
BUILD_ASSERT(offsetof(struct cpu, sliced) == CPU_SLICED, "offsets.h");
#endif
BUILD_ASSERT(offsetof(struct k_thread, sp) == THREAD_SP, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, wake_value) == THREAD_WAKE_VALUE, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, prio) == THREAD_PRIO, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, threshold) == THREAD_THRESHOLD, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, state) == THREAD_STATE, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, options) == THREAD_OPTIONS, "offsets.h");
BUILD_ASSERT(K_USER == 1U << OPTION_USER_BIT, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, stack_start) == THREAD_STACK_START, "offsets.h");
#ifdef CONFIG_USERSPACE
BUILD_ASSERT(offsetof(struct k_thread, user.domain) == THREAD_DOMAIN, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, user.arch.regions) == THREAD_REGIONS, "offsets.h");
BUILD_ASSERT(offsetof(struct k_thread, user.arch.stack) == THREAD_USER_STACK, "offsets.h");
BUILD_ASSERT(sizeof(cortex_m_user_now) == 12 &&
		     offsetof(struct arch_user_now, domain) == USER_NOW_DOMAIN,
	     "offsets.h");
#endif
BUILD_ASSERT(K_THREAD_QUEUED == 0x80, "handlers.S");
BUILD_ASSERT(ARCH_COPY_FAULTED == COPY_FAULTED, "offsets.h");
BUILD_ASSERT(FRAME_SIZE == 40 && FRAME_R4 == 4 && FRAME_PC == 36, "arch_stack_init()");
BUILD_ASSERT(FRAME_SIZE + EXC_SIZE == ARCH_SWITCH_FRAME_SIZE, "arch_checks.h");

/* SPDX-License-Identifier: Apache-2.0 */
/* The offsets that assembly and arch_inline.h rely on, against the compiler's. */
#include "kernel/base/kernel.h"
#include "offsets.h"
#include <arch_checks.h>
#ifdef CONFIG_USERSPACE
#include <foliot/mem_domain.h>
#endif

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
BUILD_ASSERT(offsetof(struct k_thread, options) == THREAD_OPTIONS && K_USER == 1 << OPTION_USER_BIT,
	     "offsets.h");
BUILD_ASSERT(offsetof(struct cpu, arch.in_isr) == CPU_IN_ISR, "offsets.h");
BUILD_ASSERT(offsetof(struct cpu, arch.switch_pending) == CPU_SWITCH, "offsets.h");
BUILD_ASSERT(K_THREAD_QUEUED == 0x80, "trap.S");
BUILD_ASSERT(ARCH_COPY_FROM == COPY_FROM && ARCH_COPY_TO == COPY_TO, "offsets.h");
BUILD_ASSERT(ARCH_COPY_FAULTED == COPY_FAULTED, "offsets.h");
BUILD_ASSERT(ARCH_IRQ_KEY_BIT == PSTATE_I, "offsets.h");
BUILD_ASSERT(FRAME_SIZE == 14 * 8 && FRAME_KEY == 12 * 8, "arch_stack_init()");
BUILD_ASSERT(FRAME_X(19) == 0 && FRAME_X(30) == 11 * 8, "arch_stack_init()");
BUILD_ASSERT(FRAME_SIZE == ARCH_SWITCH_FRAME_SIZE, "arch_checks.h");
#ifdef CONFIG_USERSPACE
BUILD_ASSERT(offsetof(struct k_thread, user.domain) == THREAD_DOMAIN &&
		     offsetof(struct k_thread, user.arch.stack_pages) == THREAD_DOMAIN + 8,
	     "offsets.h");
BUILD_ASSERT(offsetof(struct k_mem_domain, arch.open) == DOMAIN_OPEN &&
		     offsetof(struct k_mem_domain, arch.ttbr) == DOMAIN_OPEN + 8 &&
		     offsetof(struct k_mem_domain, arch.forget) == DOMAIN_FORGET &&
		     offsetof(struct k_mem_domain, arch.space.pages) == DOMAIN_PAGES,
	     "offsets.h");
#ifdef CONFIG_IPC
BUILD_ASSERT(offsetof(struct k_thread, user.message.words) == THREAD_MESSAGE &&
		     offsetof(struct k_thread, user.message.badge) == MESSAGE_WORD(4) &&
		     offsetof(struct k_thread, user.message.size) == MESSAGE_WORD(5),
	     "offsets.h");
BUILD_ASSERT(FRAME_KEY == FRAME_X(30) + 8, "ipc.S: the key behind x30");
#endif
#endif

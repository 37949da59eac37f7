/* SPDX-License-Identifier: Apache-2.0 */
/* The offsets that assembly and arch_inline.h rely on, against the compiler's. */
#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>
#include "offsets.h"
#include "tables.h"
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
BUILD_ASSERT(offsetof(struct cpu, arch.in_isr) == CPU_IN_ISR, "offsets.h");
BUILD_ASSERT(offsetof(struct cpu, arch.switch_pending) == CPU_SWITCH, "offsets.h");
BUILD_ASSERT(offsetof(struct irq_entry, handler) == IRQ_ENTRY_HANDLER, "offsets.h");
BUILD_ASSERT(offsetof(struct irq_entry, arg) == IRQ_ENTRY_ARG, "offsets.h");
BUILD_ASSERT(K_THREAD_QUEUED == 0x80, "trap.S");
BUILD_ASSERT(ARCH_COPY_FAULTED == COPY_FAULTED, "offsets.h");
BUILD_ASSERT(ARCH_IRQ_KEY_BIT == RFLAGS_IF, "offsets.h");
#ifdef CONFIG_FPU
BUILD_ASSERT(offsetof(struct k_thread, fpu) == THREAD_FPU, "fpu.inc");
#endif
#ifdef CONFIG_USERSPACE
BUILD_ASSERT(offsetof(struct k_thread, stack_start) == THREAD_STACK_START &&
		     offsetof(struct k_thread, user.domain) == THREAD_DOMAIN &&
		     offsetof(struct k_thread, user.arch.stack) == THREAD_PAGES &&
		     sizeof(struct x86_64_stack) == 16 &&
		     offsetof(struct k_mem_domain, arch.top) == 0 && TABLE_USERS == USERS,
	     "user.inc");
#ifdef CONFIG_IPC
BUILD_ASSERT(offsetof(struct k_thread, user.message.words) == THREAD_MESSAGE &&
		     offsetof(struct k_thread, user.message.badge) == MESSAGE_WORD(4) &&
		     offsetof(struct k_thread, user.message.size) == MESSAGE_WORD(5),
	     "ipc.S");
#endif
#endif
BUILD_ASSERT(FRAME_RETURN == FRAME_SIZE - 8, "ipc.S");
BUILD_ASSERT(FRAME_SIZE == 8 * 8, "arch_stack_init()");
BUILD_ASSERT(FRAME_SIZE == ARCH_SWITCH_FRAME_SIZE, "arch_checks.h");

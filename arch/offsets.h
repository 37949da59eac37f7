/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where assembly finds the members of the kernel's structures: the list of what the ports share.
 * A port's offsets.c adds its own; it is compiled and never linked. Each value is an absolute
 * symbol of that object, of which cmake/offsets.cmake makes the header <offsets.h>: there is no
 * number that could differ from the compiler's.
 */
#ifndef FOLIOT_ARCH_OFFSETS_H
#define FOLIOT_ARCH_OFFSETS_H

#include "kernel/base/kernel.h"
#ifdef CONFIG_USERSPACE
#include <foliot/mem_domain.h>
#endif
#include <arch_checks.h>

#define VALUE(name, value) \
	__asm__ volatile(".globl " #name "\n.equ " #name ", %c0" : : "i"((long)(value)))
#define OFFSET(name, type, member) VALUE(name, offsetof(type, member))

/* What ports rely on beside numbers: a byte's sign, words that lie side by side. */
BUILD_ASSERT(K_THREAD_QUEUED == 0x80, "trap.S, handlers.S");
#if defined(CONFIG_USERSPACE) && defined(CONFIG_IPC)
#define MESSAGE_AT(n, member)                              \
	(offsetof(struct k_thread, user.message.member) == \
	 offsetof(struct k_thread, user.message.words) + (n) * sizeof(uintptr_t))
BUILD_ASSERT(MESSAGE_AT(4, badge) && MESSAGE_AT(5, size) && MESSAGE_AT(6, capacity), "ipc.S");
#endif

/* Called by nobody, as is the port's. */
void offsets(void);

static inline void offsets_of_kernel(void)
{
	OFFSET(CPU_CURRENT, struct cpu, current);
	OFFSET(CPU_BEST, struct cpu, best);
#ifdef CONFIG_TIMESLICING
	OFFSET(CPU_SLICED, struct cpu, sliced);
#endif
	OFFSET(THREAD_SP, struct k_thread, sp);
	OFFSET(THREAD_WAKE_VALUE, struct k_thread, wake_value);
	OFFSET(THREAD_PRIO, struct k_thread, prio);
	OFFSET(THREAD_THRESHOLD, struct k_thread, threshold);
	OFFSET(THREAD_STATE, struct k_thread, state);
	OFFSET(THREAD_OPTIONS, struct k_thread, options);
	OFFSET(THREAD_STACK_START, struct k_thread, stack_start);
#ifdef CONFIG_STACK_GUARD
	OFFSET(THREAD_GUARD_END, struct k_thread, stack_guard_end);
#endif
#ifdef CONFIG_THREAD_LOCAL_STORAGE
	OFFSET(THREAD_TLS, struct k_thread, tls);
#endif
#ifdef CONFIG_USERSPACE
	OFFSET(THREAD_DOMAIN, struct k_thread, user.domain);
#ifdef CONFIG_IPC
	OFFSET(THREAD_MESSAGE, struct k_thread, user.message.words);
#endif
#endif
	VALUE(STATE_DEAD, K_THREAD_DEAD);
	VALUE(OPTION_USER_BIT, __builtin_ctz(K_USER));
#ifdef CONFIG_ARCH_FPU_STATE
	OFFSET(THREAD_FPU, struct k_thread, fpu);
#endif
	VALUE(COPY_FROM, ARCH_COPY_FROM);
	VALUE(COPY_TO, ARCH_COPY_TO);
	VALUE(COPY_FAULTED, ARCH_COPY_FAULTED);
}

#endif /* FOLIOT_ARCH_OFFSETS_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A verifier stands in front of each system call. It runs on the stack of the calling thread's
 * system calls, in kernel mode, with interrupts open, and has the prototype of what it
 * verifies, so that one which only looks at its arguments ends in a tail call.
 */
#ifndef FOLIOT_KERNEL_VERIFY_H
#define FOLIOT_KERNEL_VERIFY_H

#include "kernel/base/kernel.h"
#include "kernel/access/object_rights.h"
#include "kernel/hooks/user.h"
#include "drivers/uart.h"
#include <foliot/syscall.h>
#include <zephyr/sys/atomic.h>

/* k_thread_create()'s ten words, as user mode packs them. */
struct thread_create_args {
	struct k_thread *thread;
	k_thread_stack_t *stack;
	size_t size;
	struct user_entry begins;
	int prio;
	uint32_t options;
	k_timeout_t delay;
	uintptr_t caller; /* for the report: whoever deceives it deceives nobody else */
};

/* Calls that only user_side.c makes. In kernel mode they do the same. */
k_tid_t user_thread_create_packed(const struct thread_create_args *args);
void user_uptime_read(int64_t *ticks);
#if defined(CONFIG_IPC) && defined(CONFIG_ARCH_IPC_REGISTERS)
/* Of messages with bytes, which the port's user_k_ipc_call() leaves to these. */
int user_ipc_call(struct k_ipc_gate *gate, struct k_ipc_message *message, k_timeout_t timeout);
int user_ipc_reply_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
			   k_timeout_t timeout);
#endif

/* In user mode, in place of the function of that name. */
k_tid_t user_k_thread_create(struct k_thread *thread, k_thread_stack_t *stack, size_t size,
			     k_thread_entry_t entry, void *p1, void *p2, void *p3, int prio,
			     uint32_t options, k_timeout_t delay);
int64_t user_k_uptime_ticks(void);
int64_t user_k_uptime_get(void);
int64_t user_k_uptime_delta(int64_t *reftime);

/* A priority that the running thread may give: none above its own. */
/*@ requires \valid_read(k_cpu.current);
  @ assigns \nothing;
  @ ensures \result <==>
  @   k_cpu.current->base_prio <= prio <= K_LOWEST_APPLICATION_THREAD_PRIO;
  @*/
static inline bool is_permitted_prio(int prio)
{
	return prio >= k_cpu.current->base_prio && prio <= K_LOWEST_APPLICATION_THREAD_PRIO;
}

/* A wait is as long as a k_timeout_t of the API can say; a register can say more. */
/*@ predicate is_wait(integer ticks) = ticks <= K_TICKS_MAX || ticks == (k_ticks_t)-1;
  @*/
/*@ assigns \nothing;
  @ ensures 0 <= timeout.ticks <= K_TICKS_MAX || timeout.ticks == (k_ticks_t)-1 ==>
  @   \result.ticks == timeout.ticks;
  @ ensures is_wait(\result.ticks);
  @*/
static inline k_timeout_t verify_timeout(k_timeout_t timeout)
{
	if (sizeof(timeout.ticks) == sizeof(uint32_t) && unlikely((int32_t)timeout.ticks < -1)) {
		timeout.ticks = K_TICKS_MAX;
	}
	return timeout;
}

/*
 * A verifier calls the function itself and not its stub, which would ask for the mode once more.
 * Where the file defines none of them: the label would be the definition's, too.
 */
#ifdef VERIFIER_OF_OTHERS
#define SYSCALL(name) extern __typeof__(name) name __asm__("__real_" #name);
#define SYSCALL_VIA(name)
#define SYSCALL_OF_APP(name)
#include "kernel/base/syscalls.h"
#undef SYSCALL
#undef SYSCALL_VIA
#endif

#define SYSCALL(name) __typeof__(name) verify_##name;
#define SYSCALL_VIA(name)
#define SYSCALL_OF_APP(name)
#include "kernel/base/syscalls.h"
#undef SYSCALL
#undef SYSCALL_VIA

/* A fast path's call behind the look at its object: slow.h. */
#define SYSCALL(name)
#define SYSCALL_VIA(name)
#define SYSCALL_OF_APP(name)
#define SYSCALL_FAST(name) __typeof__(name) checked_##name;
#include "kernel/base/syscalls.h"
#undef SYSCALL
#undef SYSCALL_VIA

#endif /* FOLIOT_KERNEL_VERIFY_H */

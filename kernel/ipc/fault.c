/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user thread's fault as a message. The port puts the registers on the thread's stack of system
 * calls, which is empty then, and has the thread itself make the call: so priorities, time-outs,
 * and what happens when either side ends are those of any call. Rejected: the handler of the
 * exception as the sender, which cannot wait, and would need a second kind of caller everywhere.
 */
#include "kernel/base/fatal.h"
#include "kernel/ipc/ipc.h"
#include "kernel/ipc/fast_wait.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/objects/mutex.h"

int k_ipc_fault_gate_set(struct k_thread *thread, struct k_ipc_gate *gate, k_timeout_t timeout)
{
#ifdef CONFIG_ARCH_IPC_FAULTS
	unsigned int key;

	if ((thread->options & K_USER) == 0) {
		return -EINVAL;
	}
	key = irq_lock();
	thread->ipc.fault_gate = gate;
	thread->ipc.fault_timeout = timeout;
	irq_unlock(key);
	return 0;
#else
	return -ENOTSUP;
#endif
}

#ifdef CONFIG_ARCH_IPC_FAULTS
/* The endpoint's last receiver is the thread itself. Masked. */
static bool would_wait_for_itself(const struct k_ipc_gate *gate)
{
	return mutex_is_held_by(&gate->endpoint->callers, k_cpu.current);
}

/*
 * A handler that waits and has no room for the registers gets the words alone, which is the quick
 * way.
 */
/*@ requires \valid_read(endpoint);
  @ requires endpoint->receivers.head != \null ==> \valid_read(endpoint->receivers.head);
  @ assigns \nothing;
  @ ensures \result == 0 || \result == size;
  @ ensures endpoint->receivers.head == \null ||
  @   size <= IPC_WORDS(endpoint->receivers.head)->capacity ==> \result == size;
  @ ensures \result > 0 && endpoint->receivers.head != \null ==>
  @   size <= IPC_WORDS(endpoint->receivers.head)->capacity;
  @*/
static size_t bytes_for(const struct k_ipc_endpoint *endpoint, size_t size)
{
	const struct k_thread *handler = endpoint->receivers.head;

	return handler != NULL && IPC_WORDS(handler)->capacity < size ? 0 : size;
}

/* The answer may bring bytes, even where the fault's words go alone. */
static void make_room(const struct ipc_fault *fault)
{
	struct k_thread *current = k_cpu.current;

	IPC_WORDS(current)->capacity = fault->size;
	current->ipc.data = fault->registers;
	current->ipc.whose = IPC_KERNELS;
	ipc_capacity_is_memory(current);
}

/* As the port itself would report it. */
static __cold __attribute__((noreturn)) void end(const struct ipc_fault *fault)
{
	bool is_overflow = fault->words[K_IPC_FAULT_KIND] == K_IPC_FAULT_STACK;

	fatal_raise_at(is_overflow ? K_ERR_STACK_CHK_FAIL : K_ERR_CPU_EXCEPTION,
		       is_overflow ? FATAL_USER_OVERFLOW
				   : fault_cause(fault->words[K_IPC_FAULT_CAUSE]),
		       fault->words[K_IPC_FAULT_PC]);
}

uintptr_t ipc_fault_answered(struct ipc_fault *fault, int result)
{
	const struct ipc_words *message = IPC_WORDS(k_cpu.current);

	fault->size = message->size;
	(void)ipc_put_away(0);
	k_cpu.current->ipc.whose = IPC_KERNELS;
	if (result == 0 && message->words[K_IPC_FAULT_KIND] == K_IPC_FAULT_RESUME) {
		return message->words[K_IPC_FAULT_PC];
	}
	end(fault);
}

struct k_thread *ipc_fault_fast(struct ipc_fault *fault)
{
	struct k_thread *current = k_cpu.current;
	const struct k_ipc_gate *gate = current->ipc.fault_gate;
	struct k_thread *handler = fast_receiver(gate, current);

	if (unlikely(handler == NULL || IPC_WORDS(handler)->capacity >= fault->size ||
		     current->ipc.fault_timeout.ticks != K_TICKS_FOREVER ||
		     would_wait_for_itself(gate))) {
		return NULL;
	}
	make_room(fault);
	fast_call(gate, current, handler);
	return handler;
}

uintptr_t ipc_fault_deliver(struct ipc_fault *fault)
{
	struct k_thread *current = k_cpu.current;
	struct ipc_words *message = IPC_WORDS(current);
	unsigned int key = arch_irq_lock();
	struct k_ipc_gate *gate = current->ipc.fault_gate;
	int result = -EINVAL;

	if (gate == NULL || would_wait_for_itself(gate)) {
		arch_irq_unlock(key);
	} else {
		message->words[0] = fault->words[0];
		message->words[1] = fault->words[1];
		message->words[2] = fault->words[2];
		message->words[3] = fault->words[3];
		message->size = bytes_for(gate->endpoint, fault->size);
		make_room(fault);
		current->ipc.whose = IPC_FAULTS;
		result = ipc_call(gate, current->ipc.fault_timeout, key);
	}
	return ipc_fault_answered(fault, result);
}
#endif

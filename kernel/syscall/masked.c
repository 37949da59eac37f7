/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fast path goes on with where it blocks or wakes in another than the usual state: with
 * interrupts masked since the trap, on the stack of system calls, and as a function that calls
 * others (fast.h: GOES_ON_IN()). Interrupts are open when they return.
 */
#include "kernel/syscall/fast.h"

#define KEY ARCH_IRQ_KEY_OPEN

static __noinline int store_word_farther(stack_data_t *data)
{
	if (unlikely(!may_write_word(data))) {
		arch_irq_unlock(KEY);
		user_violation("memory that the thread may not write");
	}
	*data = k_cpu.current->wake_data;
	return 0;
}

int store_word_waited_for(int result, void *data)
{
	const struct k_thread *current = k_cpu.current;

	if (unlikely(result != 0)) {
		return result;
	}
	if (unlikely(!is_word_near(current, data))) {
		return store_word_farther(data);
	}
	ARCH_USER_OPEN();
	*(stack_data_t *)data = current->wake_data;
	ARCH_USER_CLOSE();
	return 0;
}

intptr_t stack_pop_masked(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout)
{
	int result;

	if (unlikely(!may_write_word(data))) {
		arch_irq_unlock(KEY);
		return checked_k_stack_pop(stack, data,
					   timeout); /* not the thread's, or of another kind */
	}
	if (stack->next != stack->base) {
		*data = *--stack->next;
		arch_irq_unlock(KEY);
		return 0;
	}
	if (timeout.ticks == 0) {
		arch_irq_unlock(KEY);
		return -EBUSY;
	}
	timeout = verify_timeout(timeout);
	if (timeout.ticks != K_TICKS_FOREVER) {
		arch_irq_unlock(KEY);
		return verify_k_stack_pop(stack, data, timeout);
	}
	stack->limit = stack->base;
	result = (int)sched_pend_slow(&stack->wait_q, timeout, KEY, -EAGAIN);
	if (likely(result == 0)) {
		unsigned int open = arch_irq_lock();

		result = store_word_waited_for(0, data);
		arch_irq_unlock(open);
	}
	return result;
}

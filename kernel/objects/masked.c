/* SPDX-License-Identifier: Apache-2.0 */
/* Blocking and waking with interrupts masked since before the call: see masked.h. */
#include "kernel/objects/masked.h"
#include "kernel/objects/mutex.h"
#include "kernel/sched/sched.h"

#define KEY ARCH_IRQ_KEY_OPEN

int sem_take_masked(struct k_sem *sem)
{
	return (int)sched_pend_inline(&sem->wait_q, K_FOREVER, KEY, -EAGAIN);
}

void sem_give_masked(struct k_sem *sem, struct k_thread *waiter)
{
	(void)sched_wake_first_inline(&sem->wait_q, waiter, 0, KEY);
}

uint32_t event_update_masked(struct k_event *event, uint32_t previous)
{
	return event_update_waking(event, previous, KEY);
}

uint32_t event_wait_masked(struct k_event *event, uint32_t events, unsigned int flags)
{
	struct k_thread *current = k_cpu.current;

	current->wake_data = events;
	current->wait_flags = (uint8_t)flags;
	return (uint32_t)sched_pend_inline(&event->wait_q, K_FOREVER, KEY, 0);
}

int stack_push_masked(struct k_stack *stack, stack_data_t data, struct k_thread *waiter)
{
	waiter->wake_data = data;
	k_cpu.current->wake_value = 0;
	return (int)sched_wake_first_inline(&stack->wait_q, waiter, 0, KEY);
}

int stack_pend_masked(struct k_stack *stack, k_timeout_t timeout)
{
	stack->limit = stack->base;
	return (int)sched_pend_inline(&stack->wait_q, timeout, KEY, -EAGAIN);
}

int32_t queue_hand_over_masked(struct k_queue *queue, void *data, struct k_thread *waiter)
{
	k_cpu.current->wake_value = 0;
	return (int32_t)sched_wake_first_inline(&queue->wait_q, waiter, (intptr_t)data, KEY);
}

void *queue_get_masked(struct k_queue *queue, k_timeout_t timeout)
{
	return (void *)sched_pend_inline(&queue->wait_q, timeout, KEY, 0);
}

int condvar_signal_masked(struct k_condvar *condvar, struct k_thread *waiter)
{
	k_cpu.current->wake_value = 0;
	return (int)sched_wake_first_inline(&condvar->wait_q, waiter, 0, KEY);
}

int condvar_wait_masked(struct k_condvar *condvar, struct k_mutex *mutex)
{
	struct k_thread *current = k_cpu.current;
	int result;

	mutex_disown(mutex);
	result = (int)sched_pend_inline(&condvar->wait_q, K_FOREVER, KEY, -EAGAIN);
	if (mutex_lock_again(mutex, current) != 0 && IS_ENABLED(CONFIG_MUTEX_ROBUST)) {
		return -EOWNERDEAD;
	}
	return result;
}

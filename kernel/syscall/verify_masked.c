/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls that are made as a whole with interrupts masked since the trap, where they would
 * mask them at once anyway: what was looked at is still that when it is used, so nothing is held or
 * looked at twice, and interrupts need not be opened in between. They are let in where the call
 * itself does, and where it switches. What is not usable at the first look, an allocated object
 * too, is for the verifier.
 *
 * Compiled as verify_quick.c is: these call nothing, and go on elsewhere.
 */
#include "kernel/syscall/verify_quick.h"
#include "kernel/objects/masked.h"
#include "kernel/objects/mutex.h"
#include "kernel/hooks/poll.h"
#include "kernel/sched/masked.h"

GOES_ON_MASKED_2(int, condvar_wait_masked, struct k_condvar *, struct k_mutex *)
GOES_ON_MASKED_2(int, condvar_signal_masked, struct k_condvar *, struct k_thread *)
GOES_ON_MASKED_3(int32_t, queue_hand_over_masked, struct k_queue *, void *, struct k_thread *)
GOES_ON_MASKED_2(void *, queue_get_masked, struct k_queue *, k_timeout_t)
GOES_ON_MASKED_1(void, thread_start_masked, struct k_thread *)
GOES_ON_MASKED_1(void, thread_suspend_masked, struct k_thread *)
GOES_ON_MASKED_1(void, thread_resume_masked, struct k_thread *)
GOES_ON_MASKED_0(void, yield_masked)

int quick_k_condvar_wait(struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout)
{
	const struct k_thread *current = k_cpu.current;

	if (!IS_USABLE(condvar, struct k_condvar, K_OBJ_CONDVAR) ||
	    !IS_USABLE(mutex, struct k_mutex, K_OBJ_MUTEX) ||
	    unlikely(!mutex_is_held_by(mutex, current) || mutex->lock_count != 1 ||
		     mutex->wait_q.head != NULL || timeout.ticks != K_TICKS_FOREVER)) {
		return go_on_verified_k_condvar_wait(condvar, mutex, timeout);
	}
	return masked_condvar_wait_masked(condvar, mutex, NO_WORD, NO_WORD, condvar_wait_masked);
}

int quick_k_condvar_signal(struct k_condvar *condvar)
{
	struct k_thread *waiter;

	if (!IS_USABLE(condvar, struct k_condvar, K_OBJ_CONDVAR)) {
		return go_on_verified_k_condvar_signal(condvar);
	}
	waiter = condvar->wait_q.head;
	if (waiter == NULL) {
		return arch_user_call_done(0);
	}
	if (wakes_shortly(waiter, k_cpu.current)) {
		struct k_thread *current = k_cpu.current;

		wake_shortly(&condvar->wait_q, waiter, 0, current, 0);
		return switched(current, waiter);
	}
	return masked_condvar_signal_masked(condvar, waiter, NO_WORD, NO_WORD,
					    condvar_signal_masked);
}

/* There is a first waiter, which gets `data` itself: no container is needed. */
static inline int32_t hand_over(struct k_queue *queue, void *data, struct k_thread *waiter)
{
	struct k_thread *current = k_cpu.current;

	if (wakes_shortly(waiter, current)) {
		wake_shortly(&queue->wait_q, waiter, (intptr_t)data, current, 0);
		return switched(current, waiter);
	}
	return masked_queue_hand_over_masked(queue, data, waiter, NO_WORD, queue_hand_over_masked);
}

int32_t quick_k_queue_alloc_append(struct k_queue *queue, void *data)
{
	struct k_thread *waiter;

	if (!IS_USABLE(queue, struct k_queue, K_OBJ_QUEUE) || unlikely(poll_is_awaited(queue))) {
		return go_on_verified_k_queue_alloc_append(queue, data);
	}
	waiter = queue->wait_q.head;
	if (waiter != NULL) {
		return hand_over(queue, data, waiter);
	}
	return quick_queue_link(queue, data, true);
}

int32_t quick_k_queue_alloc_prepend(struct k_queue *queue, void *data)
{
	struct k_thread *waiter;

	if (!IS_USABLE(queue, struct k_queue, K_OBJ_QUEUE) || unlikely(poll_is_awaited(queue))) {
		return go_on_verified_k_queue_alloc_prepend(queue, data);
	}
	waiter = queue->wait_q.head;
	if (waiter != NULL) {
		return hand_over(queue, data, waiter);
	}
	return quick_queue_link(queue, data, false);
}

void *quick_k_queue_get(struct k_queue *queue, k_timeout_t timeout)
{
	if (!IS_USABLE(queue, struct k_queue, K_OBJ_QUEUE)) {
		return go_on_verified_k_queue_get(queue, timeout);
	}
	if ((queue->head & QUEUE_CONTAINER_TAG) != 0) {
		return quick_queue_get(queue);
	}
	if (queue->head == 0 && timeout.ticks == K_TICKS_FOREVER) {
		struct k_thread *current = k_cpu.current;

		if (waits_shortly(&queue->wait_q, current)) {
			return switched_item(current, wait_shortly(&queue->wait_q, current));
		}
		return masked_queue_get_masked(queue, timeout, NO_WORD, NO_WORD, queue_get_masked);
	}
	return go_on_verified_k_queue_get(
		queue, timeout); /* it waits for a while, or it is a kernel thread's item */
}

void quick_k_thread_start(k_tid_t thread)
{
	if (!IS_USABLE(thread, struct k_thread, K_OBJ_THREAD)) {
		go_on_verified_k_thread_start(thread);
		return;
	}
	masked_thread_start_masked(thread, NO_WORD, NO_WORD, NO_WORD, thread_start_masked);
}

void quick_k_thread_suspend(k_tid_t thread)
{
	if (!IS_USABLE(thread, struct k_thread, K_OBJ_THREAD)) {
		go_on_verified_k_thread_suspend(thread);
		return;
	}
	masked_thread_suspend_masked(thread, NO_WORD, NO_WORD, NO_WORD, thread_suspend_masked);
}

void quick_k_thread_resume(k_tid_t thread)
{
	if (!IS_USABLE(thread, struct k_thread, K_OBJ_THREAD)) {
		go_on_verified_k_thread_resume(thread);
		return;
	}
	masked_thread_resume_masked(thread, NO_WORD, NO_WORD, NO_WORD, thread_resume_masked);
}

/*
 * The best of its level, queued, with another behind it: the ring is turned, as
 * kernel/sched/yield.c does.
 */
void quick_k_yield(void)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *next = current->next;

	if (QUICK_SWITCHES && likely(k_cpu.best == current && next != current)) {
		k_cpu.level[PRIO_LEVEL(current->prio)] = next;
		k_cpu.best = next;
		k_cpu.current = next;
		switched_void(current, next);
		return;
	}
	masked_yield_masked(NO_WORD, NO_WORD, NO_WORD, NO_WORD, yield_masked);
}

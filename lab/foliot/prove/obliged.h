/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What has to be shown of a user's arguments before they are handed on: what the kernel's operations
 * require of the verifiers that call them. Of what an operation does nothing is promised: a proof
 * takes it that it may write everything. Read behind each source.
 */
#ifndef FOLIOT_PROVE_OBLIGED_H
#define FOLIOT_PROVE_OBLIGED_H

#include "kernel/base/kernel.h"

/*@ requires user == k_cpu.current && is_wait(timeout.ticks);
  @ requires some_may_be_used((void *)pipe, K_OBJ_PIPE);
  @ requires caller_may_touch((uintptr_t)data, len, (boolean)0);
  @*/
int pipe_write(struct k_pipe *pipe, const uint8_t *data, size_t len, k_timeout_t timeout,
	       const struct k_thread *user);
/*@ requires user == k_cpu.current && is_wait(timeout.ticks);
  @ requires some_may_be_used((void *)pipe, K_OBJ_PIPE);
  @ requires caller_may_touch((uintptr_t)data, len, (boolean)1);
  @*/
int pipe_read(struct k_pipe *pipe, uint8_t *data, size_t len, k_timeout_t timeout,
	      const struct k_thread *user);
/*@ requires some_may_be_used((void *)pipe, K_OBJ_PIPE); */
void k_pipe_reset(struct k_pipe *pipe);
/*@ requires some_may_be_used((void *)pipe, K_OBJ_PIPE); */
void k_pipe_close(struct k_pipe *pipe);
/*@ requires some_may_be_used((void *)queue, K_OBJ_QUEUE); */
int k_queue_is_empty(struct k_queue *queue);
/*@ requires some_may_be_used((void *)queue, K_OBJ_QUEUE); */
void *k_queue_peek_head(struct k_queue *queue);
/*@ requires some_may_be_used((void *)queue, K_OBJ_QUEUE); */
void *k_queue_peek_tail(struct k_queue *queue);
/*@ requires some_may_be_used((void *)queue, K_OBJ_QUEUE); */
void k_queue_cancel_wait(struct k_queue *queue);
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ); */
void k_msgq_purge(struct k_msgq *msgq);
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ); */
uint32_t k_msgq_num_free_get(const struct k_msgq *msgq);
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ); */
uint32_t k_msgq_num_used_get(const struct k_msgq *msgq);
/*@ requires some_may_be_used((void *)sem, K_OBJ_SEM); */
void k_sem_reset(struct k_sem *sem);
/*@ requires some_may_be_used((void *)sem, K_OBJ_SEM); */
unsigned int k_sem_count_get(const struct k_sem *sem);
/*@ requires some_may_be_used((void *)condvar, K_OBJ_CONDVAR); */
int k_condvar_broadcast(struct k_condvar *condvar);
/*@ requires some_may_be_used((void *)event, K_OBJ_EVENT); */
uint32_t k_event_set_masked(struct k_event *event, uint32_t events, uint32_t mask);
/*@ requires some_may_be_used((void *)event, K_OBJ_EVENT); */
uint32_t k_event_clear(struct k_event *event, uint32_t events);
/*@ requires some_may_be_used((void *)event, K_OBJ_EVENT); */
uint32_t k_event_test(const struct k_event *event, uint32_t mask);
/*@ requires some_may_be_used((void *)timer, K_OBJ_TIMER); */
void k_timer_stop(struct k_timer *timer);
/*@ requires some_may_be_used((void *)timer, K_OBJ_TIMER); */
uint32_t k_timer_status_get(struct k_timer *timer);
/*@ requires some_may_be_used((void *)timer, K_OBJ_TIMER); */
uint32_t k_timer_status_sync(struct k_timer *timer);
/*@ requires some_may_be_used((void *)timer, K_OBJ_TIMER); */
k_ticks_t k_timer_remaining_ticks(const struct k_timer *timer);
/*@ requires some_may_be_used((void *)timer, K_OBJ_TIMER); */
uint32_t k_timer_remaining_get(const struct k_timer *timer);
/*@ requires some_may_be_used((void *)timer, K_OBJ_TIMER); */
k_ticks_t k_timer_expires_ticks(const struct k_timer *timer);
/*@ requires some_may_be_used((void *)timer, K_OBJ_TIMER); */
void k_timer_user_data_set(struct k_timer *timer, void *data);
/*@ requires some_may_be_used((void *)timer, K_OBJ_TIMER); */
void *k_timer_user_data_get(const struct k_timer *timer);
/*@ requires some_may_be_used((void *)sig, K_OBJ_POLL_SIGNAL); */
void k_poll_signal_reset(struct k_poll_signal *sig);
/*@ requires some_may_be_used((void *)sig, K_OBJ_POLL_SIGNAL); */
int k_poll_signal_raise(struct k_poll_signal *sig, int result);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD); */
void k_thread_start(k_tid_t thread);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD); */
void k_thread_suspend(k_tid_t thread);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD); */
void k_thread_resume(k_tid_t thread);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD); */
int k_thread_priority_get(k_tid_t thread);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD); */
void k_thread_absolute_deadline_set(k_tid_t thread, int deadline);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD); */
k_ticks_t k_thread_timeout_remaining_ticks(k_tid_t thread);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD); */
k_ticks_t k_thread_timeout_expires_ticks(k_tid_t thread);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD); */
void k_wakeup(k_tid_t thread);
/*@ requires some_may_be_used((void *)stack, K_OBJ_STACK + OBJECT_NOT_READY); */
int32_t k_stack_alloc_init(struct k_stack *stack, uint32_t num_entries);
/*@ requires some_may_be_used((void *)queue, K_OBJ_QUEUE + OBJECT_NOT_READY); */
void k_queue_init(struct k_queue *queue);
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ + OBJECT_NOT_READY); */
int k_msgq_alloc_init(struct k_msgq *msgq, size_t msg_size, uint32_t max_msgs);
/*@ requires some_may_be_used((void *)event, K_OBJ_EVENT + OBJECT_NOT_READY); */
void k_event_init(struct k_event *event);
/*@ requires some_may_be_used((void *)sig, K_OBJ_POLL_SIGNAL + OBJECT_NOT_READY); */
void k_poll_signal_init(struct k_poll_signal *sig);
/*@ requires some_may_be_used((void *)event, K_OBJ_EVENT) && is_wait(timeout.ticks); */
uint32_t k_event_wait_safe(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);
/*@ requires some_may_be_used((void *)event, K_OBJ_EVENT) && is_wait(timeout.ticks); */
uint32_t k_event_wait_all_safe(struct k_event *event, uint32_t events, bool reset,
			       k_timeout_t timeout);
/*@ requires some_may_be_used((void *)timer, K_OBJ_TIMER);
  @ requires is_wait(duration.ticks) && is_wait(period.ticks);
  @*/
void k_timer_start(struct k_timer *timer, k_timeout_t duration, k_timeout_t period);
/*@ requires is_wait(timeout.ticks); */
int32_t k_sleep(k_timeout_t timeout);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD);
  @ requires k_cpu.current->base_prio <= prio <= K_LOWEST_APPLICATION_THREAD_PRIO;
  @*/
void k_thread_priority_set(k_tid_t thread, int prio);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD) && deadline > 0; */
void k_thread_deadline_set(k_tid_t thread, int deadline);
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ) && is_wait(timeout.ticks);
  @ requires \valid_read((char *)data + (0 .. msgq->msg_size - 1));
  @*/
int k_msgq_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout);
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ);
  @ requires \valid_read((char *)data + (0 .. msgq->msg_size - 1));
  @*/
int k_msgq_put_front(struct k_msgq *msgq, const void *data);
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ) && is_wait(timeout.ticks);
  @ requires caller_may_touch((uintptr_t)data, msgq->msg_size, (boolean)0);
  @*/
int msgq_user_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout);
/*@ requires user == k_cpu.current && some_may_be_used((void *)msgq, K_OBJ_MSGQ);
  @ requires caller_may_touch((uintptr_t)data, msgq->msg_size, (boolean)0);
  @*/
int msgq_put_front(struct k_msgq *msgq, const void *data, const struct k_thread *user);
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ) && is_wait(timeout.ticks);
  @ requires caller_may_touch((uintptr_t)data, msgq->msg_size, (boolean)1);
  @*/
int msgq_user_get(struct k_msgq *msgq, void *data, k_timeout_t timeout);
/*@ requires user == k_cpu.current && some_may_be_used((void *)msgq, K_OBJ_MSGQ);
  @ requires caller_may_touch((uintptr_t)data, msgq->msg_size, (boolean)1);
  @*/
int msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx, const struct k_thread *user);
/*@ requires some_may_be_used((void *)sem, K_OBJ_SEM) && is_key(key); */
int sem_init_again(struct k_sem *sem, unsigned int initial, unsigned int limit, unsigned int key);
/*@ requires some_may_be_used((void *)condvar, K_OBJ_CONDVAR) && is_wait(timeout.ticks);
  @ requires some_may_be_used((void *)mutex, K_OBJ_MUTEX);
  @ requires mutex->generation == k_cpu.current->generation;
  @*/
int k_condvar_wait(struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout);
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD);
  @ requires (thread->options & K_ESSENTIAL) == 0;
  @*/
void k_thread_abort(k_tid_t thread);
/*@ requires some_may_be_used((void *)stack, K_OBJ_THREAD_STACK_ELEMENT); */
int k_thread_stack_free(k_thread_stack_t *stack);

#endif /* FOLIOT_PROVE_OBLIGED_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of calls that block or wake, for who has interrupts masked already and has asked what
 * the call's own first lines ask: user mode's calls (kernel/syscall/verify_quick.c), which come out
 * of the trap so. Thread context; interrupts are open when they return, unless it says otherwise.
 */
#ifndef FOLIOT_KERNEL_OBJECTS_MASKED_H
#define FOLIOT_KERNEL_OBJECTS_MASKED_H

#include "kernel/base/kernel.h"

/* None is there: for ever. */
int sem_take_masked(struct k_sem *sem);
/* `waiter` is the first. */
void sem_give_masked(struct k_sem *sem, struct k_thread *waiter);

#define EVENT_WAIT_ANY 0x00U
#define EVENT_WAIT_ALL 0x01U /* all of the bits, not any */

/* The flags are changed, and somebody waits; `previous` is what is returned. */
uint32_t event_update_masked(struct k_event *event, uint32_t previous);
/* What is set does not do. For ever. */
uint32_t event_wait_masked(struct k_event *event, uint32_t events, unsigned int flags);
/* event.c's, for it. */
uint32_t event_update_waking(struct k_event *event, uint32_t previous, unsigned int key);

/* `waiter` is the first. */
int stack_push_masked(struct k_stack *stack, stack_data_t data, struct k_thread *waiter);
/*
 * The stack is empty. Returns 0 with the word in the running thread's wake_data, or what
 * k_stack_pop() does.
 */
int stack_pend_masked(struct k_stack *stack, k_timeout_t timeout);

#define QUEUE_CONTAINER_TAG 1U /* of k_queue.head: the item is a container of the queue's own */

/*
 * queue.c's: nobody waits; the first item is a container. With the key of who was masked before the
 * former switches to nobody, where nobody polls.
 */
int32_t queue_link_container(struct k_queue *queue, void *data, bool last, unsigned int key);
void *queue_get_from_container(struct k_queue *queue, unsigned int key);
/* `waiter` is the first. */
int32_t queue_hand_over_masked(struct k_queue *queue, void *data, struct k_thread *waiter);
/* There is no item. */
void *queue_get_masked(struct k_queue *queue, k_timeout_t timeout);

/* `waiter` is the first. */
int condvar_signal_masked(struct k_condvar *condvar, struct k_thread *waiter);
/* The caller holds the mutex, and nobody waits for that. For ever. */
int condvar_wait_masked(struct k_condvar *condvar, struct k_mutex *mutex);

#endif /* FOLIOT_KERNEL_OBJECTS_MASKED_H */

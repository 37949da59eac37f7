/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A wait queue: threads in priority order, first come first served among equals.
 *
 * One pointer, to the head of a circular doubly linked list that runs through the
 * threads themselves. A sentinel node would have saved one comparison when a waiter
 * leaves, and cost four bytes in every semaphore.
 */
#ifndef FOLIOT_WAIT_Q_H
#define FOLIOT_WAIT_Q_H

struct k_thread;

/** Internal: who waits for an object. */
typedef struct {
	struct k_thread *head; /* most urgent waiter; NULL when nobody waits */
} _wait_q_t;

#define WAIT_Q_INIT {NULL} /**< nobody waits */

#ifdef CONFIG_POLL
struct k_poll_event;
/**
 * Internal: a member of each object that k_poll() waits for, and behind its initialiser by
 * position.
 */
#define K_POLL_MEMBER struct k_poll_event *pollers; /* the most urgent first */
#define K_POLL_INIT_  , NULL
#else
#define K_POLL_MEMBER
#define K_POLL_INIT_
#endif

#endif /* FOLIOT_WAIT_Q_H */

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

#endif /* FOLIOT_WAIT_Q_H */

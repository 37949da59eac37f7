/* SPDX-License-Identifier: Apache-2.0 */
/* The rest of quick calls that takes more registers: always the last thing that one does. */
#ifndef FOLIOT_KERNEL_QUICK_REST_H
#define FOLIOT_KERNEL_QUICK_REST_H

#include "kernel/protect/verify_quick.h" /* first: it says by which label calls are called */

/* The key of who was masked before: they open nothing. */
#define STILL_MASKED ARCH_IRQ_KEY_MASKED

/* The stack is empty. */
int quick_pop_empty(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);
/* Nobody waits, nobody polls. */
int32_t quick_queue_link(struct k_queue *queue, void *data, bool last);
/* The first item is a container. */
void *quick_queue_get(struct k_queue *queue);

#endif /* FOLIOT_KERNEL_QUICK_REST_H */

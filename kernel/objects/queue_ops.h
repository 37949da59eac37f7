/* SPDX-License-Identifier: Apache-2.0 */
/* What is done to a queue by who may block or wake, and lends it no memory: operation.h. */

static ALWAYS_INLINE intptr_t add_data(struct k_queue *queue, void *data, bool last,
				       unsigned int key)
{
	struct k_thread *waiter = queue->wait_q.head;

	if (waiter != NULL) {
		return WAKE(&queue->wait_q, waiter, (intptr_t)data, 0);
	}
	return LINK_DATA(queue, data, last);
}

OPERATION(int32_t, k_queue_alloc_append, (struct k_queue *queue, void *data), (queue, data),
	  IS_USABLE(queue, struct k_queue, K_OBJ_QUEUE))
{
	return add_data(queue, data, true, key);
}

OPERATION(int32_t, k_queue_alloc_prepend, (struct k_queue *queue, void *data), (queue, data),
	  IS_USABLE(queue, struct k_queue, K_OBJ_QUEUE))
{
	return add_data(queue, data, false, key);
}

OPERATION(void *, k_queue_get, (struct k_queue *queue, k_timeout_t timeout),
	  (queue, TIMEOUT(timeout)), IS_USABLE(queue, struct k_queue, K_OBJ_QUEUE))
{
	uintptr_t tagged = queue->head;

	if (unlikely(tagged == 0)) {
		return WAIT(&queue->wait_q, timeout, 0, IN_FULL(k_queue_get, queue, timeout));
	}
	if (unlikely((tagged & QUEUE_CONTAINER_TAG) != 0)) {
		return GET_FROM_CONTAINER(queue);
	}
	if (IS_FAST) { /* a kernel thread's item */
		return IN_FULL(k_queue_get, queue, timeout);
	}
	queue_unlink_first(queue, *(uintptr_t *)tagged);
	return done((intptr_t)tagged, key);
}

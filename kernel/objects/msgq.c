/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message queues: a ring of messages. With a reader waiting, a message is copied
 * straight into the reader's buffer; with a writer waiting, the place that a reader
 * frees is filled from the writer's, so the order of writers is kept.
 */
#include "kernel/sched/sched.h"
#include "kernel/inspect/object.h"
#include "lib/string.h"

void k_msgq_init(struct k_msgq *msgq, char *buffer, size_t msg_size, uint32_t max_msgs)
{
	object_init_begin(msgq, msgq);
	*msgq = (struct k_msgq)K_MSGQ_INITIALIZER(buffer, msg_size, max_msgs);
	object_init_end(msgq, msgq);
}

int k_msgq_alloc_init(struct k_msgq *msgq, size_t msg_size, uint32_t max_msgs)
{
	struct k_heap *heap = k_cpu.current->resource_pool;
	size_t bytes;
	char *buffer;

	if (__builtin_mul_overflow(msg_size, (size_t)max_msgs, &bytes) || bytes == 0) {
		return -EINVAL;
	}
	buffer = heap == NULL ? NULL : k_heap_alloc(heap, bytes, K_NO_WAIT);
	if (buffer == NULL) {
		return -ENOMEM;
	}
	k_msgq_init(msgq, buffer, msg_size, max_msgs);
	msgq->pool = heap;
	return 0;
}

int k_msgq_cleanup(struct k_msgq *msgq)
{
	if (msgq->wait_q.head != NULL) {
		return -EBUSY;
	}
	if (msgq->pool != NULL) {
		k_heap_free(msgq->pool, msgq->buffer_start);
		msgq->pool = NULL;
	}
	return 0;
}

static char *ring_next(const struct k_msgq *msgq, char *place)
{
	place += msgq->msg_size;
	return place == msgq->buffer_end ? msgq->buffer_start : place;
}

static void ring_put(struct k_msgq *msgq, const void *data)
{
	memcpy(msgq->write_ptr, data, msgq->msg_size);
	msgq->write_ptr = ring_next(msgq, msgq->write_ptr);
	msgq->used_msgs++;
}

static void ring_put_front(struct k_msgq *msgq, const void *data)
{
	char *place = msgq->read_ptr == msgq->buffer_start ? msgq->buffer_end : msgq->read_ptr;

	msgq->read_ptr = place - msgq->msg_size;
	memcpy(msgq->read_ptr, data, msgq->msg_size);
	msgq->used_msgs++;
}

/* A full or empty queue, and the caller has a buffer to fill or to be emptied. */
static int wait_with(struct k_msgq *msgq, void *data, k_timeout_t timeout, unsigned int key)
{
	if (timeout.ticks == 0) {
		arch_irq_unlock(key);
		return -ENOMSG;
	}
	if (!arch_in_isr()) {
		k_cpu.current->wake_data = data;
	}
	return (int)sched_pend_slow(&msgq->wait_q, timeout, key, -EAGAIN);
}

int k_msgq_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *reader = msgq->wait_q.head;

	if (msgq->used_msgs == msgq->max_msgs) {
		return wait_with(msgq, (void *)(uintptr_t)data, timeout, key);
	}
	if (reader != NULL) {
		memcpy(reader->wake_data, data, msgq->msg_size);
		sched_wake_first(&msgq->wait_q, 0, key);
		return 0;
	}
	ring_put(msgq, data);
	arch_irq_unlock(key);
	return 0;
}

int k_msgq_put_front(struct k_msgq *msgq, const void *data)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *reader = msgq->wait_q.head;

	if (msgq->used_msgs == msgq->max_msgs) {
		arch_irq_unlock(key);
		return -ENOMSG;
	}
	if (reader != NULL) {
		memcpy(reader->wake_data, data, msgq->msg_size);
		sched_wake_first(&msgq->wait_q, 0, key);
		return 0;
	}
	ring_put_front(msgq, data);
	arch_irq_unlock(key);
	return 0;
}

int k_msgq_get(struct k_msgq *msgq, void *data, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *writer = msgq->wait_q.head;

	if (msgq->used_msgs == 0) {
		return wait_with(msgq, data, timeout, key);
	}
	memcpy(data, msgq->read_ptr, msgq->msg_size);
	msgq->read_ptr = ring_next(msgq, msgq->read_ptr);
	msgq->used_msgs--;
	if (writer != NULL) {
		ring_put(msgq, writer->wake_data);
		sched_wake_first(&msgq->wait_q, 0, key);
		return 0;
	}
	arch_irq_unlock(key);
	return 0;
}

int k_msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx)
{
	unsigned int key = arch_irq_lock();
	int result = -ENOMSG;

	if (idx < msgq->used_msgs) {
		size_t ahead = (size_t)idx * msgq->msg_size;
		size_t to_end = (size_t)(msgq->buffer_end - msgq->read_ptr);

		memcpy(data,
		       ahead < to_end ? msgq->read_ptr + ahead
				      : msgq->buffer_start + (ahead - to_end),
		       msgq->msg_size);
		result = 0;
	}
	arch_irq_unlock(key);
	return result;
}

int k_msgq_peek(struct k_msgq *msgq, void *data)
{
	return k_msgq_peek_at(msgq, data, 0);
}

void k_msgq_purge(struct k_msgq *msgq)
{
	unsigned int key = arch_irq_lock();

	/* Bound: the number of waiting writers (readers wait only while it is empty). */
	while (msgq->used_msgs != 0 && msgq->wait_q.head != NULL) {
		sched_wake(msgq->wait_q.head, -ENOMSG);
	}
	msgq->used_msgs = 0;
	msgq->read_ptr = msgq->write_ptr;
	sched_reschedule(key);
}

uint32_t k_msgq_num_free_get(const struct k_msgq *msgq)
{
	return msgq->max_msgs - msgq->used_msgs;
}

uint32_t k_msgq_num_used_get(const struct k_msgq *msgq)
{
	return msgq->used_msgs;
}

void k_msgq_get_attrs(const struct k_msgq *msgq, struct k_msgq_attrs *attrs)
{
	attrs->msg_size = msgq->msg_size;
	attrs->max_msgs = msgq->max_msgs;
	attrs->used_msgs = msgq->used_msgs;
}

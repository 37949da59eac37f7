/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message queues: what is done at once. A short message when nobody waits goes into the ring, or
 * out of it, right here; all that waits, wakes, or copies with interrupts open is in msgq_copy.c.
 */
#include "kernel/sched/sched.h"
#include "kernel/hooks/object.h"
#include "kernel/objects/msgq_copy.h"
#include "kernel/hooks/poll.h"
#include "kernel/objects/msgq_ring.h"

void k_msgq_init(struct k_msgq *msgq, char *buffer, size_t msg_size, uint32_t max_msgs)
{
	K_ASSERT(msg_size != 0 && max_msgs != 0, "msgq-of-nothing");
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
	if (msgq->wait_q.head != NULL || msgq->copying != NULL) {
		return -EBUSY;
	}
	if (msgq->pool != NULL) {
		k_heap_free(msgq->pool, msgq->buffer_start);
		msgq->pool = NULL;
	}
	return 0;
}

/*
 * The most frequent cases: a short message, and nobody waits. No copy of such a queue is
 * ever interrupted, so a place need not be claimed first, and nobody has to be served. Out of
 * line, so that the others, a handler's put to a reader among them, save no register here.
 */
static inline bool is_short_and_quiet(const struct k_msgq *msgq)
{
	return !msgq_is_long(msgq) && msgq->wait_q.head == NULL;
}

static __noinline int put_quietly(struct k_msgq *msgq, const void *data, unsigned int key)
{
	char *place = msgq->write_ptr;
	bool copied = msgq_copy_masked(msgq, place, data, ARCH_COPY_FROM);

	if (likely(copied)) {
		msgq->write_ptr = ring_next(msgq, place);
		msgq->used_msgs++;
	}
	if (poll_is_awaited(msgq) && copied) {
		poll_unlock(msgq, K_POLL_STATE_MSGQ_DATA_AVAILABLE, key);
		return 0;
	}
	arch_irq_unlock(key);
	return likely(copied) ? 0 : msgq_fault();
}

static __noinline int get_quietly(struct k_msgq *msgq, void *data, unsigned int key)
{
	char *place = msgq->read_ptr;
	bool copied = msgq_copy_masked(msgq, data, place, ARCH_COPY_TO);

	if (likely(copied)) {
		msgq->read_ptr = ring_next(msgq, place);
		msgq->used_msgs--;
	}
	arch_irq_unlock(key);
	return likely(copied) ? 0 : msgq_fault();
}

int k_msgq_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();

	if (likely(is_short_and_quiet(msgq) && msgq->used_msgs != msgq->max_msgs)) {
		return put_quietly(msgq, data, key);
	}
	if (!msgq_is_long(msgq) && msgq_reader(msgq) != NULL) {
		return msgq_put_to_reader(msgq, data, timeout, key);
	}
	return msgq_put_slow(msgq, data, timeout, key);
}

int k_msgq_put_front(struct k_msgq *msgq, const void *data)
{
	return msgq_put_front(msgq, data, NULL);
}

int k_msgq_get(struct k_msgq *msgq, void *data, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();

	if (likely(is_short_and_quiet(msgq) && msgq->used_msgs != 0)) {
		return get_quietly(msgq, data, key);
	}
	return msgq_get_slow(msgq, data, timeout, key);
}

int k_msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx)
{
	return msgq_peek_at(msgq, data, idx, NULL);
}

int k_msgq_peek(struct k_msgq *msgq, void *data)
{
	return k_msgq_peek_at(msgq, data, 0);
}

uint32_t k_msgq_num_free_get(const struct k_msgq *msgq)
{
	unsigned int key = arch_irq_lock(); /* of several words */
	uint32_t num_free = ring_num_free(msgq);

	arch_irq_unlock(key);
	return num_free;
}

uint32_t k_msgq_num_used_get(const struct k_msgq *msgq)
{
	return msgq->used_msgs;
}

/*@ requires \valid_read(msgq) && \valid(attrs) && \separated(msgq, attrs);
  @ assigns *attrs;
  @ ensures attrs->msg_size == \old(msgq->msg_size) && attrs->used_msgs == \old(msgq->used_msgs);
  @ ensures attrs->max_msgs == \old(msgq->max_msgs);
  @*/
void k_msgq_get_attrs(const struct k_msgq *msgq, struct k_msgq_attrs *attrs)
{
	attrs->msg_size = msgq->msg_size;
	attrs->max_msgs = msgq->max_msgs;
	attrs->used_msgs = msgq->used_msgs;
}

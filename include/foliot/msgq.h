/* SPDX-License-Identifier: Apache-2.0 */
/* Message queues: fixed-size messages, copied in and out. */
#ifndef FOLIOT_MSGQ_H
#define FOLIOT_MSGQ_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_heap;

struct k_msgq {
	_wait_q_t wait_q; /* readers when empty, writers when full: never both */
	size_t msg_size;  /* bytes */
	uint32_t max_msgs;
	uint32_t used_msgs;
	char *buffer_start;
	char *buffer_end;
	char *read_ptr;
	char *write_ptr;
	struct k_heap *pool; /* where k_msgq_alloc_init() took the buffer */
	K_OBJ_CORE_MEMBER
};

#define K_MSGQ_INITIALIZER(buf, size, max)                                                    \
	{WAIT_Q_INIT,          (size), (max), 0, (buf), (buf) + (size) * (max), (buf), (buf), \
	 NULL K_OBJ_CORE_INIT_}
#define K_MSGQ_DEFINE(name, size, max, align)                                     \
	static char __noinit __aligned(align) _k_msgq_buf_##name[(size) * (max)]; \
	struct k_msgq name = K_MSGQ_INITIALIZER(_k_msgq_buf_##name, size, max);   \
	K_OBJ_CORE_STATIC_(name, msgq)

struct k_msgq_attrs {
	size_t msg_size;
	uint32_t max_msgs;
	uint32_t used_msgs;
};

/* Context: either. */
void k_msgq_init(struct k_msgq *msgq, char *buffer, size_t msg_size, uint32_t max_msgs);
/* Buffer from the caller's resource pool: 0, -EINVAL or -ENOMEM. Context: thread. */
int k_msgq_alloc_init(struct k_msgq *msgq, size_t msg_size, uint32_t max_msgs);
/* Give that buffer back: 0, or -EBUSY while threads wait. Context: thread. */
int k_msgq_cleanup(struct k_msgq *msgq);

/*
 * Copy a message in (put: at the end; put_front: before all others) or out. Return 0;
 * -ENOMSG: full or empty and K_NO_WAIT was given, or purged; -EAGAIN: timed out.
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_msgq_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout);
int k_msgq_put_front(struct k_msgq *msgq, const void *data);
int k_msgq_get(struct k_msgq *msgq, void *data, k_timeout_t timeout);
/* Copy the first, or the idx-th, without removing it: 0 or -ENOMSG. Context: either. */
int k_msgq_peek(struct k_msgq *msgq, void *data);
int k_msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx);
/* Drop all messages; writers that wait get -ENOMSG. Context: either. */
void k_msgq_purge(struct k_msgq *msgq);

/* Context: either. */
uint32_t k_msgq_num_free_get(const struct k_msgq *msgq);
uint32_t k_msgq_num_used_get(const struct k_msgq *msgq);
void k_msgq_get_attrs(const struct k_msgq *msgq, struct k_msgq_attrs *attrs);

#endif /* FOLIOT_MSGQ_H */

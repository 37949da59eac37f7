/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Message queues: fixed-size messages, copied in and out.
 *
 * Messages of up to CONFIG_MSGQ_MASKED_SIZE bytes are copied with interrupts masked, so that
 * every call is one step for all others. A longer one is copied in steps of CONFIG_MASKED_BYTES;
 * interrupts are open in between, and whoever is more urgent than the caller and than all who wait
 * here runs. For threads each call is one step all the same: who finds a message half copied copies
 * the rest first. An ISR (or a thread that has interrupts masked) that comes in between finds that
 * message neither in the queue nor its place free: its k_msgq_get() finds those before it, its
 * k_msgq_put() the places behind it, whose messages are there when the copy is done; K_NO_WAIT
 * gives it -ENOMSG where that leaves nothing. So do k_msgq_num_used_get() and k_msgq_num_free_get()
 * count, by whomever, and an ISR's k_msgq_purge() drops what is in the queue, not what is on its
 * way. A copy is finished even if the thread that began it is aborted or suspended meanwhile, which
 * stops then. If the one that waited for it is aborted, its buffer is touched no more, and the
 * message is as it was. A time-out ends waits and no copy.
 *
 * A message is copied once: for a thread that waits, by the thread that ends its wait. A
 * fault at the buffer of the one that waits is its own: it has the fault when it runs again,
 * and the other goes on as if it had not waited.
 */
#ifndef FOLIOT_MSGQ_H
#define FOLIOT_MSGQ_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_heap;
struct msgq_copy;

/** A queue of messages of one size. */
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
	uint32_t writing;    /* places that messages are being copied into: see msgq.c */
	uint32_t reading;    /* and out of */
	uint32_t taken;      /* messages that have left, modulo 2^32 */
	uint16_t writers;    /* how many copy in, each in an interrupt of the one before */
	uint16_t readers;
	struct msgq_copy *copying; /* what a thread has begun, until it is done */
	K_POLL_MEMBER
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What a k_msgq is initialised with: `max` messages of `size` bytes in `buf`. */
#define K_MSGQ_INITIALIZER(buf, size, max)            \
	{WAIT_Q_INIT, (size), (max),                  \
	 0,           (buf),  (buf) + (size) * (max), \
	 (buf),       (buf),  NULL,                   \
	 0,           0,      0,                      \
	 0,           0,      NULL K_POLL_INIT_ K_OBJ_CORE_INIT_ K_OBJECT_INIT_}
/**
 * Define a queue of at most `max` messages of `size` bytes, its buffer aligned to `align`,
 * ready before any code runs; at file scope. Neither `max` nor `size` is 0.
 */
#define K_MSGQ_DEFINE(name, size, max, align)                                     \
	BUILD_ASSERT((size) != 0 && (max) != 0, "msgq-of-nothing");               \
	static char __noinit __aligned(align) _k_msgq_buf_##name[(size) * (max)]; \
	struct k_msgq name = K_MSGQ_INITIALIZER(_k_msgq_buf_##name, size, max);   \
	K_OBJ_CORE_STATIC_(name, msgq)

/** What k_msgq_get_attrs() tells. */
struct k_msgq_attrs {
	size_t msg_size;    /**< bytes */
	uint32_t max_msgs;  /**< that the queue holds */
	uint32_t used_msgs; /**< that are in it now */
};

/**
 * Prepare a queue of `max_msgs` messages of `msg_size` bytes in `buffer`. Neither is 0 (asserted:
 * msgq-of-nothing); without assertions a queue of 0 messages is full and empty at once, so that
 * its calls return -ENOMSG or wait, and messages of 0 bytes are counted.
 * Context: either.
 */
void k_msgq_init(struct k_msgq *msgq, char *buffer, size_t msg_size, uint32_t max_msgs);

/**
 * As k_msgq_init(), with a buffer from the caller's resource pool.
 * Returns 0; -EINVAL: a size of 0, or one that overflows; -ENOMEM: no pool, or exhausted.
 * Context: thread.
 */
int k_msgq_alloc_init(struct k_msgq *msgq, size_t msg_size, uint32_t max_msgs);

/**
 * Give that buffer back, if there is one; the queue is not to be used then.
 * Returns 0, or -EBUSY while threads wait, or a message is half copied.
 * Context: thread.
 */
int k_msgq_cleanup(struct k_msgq *msgq);

/**
 * Copy a message in, behind all others; wait while the queue is full.
 * Returns 0; -EFAULT: see above; -ENOMSG: full, and K_NO_WAIT was given, or purged while waiting;
 * -EAGAIN: timed out, or called from an ISR that would have had to wait (asserted:
 * blocking-call-in-isr).
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_msgq_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout);

/**
 * Copy a message in, before all others. Does not wait.
 * Returns 0; -ENOMSG: full; -EFAULT: see above.
 * Context: either.
 */
int k_msgq_put_front(struct k_msgq *msgq, const void *data);

/**
 * Copy the first message out and remove it; wait while the queue is empty.
 * Returns 0; -ENOMSG: empty, and K_NO_WAIT was given; -EAGAIN, -EFAULT: as k_msgq_put().
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_msgq_get(struct k_msgq *msgq, void *data, k_timeout_t timeout);

/**
 * Copy the first message without removing it.
 * Returns 0; -ENOMSG: empty; *data is not meaningful then, since an ISR may have taken a long
 * message while it was copied; -EFAULT: `data` can't be written, which ends the caller by a fault,
 * where it has interrupts masked when they open.
 * Context: either.
 */
int k_msgq_peek(struct k_msgq *msgq, void *data);

/**
 * Copy the message that `idx` others are before, without removing it.
 * Returns 0; -ENOMSG: there is none; -EFAULT; *data as by k_msgq_peek().
 * Context: either.
 */
int k_msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx);

/**
 * Drop all messages; writers that wait get -ENOMSG. An ISR that comes before the last of them
 * has been sent away finds the queue empty: its k_msgq_get() gets -ENOMSG; so does its
 * k_msgq_put(), behind whom still waits; its k_msgq_put_front() goes in, and stays.
 * Context: either.
 */
void k_msgq_purge(struct k_msgq *msgq);

/** Returns how many more messages the queue holds. Context: either. */
uint32_t k_msgq_num_free_get(const struct k_msgq *msgq);
/** Returns how many messages are in it. Context: either. */
uint32_t k_msgq_num_used_get(const struct k_msgq *msgq);
/** Tell the sizes into *attrs. Context: either. */
void k_msgq_get_attrs(const struct k_msgq *msgq, struct k_msgq_attrs *attrs);

#endif /* FOLIOT_MSGQ_H */

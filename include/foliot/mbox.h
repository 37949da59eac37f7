/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Mailboxes: messages of any size between threads that say whom they are for, or from. The sender
 * waits until the receiver has the data, or has done without; k_mbox_async_put() does not. Kernel
 * threads only.
 */
#ifndef FOLIOT_MBOX_H
#define FOLIOT_MBOX_H

#include <foliot/thread.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_sem;
struct mbox_async;

#ifndef K_ANY
/** Any thread. */
#define K_ANY NULL
#endif

/** A message, as its sender, or its receiver, describes it. */
struct k_mbox_msg {
	size_t size;   /**< bytes: of the data, or that the receiver takes; then: that it took */
	uint32_t info; /**< exchanged between sender and receiver */
	void *tx_data; /**< the sender's; NULL: no data */
	k_tid_t rx_source_thread; /**< the receiver's: from whom, or K_ANY; then: from whom it is */
	k_tid_t tx_target_thread; /**< the sender's: for whom, or K_ANY; then: who got it */
	uint32_t generation; /* the receiver's, until the data is taken: of who waits for that */
	struct mbox_async *async;
};

/** A mailbox. */
struct k_mbox {
	_wait_q_t senders;
	_wait_q_t receivers;
	struct mbox_async *async; /* messages whose senders do not wait, by priority */
	uint32_t sent; /* messages, modulo 2^32: among equals the first comes first */
	K_OBJ_CORE_MEMBER
};

/** What a k_mbox is initialised with. */
#define K_MBOX_INITIALIZER {WAIT_Q_INIT, WAIT_Q_INIT, NULL, 0 K_OBJ_CORE_INIT_}
/** Define a mailbox that is ready before any code runs; at file scope. */
#define K_MBOX_DEFINE(name)                      \
	struct k_mbox name = K_MBOX_INITIALIZER; \
	K_OBJ_CORE_STATIC_(name, mbox)

/** Prepare a mailbox. Context: either. */
void k_mbox_init(struct k_mbox *mbox);

/**
 * Send a message, and wait until its receiver has taken the data; `timeout` is for the wait for a
 * receiver. Then *tx_msg says who it was, how many bytes it took, and its info.
 * Returns 0; -ENOMSG: nobody waits for it, and K_NO_WAIT was given; -EAGAIN: timed out, or called
 * from an ISR (asserted: mbox-in-isr).
 * Context: thread.
 */
int k_mbox_put(struct k_mbox *mbox, struct k_mbox_msg *tx_msg, k_timeout_t timeout);

/**
 * Send a message and go on; `sem`, if not NULL, is given when the receiver has taken the data,
 * which has to stay until then. The description is copied. Waits while CONFIG_NUM_MBOX_ASYNC_MSGS
 * are on their way.
 * Context: thread (asserted: mbox-in-isr).
 */
void k_mbox_async_put(struct k_mbox *mbox, struct k_mbox_msg *tx_msg, struct k_sem *sem);

/**
 * Receive a message of rx_msg->rx_source_thread, at most rx_msg->size bytes, into `buffer`. Where
 * that is NULL and there is data, its sender waits until k_mbox_data_get(). The most urgent
 * sender's comes first, among equals the first. Then *rx_msg says who it was, how many bytes there
 * are, and its info.
 * Returns 0; -ENOMSG: none is there, and K_NO_WAIT was given; -EAGAIN: timed out, or called from an
 * ISR (asserted: mbox-in-isr).
 * Context: thread.
 */
int k_mbox_get(struct k_mbox *mbox, struct k_mbox_msg *rx_msg, void *buffer, k_timeout_t timeout);

/**
 * Take the data of a message that was received without, into `buffer`; NULL: do without. None where
 * its sender was ended meanwhile: rx_msg->size is 0 then.
 * Context: thread.
 */
void k_mbox_data_get(struct k_mbox_msg *rx_msg, void *buffer);

#endif /* FOLIOT_MBOX_H */

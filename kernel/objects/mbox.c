/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mailboxes. Who waits in one keeps its message at k_thread.wake_data. A sender whose message was
 * received waits on, without a time-out, until the data was taken; the receiver names it by its
 * generation, since it may be aborted before that. The data is copied by the receiver, from the
 * sender's memory, with interrupts as they are.
 */
#include "kernel/objects/mbox.h"
#include "kernel/hooks/object.h"
#include "kernel/hooks/generation.h"
#include "kernel/time/timeout.h"
#include "lib/string.h"

/* Senders whose data is still to be taken. */
static _wait_q_t received;

void k_mbox_init(struct k_mbox *mbox)
{
	object_init_begin(mbox, mbox);
	*mbox = (struct k_mbox)K_MBOX_INITIALIZER;
	object_init_end(mbox, mbox);
}

static struct k_mbox_msg *message_of(const struct k_thread *waiter)
{
	return (struct k_mbox_msg *)waiter->wake_data;
}

static bool suits(const struct k_mbox_msg *tx_msg, const struct k_thread *from,
		  const struct k_mbox_msg *rx_msg, const struct k_thread *receiver)
{
	return (tx_msg->tx_target_thread == K_ANY || tx_msg->tx_target_thread == receiver) &&
	       (rx_msg->rx_source_thread == K_ANY || rx_msg->rx_source_thread == from);
}

/* The message goes from the one to the other; its data does not yet. */
static void exchange(struct k_mbox_msg *tx_msg, struct k_thread *from, struct k_mbox_msg *rx_msg,
		     struct k_thread *receiver, struct mbox_async *async)
{
	uint32_t info = rx_msg->info;

	rx_msg->info = tx_msg->info;
	tx_msg->info = info;
	rx_msg->size = MIN(rx_msg->size, tx_msg->size);
	rx_msg->tx_data = tx_msg->tx_data;
	rx_msg->rx_source_thread = from;
	rx_msg->tx_target_thread = receiver;
	tx_msg->tx_target_thread = receiver;
	rx_msg->async = async;
	rx_msg->generation = async == NULL ? generation_of(from) : GENERATION_NOBODY;
}

/*
 * The first receiver that waits for it, or NULL; masked on return, with interrupts let in where
 * many wait for other messages. No receiver comes meanwhile, and none that was passed can become
 * one.
 */
struct k_thread *mbox_receiver_for(const struct k_mbox *mbox, const struct k_mbox_msg *tx_msg,
				   const struct k_thread *from, unsigned int key)
{
	struct k_thread *receiver = mbox->receivers.head;
	unsigned int passed = 0;

	if (receiver == NULL || suits(tx_msg, from, message_of(receiver), receiver)) {
		return receiver; /* no traversal */
	}
	do { /* Bound: D, as others have run. */
		sched_traversal_begin(key);
		receiver = mbox->receivers.head;
		/* Bound: W * (D + 1), the receivers that wait for other messages. */
		while (receiver != NULL && !suits(tx_msg, from, message_of(receiver), receiver)) {
			receiver = sched_traversal_past(&mbox->receivers, receiver, &passed, key);
		}
	} while (!sched_traversal_stop(key)); /* else others have run */
	return receiver;
}

void mbox_hand_over(struct k_mbox_msg *tx_msg, struct k_thread *from, struct k_thread *receiver,
		    struct mbox_async *async)
{
	exchange(tx_msg, from, message_of(receiver), receiver, async);
	sched_wake(receiver, 0);
}

static bool is_thread(void)
{
	K_ASSERT(!arch_in_isr(), "mbox-in-isr");
	return !arch_in_isr();
}

/* The data was taken, so many bytes: tx_msg->size. */
static int sent(struct k_mbox_msg *tx_msg, intptr_t result)
{
	if (result < 0) {
		return (int)result;
	}
	tx_msg->size = (size_t)result;
	return 0;
}

int k_mbox_put(struct k_mbox *mbox, struct k_mbox_msg *tx_msg, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;
	struct k_thread *receiver;

	if (!is_thread()) {
		arch_irq_unlock(key);
		return -EAGAIN;
	}
	tx_msg->rx_source_thread = current;
	current->wake_data = (uintptr_t)tx_msg;
	receiver = mbox_receiver_for(mbox, tx_msg, current, key);
	if (receiver == NULL && sched_arm_first(timeout, -EAGAIN, key)) {
		receiver = mbox_receiver_for(mbox, tx_msg, current, key);
	}
	if (receiver != NULL) {
		sched_disarm();
		mbox_hand_over(tx_msg, current, receiver, NULL);
		return sent(tx_msg, sched_pend_slow(&received, K_FOREVER, key, 0));
	}
	if (timeout.ticks == 0) {
		sched_reschedule(key); /* of whom interrupts have woken during a traversal */
		return -ENOMSG;
	}
	current->wake_value = (intptr_t)mbox->sent;
	mbox->sent++;
	return sent(tx_msg, sched_pend_slow(&mbox->senders, timeout, key, -EAGAIN));
}

/* ---- receiving ---- */

/* Its sender waits for nothing but the data to be taken. */
static void keep_sender(struct k_mbox *mbox, struct k_thread *sender)
{
	if ((sender->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&sender->timeout);
		sender->state &= (uint8_t)~K_THREAD_TIMED;
	}
	wait_q_remove(&mbox->senders, sender);
	sched_moves++;
	sender->pended_on = &received;
	wait_q_add(&received, sender);
}

/* As mbox_receiver_for(): the first sender. */
static struct k_thread *suitable_sender(const struct k_mbox *mbox, const struct k_mbox_msg *rx_msg,
					unsigned int key)
{
	struct k_thread *sender = mbox->senders.head;
	unsigned int passed = 0;

	if (sender == NULL || suits(message_of(sender), sender, rx_msg, k_cpu.current)) {
		return sender;
	}
	do { /* Bound: D, as others have run. */
		sched_traversal_begin(key);
		sender = mbox->senders.head;
		/* Bound: W * (D + 1), the senders that wait for other receivers. */
		while (sender != NULL &&
		       !suits(message_of(sender), sender, rx_msg, k_cpu.current)) {
			sender = sched_traversal_past(&mbox->senders, sender, &passed, key);
		}
	} while (!sched_traversal_stop(key));
	return sender;
}

/* The link that leads to it, or to NULL. Bound: CONFIG_NUM_MBOX_ASYNC_MSGS. */
static struct mbox_async **suitable_async(struct k_mbox *mbox, const struct k_mbox_msg *rx_msg)
{
	struct mbox_async **link = &mbox->async;

	while (*link != NULL && !suits(&(*link)->msg, (*link)->from, rx_msg, k_cpu.current)) {
		link = &(*link)->next;
	}
	return link;
}

static bool async_is_first(const struct mbox_async *async, const struct k_thread *sender)
{
	if (async == NULL || sender == NULL || async->prio != sender->prio) {
		return async != NULL && (sender == NULL || async->prio < sender->prio);
	}
	return (int32_t)(async->number - (uint32_t)sender->wake_value) < 0;
}

/* A message that is there already. */
static bool take_message(struct k_mbox *mbox, struct k_mbox_msg *rx_msg, unsigned int key)
{
	struct k_thread *sender = suitable_sender(mbox, rx_msg, key);
	struct mbox_async **link = suitable_async(mbox, rx_msg);
	struct mbox_async *async = *link;

	if (async_is_first(async, sender)) {
		*link = async->next;
		exchange(&async->msg, async->from, rx_msg, k_cpu.current, async);
		return true;
	}
	if (sender != NULL) {
		exchange(message_of(sender), sender, rx_msg, k_cpu.current, NULL);
		keep_sender(mbox, sender);
	}
	return sender != NULL;
}

/* Whoever waits for it is told that the data was taken. */
static void dispose(struct k_mbox_msg *rx_msg)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *sender = generation_thread(rx_msg->generation);
	struct mbox_async *async = rx_msg->async;

	rx_msg->async = NULL;
	rx_msg->generation = GENERATION_NOBODY;
	if (async != NULL) {
		async->done(async, key);
		return;
	}
	if (sender != NULL && sender->pended_on == &received) {
		sched_wake(sender, (intptr_t)rx_msg->size);
	}
	sched_reschedule(key);
}

/* Its sender was ended before the data was taken: where that lies may be anything else by now. */
static bool is_lost(const struct k_mbox_msg *rx_msg)
{
	unsigned int key = arch_irq_lock();
	bool is_lost = rx_msg->generation != GENERATION_NOBODY &&
		       generation_thread(rx_msg->generation) == NULL;

	arch_irq_unlock(key);
	return is_lost;
}

void k_mbox_data_get(struct k_mbox_msg *rx_msg, void *buffer)
{
	if (buffer == NULL || is_lost(rx_msg)) {
		rx_msg->size = 0;
	} else if (rx_msg->tx_data != NULL && rx_msg->size != 0) {
		memcpy(buffer, rx_msg->tx_data, rx_msg->size);
	}
	dispose(rx_msg);
}

int k_mbox_get(struct k_mbox *mbox, struct k_mbox_msg *rx_msg, void *buffer, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	int result = 0;

	if (!is_thread()) {
		arch_irq_unlock(key);
		return -EAGAIN;
	}
	rx_msg->tx_target_thread = k_cpu.current;
	if (take_message(mbox, rx_msg, key) ||
	    (sched_arm_first(timeout, -EAGAIN, key) && take_message(mbox, rx_msg, key))) {
		sched_disarm();
		sched_reschedule(key);
	} else if (timeout.ticks == 0) {
		sched_reschedule(key);
		return -ENOMSG;
	} else {
		k_cpu.current->wake_data = (uintptr_t)rx_msg;
		result = (int)sched_pend_slow(&mbox->receivers, timeout, key, -EAGAIN);
	}
	if (result != 0) {
		return result;
	}
	if (buffer != NULL || rx_msg->size == 0) {
		k_mbox_data_get(rx_msg, buffer);
	}
	return 0;
}

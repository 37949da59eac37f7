/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages whose senders do not wait. A file of its own: who does without carries no room for them.
 *
 * A room is taken by its user in the step in which it is used, and all who wait for one are woken
 * where one gets free: one alone may be aborted before it runs. Rejected: a semaphore of free
 * rooms, whose tokens end with such a thread.
 */
#include "kernel/objects/mbox.h"

CALLS_DIRECTLY(k_sem_give);

static struct mbox_async rooms[CONFIG_NUM_MBOX_ASYNC_MSGS];
static struct mbox_async *free_rooms; /* that have been used before */
static unsigned int num_fresh = ARRAY_SIZE(rooms);
static _wait_q_t no_room;

/* Interrupts masked. NULL: there is none. */
static struct mbox_async *take_room(void)
{
	struct mbox_async *room = free_rooms;

	if (room != NULL) {
		free_rooms = room->next;
	} else if (num_fresh != 0) {
		num_fresh--;
		room = &rooms[num_fresh];
	}
	return room;
}

static void done(struct mbox_async *async, unsigned int key)
{
	struct k_sem *sem = async->sem;

	async->next = free_rooms;
	free_rooms = async;
	(void)sched_wake_all(&no_room, 0, key);
	if (sem != NULL) {
		k_sem_give(sem); /* masked: whom it wakes runs after the traversal */
	}
	sched_traversal_end(key);
}

/* Bound: CONFIG_NUM_MBOX_ASYNC_MSGS. */
static void enter(struct k_mbox *mbox, struct mbox_async *async)
{
	struct mbox_async **link = &mbox->async;

	while (*link != NULL && (*link)->prio <= async->prio) {
		link = &(*link)->next;
	}
	async->next = *link;
	*link = async;
}

void k_mbox_async_put(struct k_mbox *mbox, struct k_mbox_msg *tx_msg, struct k_sem *sem)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *receiver;
	struct mbox_async *async;

	K_ASSERT(!arch_in_isr(), "mbox-in-isr");
	if (arch_in_isr()) {
		arch_irq_unlock(key);
		return;
	}
	/*
	 * The room last, in which nothing is let in any more. Bound: D + 1, its own wait, and the
	 * others that take what this one was woken for.
	 */
	while (receiver = mbox_receiver_for(mbox, tx_msg, k_cpu.current, key),
	       (async = take_room()) == NULL) {
		(void)sched_pend_slow(&no_room, K_FOREVER, key, 0);
		(void)arch_irq_lock();
	}
	*async = (struct mbox_async){
		.msg = *tx_msg,
		.prio = k_cpu.current->prio,
		.number = mbox->sent++,
		.from = k_cpu.current,
		.sem = sem,
		.done = done,
	};
	async->msg.rx_source_thread = k_cpu.current;
	if (receiver != NULL) {
		mbox_hand_over(&async->msg, async->from, receiver, async);
	} else {
		enter(mbox, async);
	}
	sched_reschedule(key);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Messages whose senders do not wait. A file of its own: who does without carries no room for them. */
#include "kernel/objects/mbox.h"

CALLS_DIRECTLY(k_sem_give);
CALLS_DIRECTLY(k_sem_take);

static struct mbox_async rooms[CONFIG_NUM_MBOX_ASYNC_MSGS];
static struct mbox_async *free_rooms; /* that have been used before */
static unsigned int num_fresh = ARRAY_SIZE(rooms);
static K_SEM_DEFINE(free_count, ARRAY_SIZE(rooms), ARRAY_SIZE(rooms));

/* Interrupts masked; there is one. */
static struct mbox_async *take_room(void)
{
	struct mbox_async *room = free_rooms;

	if (room == NULL) {
		num_fresh--;
		return &rooms[num_fresh];
	}
	free_rooms = room->next;
	return room;
}

static void done(struct mbox_async *async)
{
	async->next = free_rooms;
	free_rooms = async;
	if (async->sem != NULL) {
		k_sem_give(async->sem);
	}
	k_sem_give(&free_count);
}

/* Bound: the messages of senders as urgent. */
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
	struct mbox_async *async;
	unsigned int key;

	K_ASSERT(!arch_in_isr(), "mbox-in-isr");
	if (k_sem_take(&free_count, K_FOREVER) != 0) {
		return;
	}
	key = arch_irq_lock();
	async = take_room();
	*async = (struct mbox_async){
		.msg = *tx_msg,
		.prio = k_cpu.current->prio,
		.number = mbox->sent++,
		.from = k_cpu.current,
		.sem = sem,
		.done = done,
	};
	async->msg.rx_source_thread = k_cpu.current;
	if (!mbox_offer(mbox, &async->msg, async->from, async)) {
		enter(mbox, async);
	}
	sched_reschedule(key);
}

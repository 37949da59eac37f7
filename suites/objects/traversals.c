/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations beside others. Where a list is traversed the row grows with them: the events of one call, those who poll the
 * same object and are as urgent or more, receivers and messages of a mailbox that are for somebody else. Where it is
 * not, the row shows that: items in a work queue.
 */
#include "objects.h"

#define MOST_THREADS 16
#define MOST         64
#define STACK_SIZE   (96 * sizeof(void *))

static struct k_thread others[MOST_THREADS];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, MOST_THREADS, STACK_SIZE);
static uint32_t count; /* of the others */

static const char *name_of(const char *id)
{
	static char name[64];

	(void)snprintk(name, sizeof(name), "%s.%u", id, (unsigned int)count);
	return name;
}

static void begin_others(k_thread_entry_t entry, int prio)
{
	for (uint32_t i = 0; i < count; i++) {
		(void)k_thread_create(&others[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]),
				      entry, (void *)(uintptr_t)i, NULL, NULL, prio, 0, K_NO_WAIT);
	}
}

static void end_others(void)
{
	for (uint32_t i = 0; i < count; i++) {
		k_thread_abort(&others[i]);
	}
}

static void measure(const struct measure_operation *operation)
{
	struct measure_operation named = *operation;

	named.id = name_of(operation->id);
	measure_single(&named);
}

/* ---- polling so many objects ---- */

static struct k_poll_signal signals[MOST];
static struct k_poll_event events[MOST];
static struct k_poll_event behind;
static struct k_work_q queue;
static struct k_work_poll poll_work; /* an item polls as the least urgent does */

MEASURE_WINDOW(poll_many, result = k_poll(events, (int)count, K_NO_WAIT))
MEASURE_WINDOW(poll_behind,
	       result = k_work_poll_submit_to_queue(&queue, &poll_work, &behind, 1, K_FOREVER))

static void in_vain(struct measure_row *of, intptr_t result)
{
	measure_witness(of, "refused", result == -EAGAIN);
	measure_witness(of, "left", signals[count - 1].pollers == NULL);
}

static void measure_events(void)
{
	for (uint32_t i = 0; i < count; i++) {
		k_poll_signal_init(&signals[i]);
		k_poll_event_init(&events[i], K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY,
				  &signals[i]);
	}
	measure(&(struct measure_operation){"poll.refused.of", "Poll so many objects in vain",
					    poll_many, NULL, in_vain});
}

/* ---- polling behind so many others, which are more urgent ---- */

static void polls(void *which, void *p2, void *p3)
{
	struct k_poll_event *event = &events[(uintptr_t)which];

	(void)k_poll(event, 1, K_FOREVER);
}

static void others_are_left(struct measure_row *of, intptr_t result)
{
	measure_witness(of, "polls", result == 0 && behind.prev == &events[count - 1]);
	measure_witness(of, "others_poll", signals[0].pollers == &events[0]);
	measure_witness(of, "taken_back", k_work_poll_cancel(&poll_work) == 0);
}

static void called(struct k_work *item)
{
	ARG_UNUSED(item); /* its event does not come */
}

static void measure_pollers(void)
{
	k_poll_signal_init(&signals[0]);
	for (uint32_t i = 0; i < count; i++) {
		k_poll_event_init(&events[i], K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY,
				  &signals[0]);
	}
	k_poll_event_init(&behind, K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &signals[0]);
	k_work_poll_init(&poll_work, called);
	begin_others(polls, OBJECTS_PRIO - 1);
	measure(&(struct measure_operation){"poll.work.submit.behind",
					    "Have work poll an object that so many poll",
					    poll_behind, NULL, others_are_left});
	end_others();
}

/* ---- a mailbox where so many wait for somebody else ---- */

static K_MBOX_DEFINE(mbox);
static struct k_mbox_msg tx_msg, rx_msg;

MEASURE_WINDOW(put, result = k_mbox_put(&mbox, &tx_msg, K_NO_WAIT))
MEASURE_WINDOW(get, result = k_mbox_get(&mbox, &rx_msg, NULL, K_NO_WAIT))

static void receives(void *p1, void *p2, void *p3)
{
	struct k_mbox_msg own = {.rx_source_thread = k_current_get()}; /* which never sends */

	(void)k_mbox_get(&mbox, &own, NULL, K_FOREVER);
}

static void sends(void *p1, void *p2, void *p3)
{
	struct k_mbox_msg own = {.tx_target_thread = k_current_get()}; /* which never receives */

	(void)k_mbox_put(&mbox, &own, K_FOREVER);
}

static void prepare_messages(void)
{
	tx_msg = (struct k_mbox_msg){.tx_target_thread = K_ANY};
	rx_msg = (struct k_mbox_msg){.rx_source_thread = K_ANY};
}

static void passed_by(struct measure_row *of, intptr_t result)
{
	measure_witness(of, "refused", result == -ENOMSG);
	measure_witness(of, "others_wait",
			(mbox.receivers.head == NULL) != (mbox.senders.head == NULL));
}

static void measure_mailbox(void)
{
	begin_others(receives, OBJECTS_PRIO - 1);
	measure(&(struct measure_operation){"mbox.put.refused.past",
					    "Put past so many receivers for others", put,
					    prepare_messages, passed_by});
	end_others();
	begin_others(sends, OBJECTS_PRIO - 1);
	measure(&(struct measure_operation){"mbox.get.refused.past",
					    "Get past so many messages for others", get,
					    prepare_messages, passed_by});
	end_others();
}

/* ---- so many items in a work queue ---- */

static K_THREAD_STACK_DEFINE(queue_stack, 1024);
static struct k_work items[MOST], work;

MEASURE_WINDOW(submit, result = k_work_submit_to_queue(&queue, &work))
MEASURE_WINDOW(cancel, result = k_work_cancel(&items[count / 2]))

static void handler(struct k_work *item)
{
	ARG_UNUSED(item); /* its queue's thread does not come to run */
}

static void is_last(struct measure_row *of, intptr_t result)
{
	measure_witness(of, "submitted", result == 1 && queue.tailp == &work.next);
	(void)k_work_cancel(&work);
}

static void is_out(struct measure_row *of, intptr_t result)
{
	measure_witness(of, "taken_out", result == 0);
	(void)k_work_submit_to_queue(&queue, &items[count / 2]);
}

static void measure_items(void)
{
	k_work_queue_init(&queue);
	k_work_queue_start(&queue, queue_stack, K_THREAD_STACK_SIZEOF(queue_stack),
			   OBJECTS_PRIO + 1, NULL);
	k_work_init(&work, handler);
	for (uint32_t i = 0; i < count; i++) {
		k_work_init(&items[i], handler);
		(void)k_work_submit_to_queue(&queue, &items[i]);
	}
	measure(&(struct measure_operation){
		"work.submit.behind", "Submit work behind so many items", submit, NULL, is_last});
	measure(&(struct measure_operation){"work.cancel.among", "Cancel work among so many items",
					    cancel, NULL, is_out});
	k_thread_abort(&queue.thread);
}

void objects_traversals(void)
{
	static const uint32_t counts[] = {1, 4, 16, 64};

	for (unsigned int i = 0; i < ARRAY_SIZE(counts); i++) {
		count = counts[i];
		measure_events();
		measure_items();
		if (count <= MOST_THREADS) {
			measure_pollers();
			measure_mailbox();
		}
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Work items that are submitted when one of several objects has something: poll.h. */
#include "kernel/work/work.h"
#include "kernel/hooks/poll.h"
#include "kernel/time/timeout.h"

/* In the queue's thread: from here on the item may be submitted anew. */
static void call_handler(struct k_work *work)
{
	struct k_work_poll *item = CONTAINER_OF(work, struct k_work_poll, work);

	if (item->poll_result != -EAGAIN) {
		(void)poll_look(item->poller.events, item->poller.num_events);
	}
	item->queue = NULL;
	item->handler(work);
}

void k_work_poll_init(struct k_work_poll *work, k_work_handler_t handler)
{
	*work = (struct k_work_poll){
		.work = Z_WORK_INITIALIZER(call_handler),
		.handler = handler,
	};
}

/* What it waited for has come, or its time. Interrupts masked. */
static int submit(struct k_work_poll *item, int result)
{
	struct k_work_q *queue = item->queue;
	int put;

	if (item->is_armed) {
		timeout_cancel(&item->timeout);
		item->is_armed = false;
	}
	item->poll_result = result;
	put = work_put(queue, &item->work);
	if (put <= 0) {
		item->queue = NULL;
	} else if (item->work.queue->idle.head != NULL) {
		sched_wake(item->work.queue->idle.head, 0);
	}
	return put;
}

static void told(struct k_poller *poller, int result)
{
	struct k_work_poll *item = CONTAINER_OF(poller, struct k_work_poll, poller);

	poll_stop(poller);
	(void)submit(item, result);
}

static void time_is_over(struct timeout *timeout)
{
	struct k_work_poll *item = CONTAINER_OF(timeout, struct k_work_poll, timeout);

	item->is_armed = false;
	poll_stop(&item->poller);
	(void)submit(item, -EAGAIN);
}

/* It waits no more. Interrupts masked. */
static void take_back(struct k_work_poll *item)
{
	poll_stop(&item->poller);
	if (item->is_armed) {
		timeout_cancel(&item->timeout);
		item->is_armed = false;
	}
	item->queue = NULL;
}

int k_work_poll_submit_to_queue(struct k_work_q *queue, struct k_work_poll *work,
				struct k_poll_event *events, int num_events, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	int result = 0;

	if (work->queue != NULL && (work->queue != queue || !work->poller.is_polling)) {
		result = work->queue != queue ? -EADDRINUSE : -EINVAL;
		arch_irq_unlock(key);
		return result;
	}
	if (work->queue != NULL) {
		take_back(work);
	}
	work->queue = queue;
	work->poller = (struct k_poller){
		.events = events,
		.num_events = num_events,
		.prio = K_LOWEST_APPLICATION_THREAD_PRIO,
		.tell = told,
	};
	if (!poll_begin(&work->poller)) {
		poll_stop(&work->poller);
		result = submit(work, 0);
	} else if (timeout.ticks == 0) {
		poll_stop(&work->poller);
		result = submit(work, -EAGAIN);
	} else if (timeout.ticks != K_TICKS_FOREVER) {
		work->is_armed = true;
		work->timeout.expire = time_is_over;
		timeout_add(&work->timeout, timeout_deadline(timeout));
	}
	sched_reschedule(key);
	return MIN(result, 0);
}

int k_work_poll_cancel(struct k_work_poll *work)
{
	unsigned int key = arch_irq_lock();
	bool waits = work != NULL && work->queue != NULL && work->poller.is_polling;

	if (waits) {
		take_back(work);
	}
	arch_irq_unlock(key);
	return waits ? 0 : -EINVAL;
}

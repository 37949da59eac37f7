/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work items: submitting, cancelling, waiting for their end.
 *
 * Who waits for an item is in a wait queue of the work queue that has it, with the item and what
 * the count of its runs has to be; the worker looks there only after items whose flags say that
 * somebody waits. Rejected: an item of its own behind the one that is waited for, as in Zephyr,
 * which lies on the waiting thread's stack and is still in the queue when that thread is aborted.
 */
#include "kernel/sched/wait_wake.h"
#include "kernel/work/work.h"

#define BUSY_MASK                                                                        \
	((uint32_t)(K_WORK_RUNNING | K_WORK_CANCELING | K_WORK_QUEUED | K_WORK_DELAYED | \
		    K_WORK_FLUSHING))

void k_work_init(struct k_work *work, k_work_handler_t handler)
{
	*work = (struct k_work)Z_WORK_INITIALIZER(handler);
}

int k_work_busy_get(const struct k_work *work)
{
	return (int)(*(const volatile uint32_t *)&work->flags & BUSY_MASK);
}

/* A queue's own handlers may go on while it is drained. */
static bool is_own_handler(const struct k_work_q *queue)
{
	return k_cpu.current == queue->thread_id && !arch_in_isr();
}

static int may_put(const struct k_work_q *queue)
{
	const uint32_t flags = queue == NULL ? 0 : queue->flags;

	if (queue == NULL) {
		return -EINVAL;
	}
	if ((flags & WORK_QUEUE_STARTED) == 0) {
		return -ENODEV;
	}
	if ((flags & WORK_QUEUE_DRAIN) != 0 ? !is_own_handler(queue)
					    : (flags & WORK_QUEUE_PLUGGED) != 0) {
		return -EBUSY;
	}
	return 0;
}

/* Model: work.put */
int work_put(struct k_work_q *queue, struct k_work *work)
{
	bool runs = (work->flags & K_WORK_RUNNING) != 0;
	int refused;

	K_ASSERT(work->handler != NULL, "work-without-handler");
	if ((work->flags & K_WORK_CANCELING) != 0) {
		return -EBUSY;
	}
	if ((work->flags & K_WORK_QUEUED) != 0) {
		return 0;
	}
	if (queue == NULL || runs) {
		queue = work->queue;
	}
	refused = may_put(queue);
	if (refused != 0) {
		return refused;
	}
	work->queue = queue;
	work->flags |= K_WORK_QUEUED;
	work->next = NULL;
	work->link = queue->head == NULL ? &queue->head : queue->tailp;
	*work->link = work;
	queue->tailp = &work->next;
	return runs ? 2 : 1;
}

int k_work_submit_to_queue(struct k_work_q *queue, struct k_work *work)
{
	unsigned int key = arch_irq_lock();
	int result = work_put(queue, work);

	if (result > 0 && work->queue->idle.head != NULL) {
		_wait_q_t *idle = &work->queue->idle;

		K_ASSERT(((idle->head->state & (K_THREAD_STOOD_ON | K_THREAD_TIMED)) |
			  idle->head->wait_flags) == 0,
			 "work-queue-idle-for-a-time");
		k_cpu.current->wake_value = result;
		return (int)sched_wake_first_inline(idle, idle->head, 0, key);
	}
	arch_irq_unlock(key);
	return result;
}

/* ---- whoever waits for an item's end ---- */

/* Of runs that have ended: modulo 2^24, in the upper bits of the flags. */
static inline int32_t runs_left(const struct k_thread *waiter, const struct k_work *work)
{
	uint32_t until = (uint32_t)waiter->wake_value;

	return (int32_t)(until - (work->flags & WORK_RUNS_MASK)) / (int32_t)WORK_RUN;
}

/*
 * Wake those who wait for so many of an item's runs as have ended. `last`: no more than so many are
 * left to come, for whoever waits. What a traversal has done to a waiter it may do once more.
 * Bound: W * (D + 1), who wait for items of the queue; interrupts are let in between. Returns
 * whether any waits on. Restores key.
 * Model: work.tell_waiters.
 */
static bool tell_waiters(struct k_work *work, int32_t last, unsigned int key)
{
	_wait_q_t *syncs = &work->queue->syncs;
	struct k_thread *waiter;
	unsigned int passed = 0;
	bool waits = false;

	sched_traversal_waking(syncs, key);
	waiter = syncs->head;
	while (waiter != NULL) {
		struct k_thread *next = wait_q_next(syncs, waiter);

		if (waiter->wake_data != (uintptr_t)work) {
			waiter = sched_traversal_past(syncs, waiter, &passed, key);
			continue;
		}
		if (runs_left(waiter, work) > last) {
			waiter->wake_value = (intptr_t)((work->flags & WORK_RUNS_MASK) +
							(uint32_t)last * WORK_RUN);
		}
		if (runs_left(waiter, work) > 0) {
			waits = true;
			waiter = sched_traversal_past(syncs, waiter, &passed, key);
			continue;
		}
		sched_wake(waiter, 0);
		waiter = sched_traversal_on(syncs, next, key);
	}
	/*
	 * A handler that has told them meanwhile has seen to the flag itself, and may have taken it
	 * away.
	 */
	if (!waits) {
		work->flags &= ~(uint32_t)K_WORK_FLUSHING;
	}
	sched_traversal_end(key);
	return waits;
}

/* Model: work.told_of_end */
void work_run_ended(struct k_work *work, unsigned int key)
{
	work->flags &= ~(uint32_t)K_WORK_CANCELING;
	(void)tell_waiters(work, WORK_RUNS_MAX, key);
}

static bool may_wait(const struct k_work *work)
{
	K_ASSERT(!arch_in_isr(), "work-wait-in-isr");
	K_ASSERT(!is_own_handler(work->queue), "work-waits-for-itself");
	return !arch_in_isr() && !is_own_handler(work->queue);
}

/* Model: work.wait_for_runs */
static void wait_for_runs(struct k_work *work, unsigned int runs, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (!may_wait(work)) {
		arch_irq_unlock(key);
		return;
	}
	current->wake_data = (uintptr_t)work;
	current->wake_value = (intptr_t)((work->flags & WORK_RUNS_MASK) +
					 (uint32_t)runs * WORK_RUN);
	(void)sched_pend_slow(&work->queue->syncs, K_FOREVER, key, 0);
}

void work_wait_for_last(struct k_work *work, unsigned int key)
{
	bool runs = (work->flags & K_WORK_RUNNING) != 0;
	bool is_queued = (work->flags & K_WORK_QUEUED) != 0;

	work->flags |= K_WORK_FLUSHING;
	wait_for_runs(work, (runs ? 1U : 0U) + (is_queued ? 1U : 0U), key);
}

/* Model: work.flush */
bool k_work_flush(struct k_work *work, struct k_work_sync *sync)
{
	unsigned int key = arch_irq_lock();
	bool waits = (work->flags & (K_WORK_QUEUED | K_WORK_RUNNING)) != 0;

	ARG_UNUSED(sync);
	if (waits) {
		work_wait_for_last(work, key);
	} else {
		arch_irq_unlock(key);
	}
	return waits;
}

/* ---- cancelling ---- */

/* Model: work.take_out */
static void take_out(struct k_work *work)
{
	*work->link = work->next;
	if (work->next != NULL) {
		work->next->link = work->link;
	} else {
		work->queue->tailp = work->link;
	}
	work->flags &= ~(uint32_t)K_WORK_QUEUED;
}

/* Model: work.cancel */
int work_cancel(struct k_work *work, unsigned int key)
{
	uint32_t flags = work->flags;
	bool runs = (flags & K_WORK_RUNNING) != 0;
	bool is_awaited = false;

	if ((flags & K_WORK_QUEUED) != 0) {
		take_out(work);
		is_awaited = (flags & K_WORK_FLUSHING) != 0;
	}
	if (runs) {
		work->flags |= K_WORK_CANCELING;
	}
	flags = work->flags & BUSY_MASK;
	if (!is_awaited) {
		arch_irq_unlock(key);
		return (int)flags;
	}
	if (!tell_waiters(work, runs ? 1 : 0, key)) {
		flags &= ~(uint32_t)K_WORK_FLUSHING;
	}
	return (int)flags;
}

int k_work_cancel(struct k_work *work)
{
	return work_cancel(work, arch_irq_lock());
}

/* Model: work.cancel_sync */
void work_cancel_sync(struct k_work *work, unsigned int key)
{
	uint32_t run = work->flags & WORK_RUNS_MASK;

	if ((work_cancel(work, key) & K_WORK_RUNNING) == 0) {
		return;
	}
	key = arch_irq_lock();
	/* Unless it has ended meanwhile, and another one may have begun. */
	if ((work->flags & K_WORK_RUNNING) != 0 && (work->flags & WORK_RUNS_MASK) == run) {
		wait_for_runs(work, 1U, key);
	} else {
		arch_irq_unlock(key);
	}
}

bool k_work_cancel_sync(struct k_work *work, struct k_work_sync *sync)
{
	unsigned int key = arch_irq_lock();
	bool was_busy = k_work_busy_get(work) != 0;

	ARG_UNUSED(sync);
	work_cancel_sync(work, key);
	return was_busy;
}

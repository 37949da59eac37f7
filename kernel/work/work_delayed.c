/* SPDX-License-Identifier: Apache-2.0 */
/* Work items that are submitted when their time comes. */
#include "kernel/work/work.h"
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"

void k_work_init_delayable(struct k_work_delayable *dwork, k_work_handler_t handler)
{
	*dwork = (struct k_work_delayable)Z_WORK_DELAYABLE_INITIALIZER(handler);
}

int k_work_delayable_busy_get(const struct k_work_delayable *dwork)
{
	return k_work_busy_get(&dwork->work);
}

/* Model: work.time_has_come */
static void time_has_come(struct timeout *timeout)
{
	struct k_work_delayable *dwork = CONTAINER_OF(timeout, struct k_work_delayable, timeout);

	dwork->work.flags &= ~(uint32_t)K_WORK_DELAYED;
	dwork->is_armed = false;
	if (work_put(dwork->queue, &dwork->work) > 0 && dwork->work.queue->idle.head != NULL) {
		sched_wake(dwork->work.queue->idle.head, 0);
	}
}

/* Its delay ends. Returns whether there was one. Model: work.undelay */
static bool undelay(struct k_work_delayable *dwork)
{
	bool was_delayed = (dwork->work.flags & K_WORK_DELAYED) != 0;

	if (dwork->is_armed) {
		timeout_cancel(&dwork->timeout);
		dwork->is_armed = false;
	}
	dwork->work.flags &= ~(uint32_t)K_WORK_DELAYED;
	return was_delayed;
}

/* Restores key. Model: work.delay */
static int schedule(struct k_work_q *queue, struct k_work_delayable *dwork, k_timeout_t delay,
		    unsigned int key)
{
	int result = 1;

	if (delay.ticks == 0) {
		result = k_work_submit_to_queue(queue, &dwork->work);
		sched_reschedule(key);
		return result;
	}
	K_ASSERT(dwork->work.handler != NULL, "work-without-handler");
	dwork->work.flags |= K_WORK_DELAYED;
	dwork->queue = queue;
	if (delay.ticks != K_TICKS_FOREVER) {
		dwork->is_armed = true;
		dwork->timeout.expire = time_has_come;
		timeout_add(&dwork->timeout, timeout_deadline(delay));
	}
	arch_irq_unlock(key);
	return result;
}

/* Model: work.schedule_refused */
int k_work_schedule_for_queue(struct k_work_q *queue, struct k_work_delayable *dwork,
			      k_timeout_t delay)
{
	unsigned int key = arch_irq_lock();

	if ((k_work_busy_get(&dwork->work) & ~(int)K_WORK_RUNNING) != 0) {
		arch_irq_unlock(key);
		return 0;
	}
	return schedule(queue, dwork, delay, key);
}

/* Model: work.reschedule */
int k_work_reschedule_for_queue(struct k_work_q *queue, struct k_work_delayable *dwork,
				k_timeout_t delay)
{
	unsigned int key = arch_irq_lock();

	(void)undelay(dwork);
	return schedule(queue, dwork, delay, key);
}

/* Model: work.flush_delayed */
bool k_work_flush_delayable(struct k_work_delayable *dwork, struct k_work_sync *sync)
{
	unsigned int key = arch_irq_lock();
	bool waits;

	if (undelay(dwork)) {
		(void)k_work_submit_to_queue(dwork->queue, &dwork->work);
	}
	/* Masked still: nobody it has woken has run. */
	waits = (dwork->work.flags & (K_WORK_QUEUED | K_WORK_RUNNING)) != 0;
	if (waits) {
		work_wait_for_last(&dwork->work, key);
	} else {
		sched_reschedule(key);
	}
	return waits;
}

int k_work_cancel_delayable(struct k_work_delayable *dwork)
{
	unsigned int key = arch_irq_lock();

	(void)undelay(dwork);
	return work_cancel(&dwork->work, key);
}

bool k_work_cancel_delayable_sync(struct k_work_delayable *dwork, struct k_work_sync *sync)
{
	unsigned int key = arch_irq_lock();
	bool was_busy = k_work_busy_get(&dwork->work) != 0;

	(void)undelay(dwork);
	work_cancel_sync(&dwork->work, key);
	return was_busy;
}

k_ticks_t k_work_delayable_remaining_get(const struct k_work_delayable *dwork)
{
	unsigned int key = arch_irq_lock();
	timeout_tick_t left = dwork->is_armed ? timeout_remaining(&dwork->timeout) : 0;

	arch_irq_unlock(key);
	return (k_ticks_t)left;
}

k_ticks_t k_work_delayable_expires_get(const struct k_work_delayable *dwork)
{
	unsigned int key = arch_irq_lock();
	timeout_tick_t when = dwork->is_armed ? dwork->timeout.when : clock_ticks();

	arch_irq_unlock(key);
	return (k_ticks_t)(when - CONFIG_SYS_CLOCK_FIRST_TICK);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Work queues: the thread that calls the handlers, and how it is started, drained and stopped. */
#include "kernel/sched/wait_wake.h"
#include "kernel/work/work.h"

CALLS_DIRECTLY(k_thread_create);
CALLS_DIRECTLY(k_thread_join);
CALLS_DIRECTLY(k_thread_name_set);
CALLS_DIRECTLY(k_thread_start);
CALLS_DIRECTLY(k_yield);

void k_work_queue_init(struct k_work_q *queue)
{
	*queue = (struct k_work_q){0};
}

/* Call the handler of the first item; restores key. Model: work.run_first. */
static void run_first(struct k_work_q *queue, unsigned int key)
{
	struct k_work *work = queue->head;
	k_work_handler_t handler = work->handler;

	queue->head = work->next;
	if (queue->head != NULL) {
		queue->head->link = &queue->head;
	}
	work->flags = (work->flags & ~(uint32_t)K_WORK_QUEUED) | K_WORK_RUNNING;
	queue->flags |= WORK_QUEUE_BUSY;
	arch_irq_unlock(key);
	handler(work);
	key = arch_irq_lock();
	/* Model: work.run_ended */
	queue->flags &= ~WORK_QUEUE_BUSY;
	work->flags = (work->flags & ~(uint32_t)K_WORK_RUNNING) + WORK_RUN;
	if (unlikely((work->flags & (K_WORK_FLUSHING | K_WORK_CANCELING)) != 0)) {
		work_run_ended(work, key);
	} else {
		arch_irq_unlock(key);
	}
	if ((queue->flags & WORK_QUEUE_NO_YIELD) == 0) {
		k_yield();
	}
}

/* Nothing to do: wait, unless somebody waits for that. False: it is stopped. Restores key. */
static bool idle(struct k_work_q *queue, unsigned int key)
{
	if ((queue->flags & WORK_QUEUE_DRAIN) != 0) {
		queue->flags &= ~WORK_QUEUE_DRAIN;
		(void)sched_wake_all(&queue->drainers, 1, key);
		sched_traversal_end(key);
		return true;
	}
	if ((queue->flags & WORK_QUEUE_STOP) != 0) {
		queue->flags = 0;
		arch_irq_unlock(key);
		return false;
	}
	(void)sched_pend_inline(&queue->idle, K_FOREVER, key, 0);
	return true;
}

void work_queue_serve(struct k_work_q *queue)
{
	bool goes_on = true;

	while (goes_on) { /* until it is stopped */
		unsigned int key = arch_irq_lock();

		if (queue->head != NULL) {
			run_first(queue, key);
		} else {
			goes_on = idle(queue, key);
		}
	}
}

static void entry(void *queue, void *p2, void *p3)
{
	work_queue_serve(queue);
}

static void begin(struct k_work_q *queue, k_tid_t thread, const struct k_work_queue_config *cfg)
{
	bool no_yield = cfg != NULL && cfg->no_yield;

	queue->head = NULL;
	queue->thread_id = thread;
	if (cfg != NULL && cfg->name != NULL) {
		(void)k_thread_name_set(thread, cfg->name);
	}
	queue->flags = WORK_QUEUE_STARTED | (no_yield ? WORK_QUEUE_NO_YIELD : 0);
}

void k_work_queue_start(struct k_work_q *queue, k_thread_stack_t *stack, size_t stack_size,
			int prio, const struct k_work_queue_config *cfg)
{
	uint32_t options = cfg != NULL && cfg->essential ? K_ESSENTIAL : 0;

	K_ASSERT((queue->flags & WORK_QUEUE_STARTED) == 0, "work-queue-started-twice");
	(void)k_thread_create(&queue->thread, stack, stack_size, entry, queue, NULL, NULL, prio,
			      options, K_FOREVER);
	begin(queue, &queue->thread, cfg);
	k_thread_start(&queue->thread);
}

void k_work_queue_run(struct k_work_q *queue, const struct k_work_queue_config *cfg)
{
	K_ASSERT((queue->flags & WORK_QUEUE_STARTED) == 0, "work-queue-started-twice");
	begin(queue, k_cpu.current, cfg);
	work_queue_serve(queue);
}

/* Have its thread look at its flags. */
static void notify(struct k_work_q *queue)
{
	if (queue->idle.head != NULL) {
		sched_wake(queue->idle.head, 0);
	}
}

int k_work_queue_drain(struct k_work_q *queue, bool plug)
{
	unsigned int key = arch_irq_lock();
	const uint32_t in_use = WORK_QUEUE_BUSY | WORK_QUEUE_DRAIN;

	K_ASSERT(!arch_in_isr(), "work-wait-in-isr");
	if (arch_in_isr()) {
		arch_irq_unlock(key);
		return -EAGAIN;
	}
	if ((queue->flags & in_use) == 0 && !plug && queue->head == NULL) {
		arch_irq_unlock(key);
		return 0;
	}
	queue->flags |= WORK_QUEUE_DRAIN | (plug ? WORK_QUEUE_PLUGGED : 0);
	notify(queue);
	return (int)sched_pend_slow(&queue->drainers, K_FOREVER, key, 0);
}

int k_work_queue_unplug(struct k_work_q *queue)
{
	unsigned int key = arch_irq_lock();
	bool was_plugged = (queue->flags & WORK_QUEUE_PLUGGED) != 0;

	queue->flags &= ~WORK_QUEUE_PLUGGED;
	arch_irq_unlock(key);
	return was_plugged ? 0 : -EALREADY;
}

static int may_stop(const struct k_work_q *queue)
{
	if ((queue->flags & WORK_QUEUE_STARTED) == 0) {
		return -EALREADY;
	}
	return (queue->flags & WORK_QUEUE_PLUGGED) == 0 ? -EBUSY : 0;
}

int k_work_queue_stop(struct k_work_q *queue, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	int refused = may_stop(queue);

	if (refused != 0) {
		arch_irq_unlock(key);
		return refused;
	}
	queue->flags |= WORK_QUEUE_STOP;
	notify(queue);
	sched_reschedule(key);
	if (k_thread_join(queue->thread_id, timeout) == 0) {
		return 0;
	}
	key = arch_irq_lock();
	queue->flags &= ~WORK_QUEUE_STOP;
	arch_irq_unlock(key);
	return -ETIMEDOUT;
}

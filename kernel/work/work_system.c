/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system's work queue. A file of its own: the kernel is linked from an archive, so a program
 * that names none of these functions has neither the queue nor its thread.
 */
#include "kernel/work/work.h"

BUILD_ASSERT(CONFIG_SYSTEM_WORKQUEUE_PRIORITY >= K_HIGHEST_APPLICATION_THREAD_PRIO &&
		     CONFIG_SYSTEM_WORKQUEUE_PRIORITY <= K_LOWEST_APPLICATION_THREAD_PRIO,
	     "CONFIG_SYSTEM_WORKQUEUE_PRIORITY is not a priority that threads may have");

/* As if started: what is submitted before its thread runs waits for it. */
struct k_work_q k_sys_work_q = {
	.thread_id = &k_sys_work_q.thread,
	.flags = WORK_QUEUE_STARTED |
		 (IS_ENABLED(CONFIG_SYSTEM_WORKQUEUE_NO_YIELD) ? WORK_QUEUE_NO_YIELD : 0),
};

static K_THREAD_STACK_DEFINE(stack, CONFIG_SYSTEM_WORKQUEUE_STACK_SIZE);

static void run(void *p1, void *p2, void *p3)
{
	work_queue_serve(&k_sys_work_q);
}

static const STRUCT_SECTION_ITERABLE(k_thread_static, k_thread_static, system_work_queue) = {
	.thread = &k_sys_work_q.thread,
	.stack = stack,
	.stack_size = K_THREAD_STACK_SIZEOF(stack),
	.entry = run,
	.prio = CONFIG_SYSTEM_WORKQUEUE_PRIORITY,
	.delay = {0},
	.name = "sysworkq",
};

int k_work_submit(struct k_work *work)
{
	return k_work_submit_to_queue(&k_sys_work_q, work);
}

int k_work_schedule(struct k_work_delayable *dwork, k_timeout_t delay)
{
	return k_work_schedule_for_queue(&k_sys_work_q, dwork, delay);
}

int k_work_reschedule(struct k_work_delayable *dwork, k_timeout_t delay)
{
	return k_work_reschedule_for_queue(&k_sys_work_q, dwork, delay);
}

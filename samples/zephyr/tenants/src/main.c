/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two tenants of one chip that do not trust each other, each in a memory domain of its own: a
 * station, which takes readings in an interrupt and collects them, and a smoother, whose arithmetic
 * came from somewhere else. They share one partition: readings lie in a heap there, and go round by
 * two queues. What is the station's own the smoother cannot touch. At its end the smoother tries,
 * and is ended for it. A watch that is more urgent than both tells how late they make it.
 */
#include <stdlib.h>
#include <zephyr/kernel.h>
#include <zephyr/logging/log.h>
#include "tenants.h"

LOG_MODULE_REGISTER(tenants);

#define STACK_SIZE 1024

K_APPMEM_PARTITION_DEFINE(shared_partition);
SHARED struct sys_heap shared_heap;
SHARED static uint8_t shared_memory[512];
SHARED struct sys_sem smoother_ready;

K_QUEUE_DEFINE(raw_readings);
K_QUEUE_DEFINE(smooth_readings);

static struct k_thread station;
static struct k_thread smoother;
K_THREAD_STACK_DEFINE(station_stack, STACK_SIZE);
K_THREAD_STACK_DEFINE(smoother_stack, STACK_SIZE);

extern int station_sum;

int main(void)
{
	watch_begin();
	k_msleep(20);
	watch_tell("alone");
	watch_begin();
	sys_heap_init(&shared_heap, shared_memory, sizeof(shared_memory));
	(void)sys_sem_init(&smoother_ready, 0, 1);
	k_thread_create(&smoother, smoother_stack, K_THREAD_STACK_SIZEOF(smoother_stack),
			smoother_entry, NULL, NULL, NULL, K_PRIO_PREEMPT(2), 0, K_NO_WAIT);
	k_thread_create(&station, station_stack, K_THREAD_STACK_SIZEOF(station_stack),
			station_entry, NULL, NULL, NULL, K_PRIO_PREEMPT(1), K_INHERIT_PERMS,
			K_NO_WAIT);
	(void)k_thread_join(&station, K_FOREVER);
	/* before the smoother's end is reported, which no thread interrupts */
	watch_tell("beside the tenants");
	(void)k_thread_join(&smoother, K_FOREVER);
	printk("%d readings, their sum is %d\n", READINGS, station_sum);
	exit(station_sum == 968 ? 0 : 1);
}

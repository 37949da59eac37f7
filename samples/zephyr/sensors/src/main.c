/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipeline of three stages: a timer's interrupt takes a sample, a work item of the system's queue
 * smooths what has come, another queue's reports, every so often, by an item that schedules itself
 * again. A sample waits in a fifo, in a block of a slab.
 */
#include <stdlib.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#define SAMPLES        50
#define SAMPLE_MS      4
#define REPORT_MS      50
#define BLOCKS         8
#define STACK_SIZE     2048
#define QUEUE_PRIORITY K_PRIO_PREEMPT(8)

struct sample {
	void *reserved; /* the fifo's */
	int number;
	int value;
};

K_MEM_SLAB_DEFINE(blocks, sizeof(struct sample), BLOCKS, 8);
K_FIFO_DEFINE(taken);
K_SEM_DEFINE(all_done, 0, 1);
K_THREAD_STACK_DEFINE(report_stack, STACK_SIZE);
static struct k_work_q report_queue;

static int smoothed; /* in sixteenths */
static int processed;
static int lost;
static int reports;

static void smooth(struct k_work *work)
{
	struct sample *sample;

	ARG_UNUSED(work);
	while ((sample = k_fifo_get(&taken, K_NO_WAIT)) != NULL) {
		smoothed += sample->value - smoothed / 16;
		processed++;
		k_mem_slab_free(&blocks, sample);
	}
}
K_WORK_DEFINE(smooth_work, smooth);

static void report(struct k_work *work)
{
	struct k_work_delayable *again = k_work_delayable_from_work(work);

	printk("%d samples, about %d\n", processed, smoothed / 16);
	reports++;
	if (processed + lost < SAMPLES) {
		(void)k_work_schedule_for_queue(&report_queue, again, K_MSEC(REPORT_MS));
	} else {
		k_sem_give(&all_done);
	}
}
K_WORK_DELAYABLE_DEFINE(report_work, report);

static void take_sample(struct k_timer *timer)
{
	static int number;
	void *block;

	if (k_mem_slab_alloc(&blocks, &block, K_NO_WAIT) != 0) {
		lost++;
	} else {
		struct sample *sample = block;

		sample->number = number;
		sample->value = 100 + number % 7; /* what a converter would say */
		k_fifo_put(&taken, sample);
		(void)k_work_submit(&smooth_work);
	}
	if (++number == SAMPLES) {
		k_timer_stop(timer);
	}
}
K_TIMER_DEFINE(sampling, take_sample, NULL);

int main(void)
{
	struct k_work_sync sync;

	k_work_queue_init(&report_queue);
	k_work_queue_start(&report_queue, report_stack, K_THREAD_STACK_SIZEOF(report_stack),
			   QUEUE_PRIORITY, NULL);
	k_timer_start(&sampling, K_MSEC(SAMPLE_MS), K_MSEC(SAMPLE_MS));
	(void)k_work_schedule_for_queue(&report_queue, &report_work, K_MSEC(REPORT_MS));
	(void)k_sem_take(&all_done, K_FOREVER);
	(void)k_work_flush(&smooth_work, &sync);
	(void)k_work_cancel_delayable_sync(&report_work, &sync);
	printk("%d processed, %d lost, %d blocks in use\n", processed, lost,
	       (int)k_mem_slab_num_used_get(&blocks));
	exit(processed == SAMPLES && lost == 0 && reports > 3 &&
			     k_mem_slab_num_used_get(&blocks) == 0
		     ? 0
		     : 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What test_trace.py knows the trace of: a mutex that a less urgent thread holds while a more urgent
 * one wants it, and one in between computes; a time-out; a timer whose handler gives a semaphore;
 * a mark.
 */
#include <foliot/kernel.h>

#define STACK_SIZE 1024
#define LOW        K_PRIO_PREEMPT(8)
#define MIDDLE     K_PRIO_PREEMPT(6)
#define HIGH       K_PRIO_PREEMPT(4)
#define AT_ONCE    0
#define WORK       400

K_MUTEX_DEFINE(shared);
K_SEM_DEFINE(ticks, 0, 10);
K_SEM_DEFINE(never, 0, 1);

static volatile uint32_t sink;

static void compute(uint32_t rounds)
{
	/* Bound: rounds. */
	for (uint32_t i = 0; i < rounds; i++) {
		sink += i;
	}
}

void stage(int number); /* a mark: not static, and not inline */
__attribute__((noinline)) void stage(int number)
{
	sink = (uint32_t)number;
}

static void expired(struct k_timer *timer)
{
	k_sem_give(&ticks);
}

K_TIMER_DEFINE(beat, expired, NULL);

static void low(void *unused_1, void *unused_2, void *unused_3)
{
	stage(1);
	(void)k_mutex_lock(&shared, K_FOREVER);
	k_msleep(1); /* the others come */
	compute(WORK);
	(void)k_mutex_unlock(&shared);
}

static void middle(void *unused_1, void *unused_2, void *unused_3)
{
	k_msleep(1);
	compute(2 * WORK);
}

static void high(void *unused_1, void *unused_2, void *unused_3)
{
	k_msleep(1);
	(void)k_mutex_lock(&shared, K_FOREVER);
	stage(2);
	(void)k_mutex_unlock(&shared);
}

K_THREAD_DEFINE(low_thread, STACK_SIZE, low, NULL, NULL, NULL, LOW, 0, AT_ONCE);
K_THREAD_DEFINE(middle_thread, STACK_SIZE, middle, NULL, NULL, NULL, MIDDLE, 0, AT_ONCE);
K_THREAD_DEFINE(high_thread, STACK_SIZE, high, NULL, NULL, NULL, HIGH, 0, AT_ONCE);

int main(void)
{
	int result;

	(void)k_thread_join(low_thread, K_FOREVER);
	(void)k_thread_join(middle_thread, K_FOREVER);
	result = k_sem_take(&never, K_MSEC(1));
	k_timer_start(&beat, K_MSEC(1), K_MSEC(1));
	(void)k_sem_take(&ticks, K_FOREVER);
	(void)k_sem_take(&ticks, K_FOREVER);
	k_timer_stop(&beat);
	printk("done at %u\n", k_cycle_get_32());
	k_exit(result == -EAGAIN ? 0 : 1);
}

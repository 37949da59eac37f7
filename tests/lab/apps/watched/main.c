/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What test_watch.py looks at, at whatever moment: a thread that has the CPU for three tenths of
 * the time, one that waits for ever, and a heap of which two blocks are taken.
 */
#include <foliot/kernel.h>

#define STACK_SIZE 1024
#define BUSY_US    300
#define PERIOD_US  1000
#define BLOCK      96

K_HEAP_DEFINE(store, 1024);
K_SEM_DEFINE(never, 0, 1);
K_TIMER_DEFINE(beat, NULL, NULL);

static void work(void *p1, void *p2, void *p3)
{
	k_timer_start(&beat, K_USEC(PERIOD_US), K_USEC(PERIOD_US));
	for (;;) {
		(void)k_timer_status_sync(&beat);
		k_busy_wait(BUSY_US);
	}
}

static void wait(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(&never, K_FOREVER);
}

K_THREAD_DEFINE(worker, STACK_SIZE, work, NULL, NULL, NULL, 5, 0, 0);
K_THREAD_DEFINE(waiter, STACK_SIZE, wait, NULL, NULL, NULL, 6, 0, 0);

int main(void)
{
	void *given = k_heap_alloc(&store, BLOCK, K_NO_WAIT);

	(void)k_heap_alloc(&store, BLOCK, K_NO_WAIT);
	(void)k_heap_alloc(&store, BLOCK, K_NO_WAIT);
	k_heap_free(&store, given);
	(void)k_sem_take(&never, K_FOREVER);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From one periodic thread that has done its work to the next that is ready: the window
 * begins before the call of k_period_wait() in the one and ends after the return from it
 * in the other, as KernelPerf measures its context switch around Kernel.Next.
 */
#include "rows.h"

#define THREADS 16U
#define ROUNDS  4U

static struct k_thread thread[THREADS];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, THREADS, STACK_SIZE);
static struct measure_row row;
static struct {
	uint32_t start;    /* stamp of the one before */
	unsigned int by;   /* which that was */
} last;

static void worker(void *p1, void *p2, void *p3)
{
	unsigned int own = (unsigned int)(uintptr_t)p1;

	for (;;) {
		uint32_t now;

		(void)k_period_wait();
		now = measure_stamp();
		measure_fence_stamp(now);
		if (own != 0) {
			measure_add(&row, last.start, now);
			measure_witness(&row, "another thread", last.by == own - 1U);
			measure_witness(&row, "released", k_trigger_get() == K_TRIGGER_PERIOD);
		}
		last.by = own;
		measure_fence();
		last.start = measure_stamp();
		measure_fence();
	}
}

void rows_hand_over(void)
{
	k_ticks_t first;
	k_ticks_t over;

	measure_row_begin(&row, "periodic.switch",
			  "From k_period_wait() of one thread to the next thread");
	first = (k_ticks_t)k_uptime_ticks() + LEAD_TICKS(THREADS);
	/* Bound: THREADS. */
	for (uintptr_t n = 0; n < THREADS; n++) {
		(void)k_thread_create(&thread[n], stacks[n], STACK_SIZE, worker, (void *)n, NULL,
				      NULL, WORKER_PRIO, 0, K_FOREVER);
		(void)k_thread_period_set_at(&thread[n], K_TICKS(PERIOD_TICKS), first);
		k_thread_start(&thread[n]);
	}
	/* Between two rounds, however long making the threads took: main() would interrupt one. */
	over = first + PERIOD_TICKS * (ROUNDS - 1U) + PERIOD_TICKS / 2U;
	(void)k_sleep(K_TICKS(over - (k_ticks_t)k_uptime_ticks()));
	/* Bound: THREADS. */
	for (unsigned int n = 0; n < THREADS; n++) {
		k_thread_abort(&thread[n]);
	}
	measure_row_end(&row);
}

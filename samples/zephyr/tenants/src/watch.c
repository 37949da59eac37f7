/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watch: the most urgent thread, in kernel mode. A timer's interrupt lets it go on, and it
 * notes by how much that varies. Whatever tenants do meanwhile, it is by no more than the kernel's
 * longest step (docs/kernel.md, suites/interference). The figure is of the core where the clock
 * counts its cycles (ibex); QEMU raises the timer of a Cortex-M late by itself.
 */
#include "tenants.h"

#define PERIOD K_TICKS(1)

static K_SEM_DEFINE(due, 0, 1);
static uint32_t due_at; /* a count of k_cycle_get_32(), but for what that was at tick 0 */
static uint32_t least, latest, times;

static void note_due(struct k_timer *timer)
{
	due_at = k_ticks_to_cyc_near32((uint32_t)(k_timer_expires_ticks(timer) - 1));
	k_sem_give(&due);
}

static K_TIMER_DEFINE(watch_timer, note_due, NULL);

static void watch(void *unused_1, void *unused_2, void *unused_3)
{
	for (;;) {
		uint32_t late;

		(void)k_sem_take(&due, K_FOREVER);
		late = k_cycle_get_32() - due_at;
		latest = times == 0 ? late : MAX(latest, late);
		least = times == 0 ? late : MIN(least, late);
		times++;
	}
}

K_THREAD_DEFINE(watch_thread, 1024, watch, NULL, NULL, NULL, K_HIGHEST_THREAD_PRIO, 0, 0);

void watch_begin(void)
{
	times = 0;
	k_timer_start(&watch_timer, PERIOD, PERIOD);
}

void watch_tell(const char *beside)
{
	k_timer_stop(&watch_timer);
	printk("the watch, %s: %u times, at most %u cycles later than at its earliest\n", beside,
	       times, latest - least);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interrupt handler that hands its work to a thread.
 *
 * A handler should be short: it takes from the device what would be lost, gives a
 * semaphore and returns. The worker, the most urgent thread there is, waits for that
 * semaphore, so it runs in the moment the handler returns, before what was
 * interrupted goes on, and may take its time, block, and use the whole kernel.
 *
 * The device, a counter of pulses, is played by a timer and by the board's software
 * interrupt line: every 10 ms three pulses "arrive" and the line is raised. Should the
 * handler come late, it finds more of them, and none is lost.
 */
#include <foliot/kernel.h>
#include <drivers/soft_irq.h>
#include <board.h>

#define PULSES_WANTED   30U
#define WORKER_PRIORITY K_PRIO_PREEMPT(0)

K_SEM_DEFINE(work, 0, 1);

static volatile uint32_t device_pulses; /* since the handler read it */
static volatile uint32_t received;      /* the handler's sum */

/* Handler: must lower its line before it returns. */
static void on_pulses(const void *unused)
{
	soft_irq_clear();
	received += device_pulses;
	device_pulses = 0;
	k_sem_give(&work);
}

static void worker_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: one round an interrupt, until there were enough pulses. */
	while (received < PULSES_WANTED) {
		(void)k_sem_take(&work, K_FOREVER);
		printk("%3d ms: %u pulses\n", (int)k_uptime_get(), received);
	}
}

K_THREAD_DEFINE(worker, 1024, worker_entry, NULL, NULL, NULL, WORKER_PRIORITY, 0, 0);

/* The device. A timer's function runs in an interrupt too. */
static void pulse(struct k_timer *timer)
{
	device_pulses += 3;
	soft_irq_raise();
}

K_TIMER_DEFINE(device, pulse, NULL);

int main(void)
{
	IRQ_CONNECT(BOARD_SOFT_IRQ, 0, on_pulses, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
	k_timer_start(&device, K_MSEC(10), K_MSEC(10));

	(void)k_thread_join(worker, K_FOREVER);
	k_timer_stop(&device);
	printk("%u pulses in all\n", received);
	k_exit(received % 3 == 0 && received >= PULSES_WANTED ? 0 : 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long calls that copy or wake much keep an interrupt waiting: an alarm comes at one moment
 * of the call, then STEP cycles later in the next one, until the call is over. Printed is the
 * longest from due to the handler's first line; what a handler needs where nothing is masked is
 * in it, and printed too.
 *
 * The waiters are more urgent, so that the broadcast has them all lock the mutex in turn and
 * wait again before it returns, which is measured with it.
 *
 * The timer line is this program's, so time stands still for the kernel.
 */
#include <board.h>
#include <foliot/kernel.h>
#include "drivers/timer.h"

#define STEP    24 /* cycles of the timer */
#define AHEAD   400 /* the first alarm, from its being set: after the call has begun or before */
#define BYTES   4096
#define WAITERS 64

static struct k_msgq queue;
static char ring[2 * BYTES] __aligned(4);
static char message[BYTES] __aligned(4);
static struct k_condvar condvar;
static struct k_mutex mutex;
static struct k_thread threads[WAITERS];
K_THREAD_STACK_ARRAY_DEFINE(stacks, WAITERS, 512);
static uint32_t due;
static volatile uint32_t late;
static volatile bool served;

static void alarm_isr(const void *arg)
{
	late = timer_cycles() - due;
	timer_alarm(timer_cycles() + (1U << 30));
	served = true;
}

static void put(void)
{
	(void)k_msgq_put(&queue, message, K_NO_WAIT);
}

static void get(void)
{
	(void)k_msgq_get(&queue, message, K_NO_WAIT);
}

static void broadcast(void)
{
	(void)k_condvar_broadcast(&condvar);
}

static void idle(void)
{
	for (volatile int i = 0; i < 100; i++) {
	}
}

static void wait(void *p1, void *p2, void *p3)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	for (;;) {
		(void)k_condvar_wait(&condvar, &mutex, K_SECONDS(3600));
	}
}

static void nothing(void)
{
}

static void measure(const char *name, void (*before)(void), void (*call)(void))
{
	uint32_t worst = 0;
	uint32_t ended;
	unsigned int runs = 0;

	do { /* Bound: the length of the call in steps. */
		unsigned int key;

		before();
		served = false;
		key = irq_lock();
		due = timer_cycles() + AHEAD + runs * STEP;
		timer_alarm(due);
		irq_unlock(key);
		call();
		ended = timer_cycles();
		while (!served) {
		}
		worst = MAX(worst, late);
		runs++;
	} while ((int32_t)(ended - due) > 0);
	printk("%-44s %5u of the timer's cycles, %u alarms\n", name, (unsigned int)worst, runs);
}

int main(void)
{
	k_msgq_init(&queue, ring, BYTES, 2);
	(void)k_condvar_init(&condvar);
	(void)k_mutex_init(&mutex);
	k_thread_priority_set(k_current_get(), 10);
	for (int i = 0; i < WAITERS; i++) {
		(void)k_thread_create(&threads[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]),
				      wait, NULL, NULL, NULL, 5, 0, K_NO_WAIT);
	}
	(void)irq_connect_dynamic(BOARD_TIMER_IRQ, 0, alarm_isr, NULL, 0);
	measure("nothing masked", nothing, idle);
	measure("k_msgq_put() of 4 KiB", get, put);
	measure("k_msgq_get() of 4 KiB", put, get);
	measure("k_condvar_broadcast() to 64 timed waiters", nothing, broadcast);
	k_exit(0);
}

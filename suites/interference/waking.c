/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that wake many, or pass many who wait. */
#include "interference.h"

static K_SEM_DEFINE(sem, 0, 1);
static K_MUTEX_DEFINE(mutex);
static K_CONDVAR_DEFINE(condvar);
static K_EVENT_DEFINE(event);
static struct k_timer timer;
K_APP_BMEM(attack_memory)
static struct k_futex futexes[9]; /* the first and the last share a queue of the kernel's */

/* ---- what waits ---- */

static void take(int helper)
{
	for (;;) {
		(void)k_sem_take(&sem, K_FOREVER);
	}
}

static void await_second_bit(int helper)
{
	for (;;) {
		(void)k_event_wait(&event, 2, false, K_FOREVER);
	}
}

static void await_first_bit(int helper)
{
	for (;;) {
		(void)k_event_wait_safe(&event, 1, false, K_FOREVER);
	}
}

static void await_condvar(int helper)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	for (;;) {
		(void)k_condvar_wait(&condvar, &mutex, K_FOREVER);
	}
}

static void await_futex(int helper)
{
	for (;;) {
		(void)k_futex_wait(&futexes[0], 0, K_FOREVER);
	}
}

static void await_other_futex(int helper)
{
	for (;;) {
		(void)k_futex_wait(&futexes[8], 0, K_FOREVER);
	}
}

static void poll(int helper)
{
	for (;;) {
		struct k_poll_event polled = K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SEM_AVAILABLE, 0,
								      &sem);

		(void)k_poll(&polled, 1, K_FOREVER);
	}
}

static void await_timer(int helper)
{
	for (;;) {
		(void)k_timer_status_sync(&timer);
		attack_rest();
	}
}

/* ---- the calls ---- */

static void reset_sem(void)
{
	k_sem_reset(&sem);
}

static void post(void)
{
	(void)k_event_post(&event, 1);
}

static void clear_bits(void)
{
	(void)k_event_clear(&event, 1);
}

static void broadcast(void)
{
	(void)k_condvar_broadcast(&condvar);
}

static void wake_futex(void)
{
	(void)k_futex_wake(&futexes[0], true);
}

static void poll_once(void)
{
	struct k_poll_event polled[4];

	for (int i = 0; i < 4; i++) {
		k_poll_event_init(&polled[i], K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY,
				  &sem);
	}
	(void)k_poll(polled, 4, K_NO_WAIT);
}

static void stop_timer(void)
{
	k_timer_stop(&timer);
}

static void start_timer(void)
{
	k_timer_start(&timer, K_TICKS(1 << 20), K_NO_WAIT);
	attack_end_rest();
}

static void admit(k_tid_t thread)
{
	k_thread_access_grant(thread, &sem, &mutex, &condvar, &event, &timer);
}

static void begin(void)
{
	k_timer_init(&timer, NULL, NULL);
}

static const struct attack attacks[] = {
	{"interference.sem.reset", "k_sem_reset(), 24 wait", NULL, take, NULL, reset_sem},
	{"interference.event.pass", "k_event_post() of a bit that none of 24 waits for", NULL,
	 await_second_bit, clear_bits, post},
	{"interference.event.wake", "k_event_post() of a bit that 24 wait for", NULL,
	 await_first_bit, clear_bits, post},
	{"interference.condvar", "k_condvar_broadcast() to 24", NULL, await_condvar, NULL,
	 broadcast},
	{"interference.futex.wake", "k_futex_wake() of 24", NULL, await_futex, NULL, wake_futex},
	{"interference.futex.pass", "k_futex_wake() past 24 at another", NULL, await_other_futex,
	 NULL, wake_futex},
	{"interference.poll", "k_poll(), 24 poll", NULL, poll, NULL, poll_once},
	{"interference.timer.stop", "k_timer_stop(), 24 wait for it", NULL, await_timer,
	 start_timer, stop_timer},
};
const struct attack_group attacks_waking = {attacks, ARRAY_SIZE(attacks), begin, admit};

/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that tell each other: semaphores, mutexes, events, polling, timers, work. */
#include "soak.h"

/* ---- semaphore: a handler gives, two take ---- */

K_SEM_DEFINE(sem, 0, 5);
static uint32_t given, taken;

static void sem_of_timer(struct k_timer *timer)
{
	if (k_sem_count_get(&sem) < 5U) {
		given++;
		k_sem_give(&sem);
	}
}

static K_TIMER_DEFINE(sem_timer, sem_of_timer, NULL);

static void sem_taker(void *p1, void *p2, void *p3)
{
	uint32_t state = 40U + (uint32_t)(uintptr_t)p1;

	while (!soak_ends) {
		if (k_sem_take(&sem, random_wait(&state)) == 0) {
			unsigned int key = irq_lock();

			taken++;
			load_sem.done++;
			irq_unlock(key);
		}
	}
}

static void sem_begin(void)
{
	soak_start(sem_taker, (void *)0, 4);
	soak_start(sem_taker, (void *)1, 8);
	k_timer_start(&sem_timer, K_TICKS(1), K_TICKS(1));
}

static void sem_end(void)
{
	k_timer_stop(&sem_timer);
	HOLDS(given == taken + k_sem_count_get(&sem));
}

struct load load_sem = {"sem", sem_begin, NULL, sem_end, 0};

/* ---- a semaphore at the largest limit there is ---- */

K_SEM_DEFINE(limit, K_SEM_MAX_LIMIT - 3U, K_SEM_MAX_LIMIT);

static void limit_begin(void)
{
	HOLDS(k_sem_count_get(&limit) == K_SEM_MAX_LIMIT - 3U);
}

static void limit_round(void)
{
	for (unsigned int i = 0; i < 5; i++) {
		k_sem_give(&limit); /* the last two are too many */
	}
	HOLDS(k_sem_count_get(&limit) == K_SEM_MAX_LIMIT);
	for (unsigned int i = 0; i < 3; i++) {
		HOLDS(k_sem_take(&limit, K_NO_WAIT) == 0);
	}
	HOLDS(k_sem_count_get(&limit) == K_SEM_MAX_LIMIT - 3U);
	load_limit.done++;
}

struct load load_limit = {"limit", limit_begin, limit_round, limit_begin, 0};

/* ---- mutex and condition: three of different priority share two words ---- */

K_MUTEX_DEFINE(mutex);
K_CONDVAR_DEFINE(changed);
static uint32_t shared, copy;

static void mutex_user(void *p1, void *p2, void *p3)
{
	int prio = k_thread_priority_get(k_current_get());
	uint32_t state = 50U + (uint32_t)prio;

	while (!soak_ends) {
		if (k_mutex_lock(&mutex, random_wait(&state)) != 0) {
			continue;
		}
		HOLDS(shared == copy);
		shared++;
		random_pause(&state);
		copy++;
		HOLDS(shared == copy && mutex.owner == k_current_get());
		if (random_next(&state) % 8U == 0) {
			(void)k_condvar_wait(&changed, &mutex, random_wait(&state));
		}
		(void)k_condvar_signal(&changed);
		load_mutex.done++;
		HOLDS(k_mutex_unlock(&mutex) == 0);
		HOLDS(k_thread_priority_get(k_current_get()) == prio);
		random_pause(&state);
	}
}

static void mutex_begin(void)
{
	for (int i = 0; i < 3; i++) {
		soak_start(mutex_user, NULL, 4 + 2 * i);
	}
}

static void mutex_end(void)
{
	HOLDS(shared == copy && mutex.owner == NULL);
}

struct load load_mutex = {"mutex", mutex_begin, NULL, mutex_end, 0};

/* ---- events: two that call each other ---- */

K_EVENT_DEFINE(event);

static void event_user(void *p1, void *p2, void *p3)
{
	uint32_t own = 1U << (uintptr_t)p1, other = 3U - own, state = 45U + own;

	while (!soak_ends) {
		if (k_event_wait_safe(&event, own, false, K_TICKS(5)) != 0) {
			load_event.done++;
			random_pause(&state);
			(void)k_event_post(&event, other);
		}
	}
	(void)k_event_post(&event, other);
}

static void event_begin(void)
{
	soak_start(event_user, (void *)0, 3);
	soak_start(event_user, (void *)1, 6);
	(void)k_event_post(&event, 1);
}

static void event_end(void)
{
	HOLDS(k_event_test(&event, 3) != 0); /* the ball is somewhere */
}

struct load load_event = {"event", event_begin, NULL, event_end, 0};

/* ---- polling, by a thread: a semaphore and a signal that handlers give ---- */

K_SEM_DEFINE(polled, 0, 1000);
static struct k_poll_signal raised = K_POLL_SIGNAL_INITIALIZER(raised);
static uint32_t polls_given, polls_got;

static void poll_of_timer(struct k_timer *timer)
{
	polls_given++;
	k_sem_give(&polled);
	if (polls_given % 4U == 0) {
		(void)k_poll_signal_raise(&raised, (int)(polls_given & 0xffffU));
	}
}

static K_TIMER_DEFINE(poll_timer, poll_of_timer, NULL);

static void poller(void *p1, void *p2, void *p3)
{
	struct k_poll_event events[2];

	k_poll_event_init(&events[0], K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &polled);
	k_poll_event_init(&events[1], K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &raised);
	while (!soak_ends) {
		events[0].state = K_POLL_STATE_NOT_READY;
		events[1].state = K_POLL_STATE_NOT_READY;
		if (k_poll(events, 2, K_TICKS(20)) != 0) {
			continue;
		}
		HOLDS(events[0].state != 0 || events[1].state != 0);
		if (events[1].state == K_POLL_STATE_SIGNALED) {
			k_poll_signal_reset(&raised);
		}
		while (k_sem_take(&polled, K_NO_WAIT) == 0) {
			polls_got++;
			load_poll.done++;
		}
	}
}

static void poll_begin(void)
{
	soak_start(poller, NULL, 5);
	k_timer_start(&poll_timer, K_TICKS(3), K_TICKS(3));
}

static void poll_end(void)
{
	k_timer_stop(&poll_timer);
	HOLDS(polls_given == polls_got + k_sem_count_get(&polled));
}

struct load load_poll = {"poll", poll_begin, NULL, poll_end, 0};

/* ---- timers: each expires on each of its ticks ---- */

#define PERIOD 7

static uint32_t expired, timer_begun;

static void timer_expires(struct k_timer *timer)
{
	expired++;
	HOLDS((uint32_t)k_uptime_ticks() - timer_begun >= expired * PERIOD);
}

static K_TIMER_DEFINE(timer, timer_expires, NULL);

static void timer_begin(void)
{
	unsigned int key = irq_lock();

	k_timer_start(&timer, K_TICKS(PERIOD), K_TICKS(PERIOD));
	timer_begun = (uint32_t)k_uptime_ticks();
	irq_unlock(key);
}

static void timer_round(void)
{
	unsigned int key = irq_lock();
	uint32_t passed = (uint32_t)k_uptime_ticks() - timer_begun;

	/* None was lost: one may be due, and a duration's first tick is not whole. */
	HOLDS(expired + 1U >= passed / PERIOD - (passed >= PERIOD));
	load_timer.done = expired;
	irq_unlock(key);
}

static void timer_end(void)
{
	timer_round();
	k_timer_stop(&timer);
}

struct load load_timer = {"timer", timer_begin, timer_round, timer_end, 0};

/* ---- work: of a handler, and delayed ---- */

static uint32_t submitted, worked, delays, delayed;

static void work_runs(struct k_work *work)
{
	worked++;
}

static void delayed_runs(struct k_work *work)
{
	delayed++;
	load_work.done++;
}

static K_WORK_DEFINE(work, work_runs);
static K_WORK_DELAYABLE_DEFINE(later, delayed_runs);

static void work_of_timer(struct k_timer *of)
{
	submitted += k_work_submit(&work) > 0;
	delays += k_work_schedule(&later, K_TICKS(submitted % 5U)) > 0;
}

static K_TIMER_DEFINE(work_timer, work_of_timer, NULL);

static void work_begin(void)
{
	k_timer_start(&work_timer, K_TICKS(2), K_TICKS(2));
}

static void work_end(void)
{
	k_timer_stop(&work_timer);
	(void)k_sleep(K_TICKS(20));
	HOLDS(submitted == worked && delays == delayed && worked != 0);
	HOLDS(k_work_busy_get(&work) == 0 && k_work_delayable_busy_get(&later) == 0);
}

struct load load_work = {"work", work_begin, NULL, work_end, 0};

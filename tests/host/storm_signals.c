/* SPDX-License-Identifier: Apache-2.0 */
/* Storms over semaphores, mutexes with condition variables, events, timers and threads. */
#include "model.h"
#include "storm.h"

static void nothing(void)
{
}

/* ---- semaphores: every token given is taken once, or is in the count ---- */

static struct k_sem sem;
static long tokens;

static void sem_init(void)
{
	(void)k_sem_init(&sem, 0, K_SEM_MAX_LIMIT);
}

static void give(void)
{
	unsigned int key = irq_lock();

	tokens++;
	irq_unlock(key);
	k_sem_give(&sem);
}

static void take(k_timeout_t timeout)
{
	if (k_sem_take(&sem, timeout) == 0) {
		unsigned int key = irq_lock();

		tokens--;
		irq_unlock(key);
	}
}

static void sem_in_thread(int self)
{
	if (one_in(2)) {
		give();
	} else {
		take(storm_timeout());
	}
}

static void sem_in_isr(void)
{
	if (one_in(2)) {
		give();
	} else {
		take(K_NO_WAIT);
	}
}

static void sem_at_rest(void)
{
	CHECK(storm_check_waiters(&sem.wait_q) == 0 || sem.count == 0);
}

static void sem_end(void)
{
	CHECK(tokens == (long)k_sem_count_get(&sem));
}

const struct storm_job storm_sem = {
	"sem", sem_init, sem_in_thread, sem_in_isr, sem_at_rest, sem_end,
};

/* ---- mutexes: one thread inside, whatever it does there ---- */

#define MUTEXES 2

static struct k_mutex mutexes[MUTEXES];
static struct k_condvar condvar;
static int inside[MUTEXES];

static void mutex_init(void)
{
	for (int i = 0; i < MUTEXES; i++) {
		(void)k_mutex_init(&mutexes[i]);
		inside[i] = NOBODY;
	}
	(void)k_condvar_init(&condvar);
}

static void inside_mutex(int self, int i)
{
	switch (random_below(5)) {
	case 0:
		(void)k_sleep(K_TICKS(1));
		break;
	case 1:
		k_yield();
		break;
	case 2:
		(void)k_condvar_signal(&condvar);
		break;
	case 3:
		inside[i] = NOBODY;
		(void)k_condvar_wait(&condvar, &mutexes[i], storm_timeout());
		CHECK(inside[i] == NOBODY);
		inside[i] = self;
		break;
	default:
		break;
	}
}

static void mutex_in_thread(int self)
{
	int i = (int)random_below(MUTEXES);

	if (k_mutex_lock(&mutexes[i], storm_timeout()) != 0) {
		return;
	}
	CHECK(mutexes[i].owner == k_current_get());
	CHECK(inside[i] == NOBODY || inside[i] == self);
	if (inside[i] == self) { /* came here by mutex_in_thread(): a second lock */
		CHECK(k_mutex_unlock(&mutexes[i]) == 0);
		return;
	}
	inside[i] = self;
	inside_mutex(self, i);
	if (one_in(2)) {
		mutex_in_thread(self);
	}
	CHECK(inside[i] == self);
	inside[i] = NOBODY;
	CHECK(k_mutex_unlock(&mutexes[i]) == 0);
}

static void mutex_in_isr(void)
{
	if (one_in(2)) {
		(void)k_condvar_broadcast(&condvar);
	} else {
		(void)k_condvar_signal(&condvar);
	}
}

static void mutex_at_rest(void)
{
	for (int i = 0; i < MUTEXES; i++) {
		int waiters = storm_check_waiters(&mutexes[i].wait_q);

		CHECK(waiters == 0 || mutexes[i].owner != NULL);
		CHECK(waiters == 0 || mutexes[i].owner->prio <= mutexes[i].wait_q.head->prio);
		CHECK((mutexes[i].owner == NULL) == (mutexes[i].generation == 0));
		CHECK(mutexes[i].owner == NULL || mutexes[i].lock_count != 0);
	}
	(void)storm_check_waiters(&condvar.wait_q);
}

static void mutex_end(void)
{
	for (int i = 0; i < MUTEXES; i++) {
		CHECK(mutexes[i].owner == NULL);
	}
	for (int i = 0; i < STORM_THREADS; i++) {
		CHECK(storm_threads[i].contended == NULL);
	}
}

const struct storm_job storm_mutex = {
	"mutex", mutex_init, mutex_in_thread, mutex_in_isr, mutex_at_rest, mutex_end,
};

/* ---- events: nobody waits for what is there ---- */

static struct k_event event;

static void event_init(void)
{
	k_event_init(&event);
}

static void event_change(void)
{
	uint32_t flags = random_below(16);

	switch (random_below(4)) {
	case 0:
		(void)k_event_post(&event, flags);
		break;
	case 1:
		(void)k_event_set(&event, flags);
		break;
	case 2:
		(void)k_event_set_masked(&event, flags, random_below(16));
		break;
	default:
		(void)k_event_clear(&event, flags);
		break;
	}
}

static void event_in_thread(int self)
{
	uint32_t flags = 1 + random_below(15);
	uint32_t found;

	switch (random_below(5)) {
	case 0:
		found = k_event_wait(&event, flags, one_in(8), storm_timeout());
		CHECK((found & ~flags) == 0);
		break;
	case 1:
		found = k_event_wait_all(&event, flags, one_in(8), storm_timeout());
		CHECK(found == 0 || found == flags);
		break;
	case 2:
		found = k_event_wait_safe(&event, flags, false, storm_timeout());
		CHECK((found & ~flags) == 0);
		break;
	default:
		event_change();
		break;
	}
}

static void event_at_rest(void)
{
	const struct k_thread *first = event.wait_q.head;
	const struct k_thread *t = first;

	if (storm_check_waiters(&event.wait_q) == 0) {
		return;
	}
	do {
		bool all = (t->wait_flags & 1) != 0;
		uint32_t found = event.events & t->wake_data;

		CHECK(all ? found != t->wake_data : found == 0);
		t = t->next;
	} while (t != first);
}

const struct storm_job storm_event = {
	"event", event_init, event_in_thread, event_change, event_at_rest, nothing,
};

/* ---- timers: every expiry is counted ---- */

static struct k_timer timer;
static long expiries;
static long counted;

static void on_expiry(struct k_timer *t)
{
	CHECK(k_is_in_isr());
	expiries++;
}

static void timer_init_job(void)
{
	k_timer_init(&timer, on_expiry, NULL);
}

/* Starting clears the status, so what is in it is counted before, in the same step. */
static void restart(void)
{
	unsigned int key = irq_lock();

	counted += k_timer_status_get(&timer);
	k_timer_start(&timer, K_TICKS(random_below(4)), K_TICKS(random_below(3)));
	irq_unlock(key);
}

static void count_status(void)
{
	unsigned int key = irq_lock();

	counted += k_timer_status_get(&timer);
	irq_unlock(key);
}

static void timer_in_isr(void)
{
	switch (random_below(4)) {
	case 0:
		restart();
		break;
	case 1:
		k_timer_stop(&timer);
		break;
	default:
		count_status();
		break;
	}
}

static void timer_in_thread(int self)
{
	timer_in_isr();
}

static void timer_end(void)
{
	k_timer_stop(&timer);
	count_status();
	CHECK(counted == expiries);
}

const struct storm_job storm_timer = {
	"timer", timer_init_job, timer_in_thread, timer_in_isr, nothing, timer_end,
};

/* ---- threads: suspended, resumed, woken, moved by anybody at any time ---- */

static void disturb(void)
{
	struct k_thread *thread = &storm_threads[random_below(STORM_THREADS)];

	switch (random_below(6)) {
	case 0:
		k_thread_suspend(thread);
		break;
	case 1:
	case 2:
		k_thread_resume(thread);
		break;
	case 3:
		k_wakeup(thread);
		break;
	default:
		k_thread_priority_set(thread, random_prio());
		break;
	}
}

static void thread_in_thread(int self)
{
	switch (random_below(6)) {
	case 0:
		k_yield();
		break;
	case 1:
		(void)k_sleep(K_TICKS(3));
		break;
	case 2:
		k_sched_lock();
		disturb();
		k_sched_unlock();
		break;
	case 3:
		(void)k_thread_join(&storm_threads[random_below(STORM_THREADS)], storm_timeout());
		break;
	default:
		disturb();
		break;
	}
	CHECK(k_current_get() == &storm_threads[self]);
}

static void thread_at_rest(void)
{
	for (int i = 0; i < STORM_THREADS; i++) {
		(void)storm_check_waiters(&storm_threads[i].joiners);
	}
}

const struct storm_job storm_thread = {
	"thread", nothing, thread_in_thread, disturb, thread_at_rest, nothing,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* Storms over what is polled, a semaphore, a queue and a signal at once, and over futexes. */
#include "model.h"
#include "storm.h"

/* ---- polling: what was put is got once, whoever is told of it ---- */

#ifdef CONFIG_POLL

#define ITEMS 4

static struct k_sem sem;
static struct k_queue queue;
static struct k_poll_signal signal;
static uintptr_t items[ITEMS];
static bool is_put[ITEMS];
static long tokens;

static void poll_init_job(void)
{
	(void)k_sem_init(&sem, 0, K_SEM_MAX_LIMIT);
	k_queue_init(&queue);
	k_poll_signal_init(&signal);
}

static void give(void)
{
	unsigned int key = irq_lock();

	tokens++;
	irq_unlock(key);
	k_sem_give(&sem);
}

static void take(void)
{
	unsigned int key = irq_lock();

	if (k_sem_take(&sem, K_NO_WAIT) == 0) {
		tokens--;
	}
	irq_unlock(key);
}

static void put(void)
{
	unsigned int key = irq_lock();
	int i = (int)random_below(ITEMS);

	if (!is_put[i]) {
		is_put[i] = true;
		k_queue_append(&queue, &items[i]);
	}
	irq_unlock(key);
}

static void get(k_timeout_t timeout)
{
	const uintptr_t *item = k_queue_get(&queue, timeout);

	if (item != NULL) {
		unsigned int key = irq_lock();

		CHECK(is_put[item - items]);
		is_put[item - items] = false;
		irq_unlock(key);
	}
}

static void poll_all(void)
{
	struct k_poll_event events[3];
	int count = 1 + (int)random_below(3);
	int result;

	k_poll_event_init(&events[0], K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &sem);
	k_poll_event_init(&events[1], K_POLL_TYPE_DATA_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &queue);
	k_poll_event_init(&events[2], K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &signal);
	result = k_poll(events, count, storm_timeout());
	CHECK(result == 0 || result == -EAGAIN || result == -EINTR);
	for (int i = 0, come = 0; i < count; i++) {
		CHECK(events[i].pollers == NULL); /* it is nowhere any more */
		come += events[i].state != K_POLL_STATE_NOT_READY;
		CHECK(i != count - 1 || (come != 0) == (result != -EAGAIN));
	}
	take();
	get(K_NO_WAIT);
	k_poll_signal_reset(&signal);
}

static void poll_in_isr(void)
{
	switch (random_below(6)) {
	case 0:
		take();
		break;
	case 1:
		k_queue_cancel_wait(&queue);
		break;
	case 2:
		(void)k_poll_signal_raise(&signal, 1);
		break;
	case 3:
		put();
		break;
	default:
		give();
		break;
	}
}

static void poll_in_thread(int self)
{
	switch (random_below(4)) {
	case 0:
		poll_in_isr();
		break;
	case 1:
		get(storm_timeout());
		break;
	default:
		poll_all();
		break;
	}
}

/* Those in their places are in order; who is in a list polls, or is the one that leaves: it has none. */
void storm_check_pollers(struct k_poll_event *const *pollers)
{
	const struct k_poll_event *event = *pollers;
	const struct k_poller *leaving = NULL;
	int prio = INT32_MIN;

	/* Bound: the threads' events. */
	while (event != NULL) {
		const struct k_poller *poller = event->poller;

		CHECK(event->pollers == pollers);
		CHECK(event->next->prev == event && event->prev->next == event);
		CHECK(poller->is_polling || leaving == NULL || leaving == poller);
		leaving = poller->is_polling ? leaving : poller;
		if (poller->is_polling && poller->event != event) {
			CHECK(poller->prio >= prio);
			prio = poller->prio;
		}
		event = event->next == *pollers ? NULL : event->next;
	}
}

static void poll_at_rest(void)
{
	storm_check_pollers(&sem.pollers);
	storm_check_pollers(&queue.pollers);
	storm_check_pollers(&signal.pollers);
}

static void poll_end_job(void)
{
	CHECK(sem.pollers == NULL && queue.pollers == NULL && signal.pollers == NULL);
	CHECK(tokens == (long)k_sem_count_get(&sem));
	while (k_queue_is_empty(&queue) == 0) {
		get(K_NO_WAIT);
	}
	for (int i = 0; i < ITEMS; i++) {
		CHECK(!is_put[i]);
	}
}

const struct storm_job storm_poll = {
	"poll", poll_init_job, poll_in_thread, poll_in_isr, poll_at_rest, poll_end_job,
};

#endif

/* ---- futexes: semaphores made of two of them, that share a wait queue of the kernel's ---- */

#define SHARED 8 /* of the kernel's queues, by the address */

static struct k_futex futexes[SHARED + 1];
static atomic_t given[SHARED + 1];

static int either(void)
{
	return one_in(2) ? 0 : SHARED;
}

static void futex_give(int i)
{
	int woken;

	(void)atomic_inc(&given[i]);
	(void)atomic_inc(&futexes[i].val);
	woken = k_futex_wake(&futexes[i], one_in(3));
	CHECK(woken >= 0 && woken <= STORM_THREADS);
}

/* Returns whether there was one. */
static bool futex_take_now(int i)
{
	atomic_val_t value = atomic_get(&futexes[i].val);

	while (value != 0 && !atomic_cas(&futexes[i].val, value, value - 1)) {
		value = atomic_get(&futexes[i].val);
	}
	if (value != 0) {
		(void)atomic_dec(&given[i]);
	}
	return value != 0;
}

static void futex_nothing(void)
{
}

static void futex_take(int i, k_timeout_t timeout)
{
	int result = 0;

	while (!futex_take_now(i) && (result == 0 || result == -EAGAIN)) {
		result = k_futex_wait(&futexes[i], 0, timeout);
		CHECK(result == 0 || result == -EAGAIN || result == -ETIMEDOUT);
	}
}

static void futex_in_thread(int self)
{
	if (one_in(2)) {
		futex_give(either());
	} else {
		futex_take(either(), storm_timeout());
	}
}

static void futex_in_isr(void)
{
	if (one_in(2)) {
		futex_give(either());
	} else {
		(void)futex_take_now(either());
	}
}

static void futex_end(void)
{
	CHECK(atomic_get(&given[0]) == atomic_get(&futexes[0].val));
	CHECK(atomic_get(&given[SHARED]) == atomic_get(&futexes[SHARED].val));
	CHECK(k_futex_wake(&futexes[0], true) == 0 && k_futex_wake(&futexes[SHARED], true) == 0);
}

const struct storm_job storm_futex = {
	"futex", futex_nothing, futex_in_thread, futex_in_isr, futex_nothing, futex_end,
};

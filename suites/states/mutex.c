/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes: free, held by the caller, held by another; contended, with an owner that inherits,
 * one that has inherited already, and one that waits itself for another owner (a chain).
 *
 * Contention is a round of two threads: the holder lets the contender run, which locks and
 * blocks; the window of that ends when the holder's call has returned. The holder unlocks;
 * that window ends when the contender's lock has returned. As in measure_pair() a thread adds
 * the sample that its own window begins, when that is over.
 */
#include "states.h"

#define CONTENDER_PRIO (STATES_PRIO - 3)
#define MIDDLE_PRIO    (STATES_PRIO - 2)

static K_MUTEX_DEFINE(mutex);
static K_MUTEX_DEFINE(middles); /* in a chain: the contender waits for it, its owner for `mutex` */
static struct k_mutex *wanted = &mutex;

MEASURE_WINDOW(lock, result = k_mutex_lock(&mutex, K_FOREVER))
MEASURE_WINDOW(lock_now, result = k_mutex_lock(&mutex, K_NO_WAIT))
MEASURE_WINDOW(unlock, result = k_mutex_unlock(&mutex))
MEASURE_WINDOW(lock_wanted, result = k_mutex_lock(wanted, K_FOREVER))
MEASURE_WINDOW(lock_timed, result = k_mutex_lock(&mutex, K_SECONDS(100)))

/* ---- nobody waits ---- */

static void lock_it(void)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
}

static void free_it(void)
{
	/* Bound: the locks of a round. */
	while (k_mutex_unlock(&mutex) == 0 && mutex.owner != NULL) {
	}
}

static void hold_it(void)
{
	if (mutex.owner == NULL) {
		lock_it();
	}
}

static void locked(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "locked", result == 0 && mutex.owner == k_current_get());
	free_it();
}

static void unlocked(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "unlocked", result == 0 && mutex.owner == NULL);
}

static void hold_twice(void)
{
	lock_it();
	lock_it();
}

static void unlocked_once(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "unlocked_once", result == 0 && mutex.lock_count == 1);
	free_it();
}

static void refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -EBUSY && mutex.owner != k_current_get());
}

static struct k_thread keeper;
static K_THREAD_STACK_DEFINE(keeper_stack, 1024);

static void keeper_entry(void *unused_1, void *unused_2, void *unused_3)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	k_thread_suspend(k_current_get());
	(void)k_mutex_unlock(&mutex);
}

static void measure_alone(void)
{
	states_single(&(struct measure_operation){"mutex.lock.immediate.first.kernel",
						  "Lock a free mutex", lock, NULL, locked},
		      CALLERS_THREADS);
	states_single(&(struct measure_operation){"mutex.lock.immediate.recursive.kernel",
						  "Lock a mutex again", lock, hold_it, locked},
		      CALLERS_THREADS);
	states_single(&(struct measure_operation){"mutex.unlock.immediate.recursive.kernel",
						  "Unlock a mutex, not for good", unlock,
						  hold_twice, unlocked_once},
		      CALLERS_THREADS);
	states_single(&(struct measure_operation){"mutex.unlock.immediate.last.kernel",
						  "Unlock a mutex for good", unlock, lock_it,
						  unlocked},
		      CALLERS_THREADS);
	(void)k_thread_create(&keeper, keeper_stack, K_THREAD_STACK_SIZEOF(keeper_stack),
			      keeper_entry, NULL, NULL, NULL, CONTENDER_PRIO, 0, K_NO_WAIT);
	states_single(&(struct measure_operation){"mutex.lock.refused.kernel",
						  "Lock another's mutex, not waiting", lock_now,
						  NULL, refused},
		      CALLERS_THREADS);
	k_thread_resume(&keeper);
}

/* ---- somebody waits ---- */

enum shape {
	SHAPE_PLAIN,
	SHAPE_TIMED, /* the contender's wait has a time-out */
	SHAPE_BOOSTED, /* another waits already: the owner has inherited */
	SHAPE_SECOND, /* the owner has inherited by another mutex, too, and keeps that */
	SHAPE_CHAIN, /* the owner waits for another owner */
};

static const struct contention {
	const char *lock_name;
	const char *unlock_name;
	enum caller lock_caller;
	enum caller unlock_caller;
	enum shape shape;
} contentions[] = {
	{"unqueued", "queued", CALLER_UNQUEUED, CALLER_QUEUED, SHAPE_PLAIN},
	{"queued", "unqueued", CALLER_QUEUED, CALLER_UNQUEUED, SHAPE_PLAIN},
	{"unqueued.timed", "queued.timed", CALLER_UNQUEUED, CALLER_QUEUED, SHAPE_TIMED},
	{"unqueued.owner_boosted", "queued.two", CALLER_UNQUEUED, CALLER_QUEUED, SHAPE_BOOSTED},
	{"queued.owner_boosted", "unqueued.two", CALLER_QUEUED, CALLER_UNQUEUED, SHAPE_BOOSTED},
	{"unqueued.second_mutex", "queued.second_mutex", CALLER_UNQUEUED, CALLER_QUEUED,
	 SHAPE_SECOND},
	{"unqueued.chain_of_two", NULL, CALLER_UNQUEUED, CALLER_QUEUED, SHAPE_CHAIN},
};

static const struct contention *contention;
static struct measure_row lock_row;
static struct measure_row unlock_row;
static struct measure_window contender_window;
static struct measure_window letting_window; /* the holder's, which lets the contender run */
static struct measure_window holder_window;
static K_SEM_DEFINE(go, 0, 1);
static bool contender_was_so;
static volatile uint32_t rounds;

static struct k_thread contender;
static struct k_thread other;
static K_THREAD_STACK_DEFINE(contender_stack, 1024);
static K_THREAD_STACK_DEFINE(other_stack, 1024);

MEASURE_WINDOW_END(let_contend, k_sem_give(&go))

static void contender_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: the samples. */
	for (;;) {
		intptr_t result;

		(void)k_sem_take(&go, K_FOREVER);
		if (contention->lock_caller == CALLER_QUEUED) {
			become_queued();
		}
		contender_was_so = is_queued() == (contention->lock_caller == CALLER_QUEUED);
		result = contention->shape == SHAPE_TIMED ? lock_timed(&contender_window)
							  : lock_wanted(&contender_window);
		measure_add(&lock_row, contender_window.start, letting_window.end);
		measure_witness(&lock_row, "handed_over",
				result == 0 && wanted->owner == k_current_get());
		(void)k_mutex_unlock(wanted);
		rounds++;
	}
}

static void other_entry(void *unused_1, void *unused_2, void *unused_3)
{
	if (contention->shape == SHAPE_BOOSTED) {
		(void)k_mutex_lock(&mutex, K_FOREVER);
		(void)k_mutex_unlock(&mutex);
	} else if (contention->shape == SHAPE_SECOND) {
		(void)k_mutex_lock(&middles, K_FOREVER);
		(void)k_mutex_unlock(&middles);
	} else {
		(void)k_mutex_lock(&middles, K_FOREVER);
		(void)k_mutex_lock(&mutex, K_FOREVER);
		(void)k_mutex_unlock(&mutex);
		(void)k_mutex_unlock(&middles);
	}
}

static void start_other(void)
{
	(void)k_thread_create(&other, other_stack, K_THREAD_STACK_SIZEOF(other_stack), other_entry,
			      NULL, NULL, NULL, MIDDLE_PRIO, 0, K_NO_WAIT);
}

/* What stands in the way before the contender comes: by shape, the caller holds `mutex`. */
static void prepare(void)
{
	wanted = contention->shape == SHAPE_CHAIN ? &middles : &mutex;
	(void)k_mutex_lock(&mutex, K_FOREVER);
	if (contention->shape == SHAPE_SECOND) {
		(void)k_mutex_lock(&middles, K_FOREVER);
	}
	if (contention->shape >= SHAPE_BOOSTED) {
		start_other();
	}
}

static void unlock_measured(void)
{
	bool was_so;

	if (contention->unlock_caller == CALLER_UNQUEUED) {
		become_unqueued();
	} else {
		become_queued();
	}
	was_so = is_queued() == (contention->unlock_caller == CALLER_QUEUED);
	(void)unlock(&holder_window);
	measure_add(&unlock_row, holder_window.start, contender_window.end);
	measure_witness(&unlock_row, "called_so", was_so);
}

static void measure_round(void)
{
	uint32_t before = rounds;

	prepare();
	(void)let_contend(&letting_window);
	measure_witness(&lock_row, "blocked",
			(contender.state & K_THREAD_PENDING) != 0 &&
				contender.pended_on == &wanted->wait_q);
	measure_witness(&lock_row, "called_so", contender_was_so);
	measure_witness(&lock_row, "inherited",
			k_thread_priority_get(k_current_get()) == CONTENDER_PRIO);
	if (contention->unlock_name != NULL) {
		unlock_measured();
	} else {
		(void)k_mutex_unlock(&mutex);
	}
	if (contention->shape == SHAPE_SECOND) {
		(void)k_mutex_unlock(&middles);
	}
	measure_witness(&lock_row, "over",
			rounds == before + 1 &&
				k_thread_priority_get(k_current_get()) == STATES_PRIO);
}

static void measure_contention(void)
{
	char lock_id[64];
	char unlock_id[64];

	(void)snprintk(lock_id, sizeof(lock_id), "mutex.lock.blocking.k_to_k/%s",
		       contention->lock_name);
	measure_row_begin(&lock_row, lock_id, "Lock another's mutex (context switch)");
	if (contention->unlock_name != NULL) {
		(void)snprintk(unlock_id, sizeof(unlock_id), "mutex.unlock.wake+ctx.k_to_k/%s",
			       contention->unlock_name);
		measure_row_begin(&unlock_row, unlock_id,
				  "Unlock a mutex with a waiter (context switch)");
	}
	(void)k_thread_create(&contender, contender_stack, K_THREAD_STACK_SIZEOF(contender_stack),
			      contender_entry, NULL, NULL, NULL, CONTENDER_PRIO, 0, K_NO_WAIT);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		measure_round();
	}
	k_thread_abort(&contender);
	measure_row_end(&lock_row);
	if (contention->unlock_name != NULL) {
		measure_row_end(&unlock_row);
	}
}

void states_mutex(void)
{
	measure_alone();
	/* Bound: the states of contention. */
	for (contention = contentions; contention < contentions + ARRAY_SIZE(contentions);
	     contention++) {
		measure_contention();
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiters that are woken while a preempted traversal stands on them. A thread resets a semaphore, or
 * broadcasts; in one of its windows a timer lets a more urgent one run, which wakes who is next:
 * without a switch, since it outranks whom that stands on, or with one, since it has raised it just
 * before.
 *
 * The timer's tick has to come within the traversal, which takes less than a tenth of a tick: the
 * traversal begins so much behind the tick before that it does, which is looked for once.
 */
#include "worst.h"

#define FEW    6 /* waiters */
#define URGENT 1
#define A_STEP 300 /* cycles; less than what a traversal of so few takes */
#define MOST   60  /* steps */
#define FAR(i) K_TICKS(0x1234567U * (unsigned int)((i) + 1))

static struct k_thread waiters[FEW];
static K_THREAD_STACK_ARRAY_DEFINE(waiter_stacks, FEW, 1024);
static struct k_thread waker;
static K_THREAD_STACK_DEFINE(waker_stack, 1024);
static struct k_timer timer;
static K_SEM_DEFINE(due, 0, 1);

static struct k_sem sem;
static struct k_condvar condvar;
static struct k_mutex mutex;
static bool raises, has_hit;
static volatile uintptr_t seen; /* so that no call is a tail call, which nobody sees as one */

struct way {
	void (*wait)(k_timeout_t timeout);
	void (*all)(void);
	void (*one)(void);
};

static void take(k_timeout_t timeout)
{
	seen += (uintptr_t)k_sem_take(&sem, timeout);
}

static void reset(void)
{
	k_sem_reset(&sem);
	seen++;
}

static void give(void)
{
	k_sem_give(&sem);
	seen++;
}

static void wait_for_signal(k_timeout_t timeout)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	seen += (uintptr_t)k_condvar_wait(&condvar, &mutex, timeout);
	(void)k_mutex_unlock(&mutex);
}

static void broadcast(void)
{
	seen += (uintptr_t)k_condvar_broadcast(&condvar);
}

static void signal(void)
{
	seen += (uintptr_t)k_condvar_signal(&condvar);
}

static const struct way ways[] = {
	{take, reset, give},
	{wait_for_signal, broadcast, signal},
};

static void waits(void *way, void *number, void *unused)
{
	((const struct way *)way)->wait(FAR((uintptr_t)number));
	seen++;
}

/* Who is next, once the first were woken and before the last is; NULL otherwise. */
static struct k_thread *next(void)
{
	/* Bound: FEW. */
	for (int i = 0; i < FEW; i++) {
		if (k_thread_timeout_remaining_ticks(&waiters[i]) != 0) {
			return i == 0 ? NULL : &waiters[i];
		}
	}
	return NULL;
}

static void wakes_next(void *way, void *unused_2, void *unused_3)
{
	struct k_thread *thread;

	(void)k_sem_take(&due, K_FOREVER);
	thread = next();
	has_hit = thread != NULL;
	if (has_hit && raises) {
		k_thread_priority_set(thread, URGENT - 1);
	}
	((const struct way *)way)->one();
	seen++;
}

static void is_due(struct k_timer *unused)
{
	k_sem_give(&due);
}

static void begin(const struct way *way)
{
	(void)k_sem_init(&sem, 0, 100);
	(void)k_condvar_init(&condvar);
	(void)k_mutex_init(&mutex);
	k_sem_reset(&due);
	/* Bound: FEW. */
	for (int i = 0; i < FEW; i++) {
		(void)k_thread_create(&waiters[i], waiter_stacks[i], 1024, waits, (void *)way,
				      (void *)(uintptr_t)i, NULL, 5, 0, K_NO_WAIT);
	}
	(void)k_thread_create(&waker, waker_stack, K_THREAD_STACK_SIZEOF(waker_stack), wakes_next,
			      (void *)way, NULL, NULL, URGENT, 0, K_NO_WAIT);
}

/* So many cycles behind a tick, of which the one behind the next is the timer's. */
static void go_along(const struct way *way, uint32_t behind)
{
	uint32_t begun;

	k_sleep(K_TICKS(1));
	k_timer_start(&timer, K_TICKS(1), K_NO_WAIT);
	begun = k_cycle_get_32();
	/* Bound: none, of time. */
	while (k_cycle_get_32() - begun < behind) {
	}
	way->all();
	k_timer_stop(&timer);
}

static void end(void)
{
	k_thread_abort(&waker);
	/* Bound: FEW. */
	for (int i = 0; i < FEW; i++) {
		k_thread_abort(&waiters[i]);
	}
}

unsigned int worst_windows(void)
{
	uint32_t behind = 2U * sys_clock_hw_cycles_per_sec() / CONFIG_SYS_CLOCK_TICKS_PER_SEC;
	unsigned int missed = 0;

	k_timer_init(&timer, is_due, NULL);
	k_thread_priority_set(k_current_get(), LAST);
	/* Bound: 4, two for each way. */
	for (unsigned int i = 0; i < 2U * ARRAY_SIZE(ways); i++) {
		raises = i % 2U != 0;
		has_hit = false;
		behind += 2U * A_STEP;
		/* Bound: MOST. */
		for (int tries = 0; tries < MOST && !has_hit; tries++) {
			begin(&ways[i / 2U]);
			go_along(&ways[i / 2U], behind);
			end();
			behind -= has_hit ? 0 : A_STEP;
		}
		missed += has_hit ? 0 : 1;
	}
	return missed;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A storm over threads that end in the middle of what they do and are created anew in the same
 * place: while they hold mutexes that others wait for, wait for whatever there is (storm_ends.c), have a
 * period, or are joined. They are ended by threads, by handlers and by themselves.
 */
#include "kernel/base/kernel.h"
#include "model.h"
#include "storm.h"

#define STACK_SIZE 8192
#define MUTEXES    2
#define LIFE_MAX   20 /* steps: one that never waits must end, or nobody else runs */

static struct k_thread holders[STORM_HOLDERS];
K_THREAD_STACK_ARRAY_DEFINE(holder_stacks, STORM_HOLDERS, STACK_SIZE);
static bool is_claimed[STORM_HOLDERS]; /* somebody is about to create it */
static bool is_being_made[STORM_HOLDERS]; /* a block that is no thread yet is nobody's to use */
static struct k_mutex mutexes[MUTEXES];
static struct k_condvar condvar;
static struct k_sem sem;
static struct k_queue queue;
static struct k_heap containers; /* of their own: nobody else takes from it */
static uint64_t containers_memory[128];
static size_t whole_pool; /* its largest block while nothing is taken, bytes */
static struct k_msgq msgq;
static char ring[2 * sizeof(int)];
static struct k_timer timers[STORM_HOLDERS];
static unsigned long restarts;

#ifdef CONFIG_PERIODIC
static void live_periodically(void)
{
	CHECK(k_thread_period_set(k_current_get(), K_TICKS(random_below(4)),
				  K_TICKS(random_below(4))) == 0);
	(void)k_period_wait();
}

static void set_period_of(struct k_thread *thread)
{
	(void)k_thread_period_set(thread, K_TICKS(random_below(3)), K_TICKS(random_below(3)));
}
#else
static void live_periodically(void)
{
}

static void set_period_of(struct k_thread *thread)
{
}
#endif

static bool lock(int i)
{
	int result = k_mutex_lock(&mutexes[i], storm_timeout());

	CHECK(result != -EOWNERDEAD || IS_ENABLED(CONFIG_MUTEX_ROBUST));
	return result == 0 || result == -EOWNERDEAD;
}

static void use_data(void)
{
	int word = 0;

	switch (random_below(6)) {
	case 0:
		(void)k_queue_get(&queue, storm_timeout());
		break;
	case 1:
		if (k_current_get()->resource_pool == &containers) {
			(void)k_queue_alloc_append(&queue, &word);
		}
		break;
	case 2:
		(void)k_msgq_get(&msgq, &word, storm_timeout());
		break;
	case 3:
		(void)k_msgq_put(&msgq, &word, storm_timeout());
		break;
	case 4:
		(void)k_sem_take(&sem, storm_timeout());
		break;
	default:
		k_sem_give(&sem);
		break;
	}
}

static void join(int i)
{
	unsigned int key = irq_lock();

	if (!is_being_made[i]) {
		(void)k_thread_join(&holders[i], storm_timeout());
	}
	irq_unlock(key);
}

static void use_time(int self)
{
	switch (random_below(5)) {
	case 0:
		k_timer_start(&timers[self], K_TICKS(random_below(3)), K_NO_WAIT);
		(void)k_timer_status_sync(&timers[self]);
		break;
	case 1:
		live_periodically();
		break;
	case 2:
		join((int)random_below(STORM_HOLDERS));
		break;
	case 3:
		k_yield();
		break;
	default:
		(void)k_sleep(K_TICKS(random_below(3)));
		break;
	}
}

/* What it holds at its end it takes along. */
static void holder_main(void *p1, void *p2, void *p3)
{
	int self = (int)(intptr_t)p1;
	int depth[MUTEXES] = {0};

	for (uint32_t life = random_below(LIFE_MAX); life > 0; life--) {
		int i = (int)random_below(MUTEXES);

		switch (random_below(8)) {
		case 0:
		case 1:
			depth[i] += lock(i);
			break;
		case 2:
			if (depth[i] > 0) {
				CHECK(k_mutex_unlock(&mutexes[i]) == 0);
				depth[i]--;
			}
			break;
		case 3:
			if (depth[i] == 1) {
				(void)k_condvar_wait(&condvar, &mutexes[i], storm_timeout());
			}
			break;
		case 4:
			use_time(self);
			break;
		case 5:
		case 6:
			storm_ends_use(self);
			break;
		default:
			use_data();
			break;
		}
	}
}

static void create(int i)
{
	is_being_made[i] = true;
	(void)k_thread_create(&holders[i], holder_stacks[i], STACK_SIZE, holder_main,
			      (void *)(intptr_t)i, NULL, NULL, random_prio(), 0,
			      one_in(4) ? K_TICKS(1 + random_below(4)) : K_FOREVER);
	k_thread_heap_assign(&holders[i], &containers);
	is_being_made[i] = false;
	if (one_in(2)) {
		k_thread_start(&holders[i]);
	}
}

static size_t largest_block(void)
{
	for (size_t size = sizeof(containers_memory); size > 0; size -= HEAP_UNIT) {
		void *block = k_heap_alloc(&containers, size, K_NO_WAIT);

		if (block != NULL) {
			k_heap_free(&containers, block);
			return size;
		}
	}
	return 0;
}

static void restart_init(void)
{
	for (int i = 0; i < MUTEXES; i++) {
		(void)k_mutex_init(&mutexes[i]);
	}
	(void)k_condvar_init(&condvar);
	(void)k_sem_init(&sem, 0, 10);
	k_queue_init(&queue);
	k_heap_init(&containers, containers_memory, sizeof(containers_memory));
	whole_pool = largest_block();
	k_msgq_init(&msgq, ring, sizeof(int), 2);
	storm_ends_init();
	for (int i = 0; i < STORM_HOLDERS; i++) {
		k_timer_init(&timers[i], NULL, NULL);
		is_being_made[i] = true;
	}
	for (int i = 0; i < STORM_HOLDERS; i++) {
		create(i);
	}
}

static bool claim(int i)
{
	unsigned int key = irq_lock();
	bool is_mine = !is_claimed[i];

	is_claimed[i] = true;
	irq_unlock(key);
	return is_mine;
}

/* Has its owner ended? By generation: the same place may hold another by now. */
static bool is_abandoned(const struct k_mutex *mutex)
{
	return mutex->generation != 0 &&
	       (mutex->owner == NULL || mutex->owner->generation != mutex->generation);
}

static void repair(struct k_mutex *mutex)
{
	unsigned int key = irq_lock();

	if (is_abandoned(mutex) && mutex->wait_q.head == NULL) {
		(void)k_mutex_init(mutex);
	}
	irq_unlock(key);
}

static void restart_in_thread(int self)
{
	int i = (int)random_below(STORM_HOLDERS);
	int m = (int)random_below(MUTEXES);

	switch (random_below(5)) {
	case 0:
	case 1:
		if (claim(i)) {
			k_thread_abort(&holders[i]);
			create(i);
			restarts++;
			is_claimed[i] = false;
		}
		break;
	case 2:
		if (lock(m)) {
			CHECK(k_mutex_unlock(&mutexes[m]) == 0);
		}
		break;
	case 3:
		repair(&mutexes[m]);
		storm_ends_serve();
		break;
	default:
		use_data();
		break;
	}
}

static void restart_in_isr(void)
{
	int i = (int)random_below(STORM_HOLDERS);
	struct k_thread *holder = &holders[i];
	int word = 0;

	if (one_in(4)) {
		storm_ends_in_isr();
	}
	switch (is_being_made[i] ? 8 : random_below(10)) {
	case 0:
		k_thread_abort(holder);
		break;
	case 1:
		k_thread_suspend(holder);
		break;
	case 2:
	case 3:
		k_thread_resume(holder);
		break;
	case 4:
		k_wakeup(holder);
		break;
	case 5:
		k_thread_priority_set(holder, random_prio());
		break;
	case 6:
		set_period_of(holder);
		break;
	case 7:
		(void)k_condvar_broadcast(&condvar);
		break;
	case 9:
		k_thread_start(holder);
		break;
	default:
		(void)k_msgq_get(&msgq, &word, K_NO_WAIT);
		k_sem_give(&sem);
		break;
	}
}

static void check_mutex(const struct k_mutex *mutex)
{
	int waiters = storm_check_waiters(&mutex->wait_q);

	if (waiters == 0 || mutex->owner == NULL) {
		CHECK(waiters == 0 || !IS_ENABLED(CONFIG_MUTEX_ROBUST));
		return;
	}
	CHECK(!is_abandoned(mutex)); /* with waiters it is told at once */
	CHECK((mutex->owner->state & K_THREAD_DEAD) == 0);
	CHECK(mutex->lock_count != 0);
}

/* As urgent as it, or who waits for what it holds, and no more. */
static void check_prio(const struct k_thread *thread)
{
	int prio = thread->base_prio;

	for (const struct k_mutex *m = thread->contended; m != NULL; m = m->next_contended) {
		const struct k_thread *first = m->wait_q.head;

		CHECK(m->owner == thread);
		CHECK(first != NULL);
		if (first != NULL) {
			prio = MIN(prio, first->prio);
		}
	}
	CHECK(thread->prio == prio);
}

static void restart_at_rest(void)
{
	for (int i = 0; i < STORM_HOLDERS; i++) {
		if (storm_traversals(&holders[i])) { /* it is half done */
			return;
		}
	}
	for (int i = 0; i < MUTEXES; i++) {
		check_mutex(&mutexes[i]);
	}
	for (int i = 0; i < STORM_HOLDERS; i++) {
		if ((holders[i].state & K_THREAD_DEAD) == 0) {
			check_prio(&holders[i]);
		}
		(void)storm_check_waiters(&holders[i].joiners);
		(void)storm_check_waiters(&timers[i].wait_q);
	}
	(void)storm_check_waiters(&condvar.wait_q);
	(void)storm_check_waiters(&sem.wait_q);
	(void)storm_check_waiters(&msgq.wait_q);
	(void)storm_check_waiters(&queue.wait_q);
	storm_ends_at_rest();
}

static void restart_end(void)
{
	for (int i = 0; i < STORM_HOLDERS; i++) {
		k_thread_abort(&holders[i]);
		k_timer_stop(&timers[i]);
		CHECK(holders[i].contended == NULL);
	}
	CHECK(restarts != 0);
	CHECK(condvar.wait_q.head == NULL && sem.wait_q.head == NULL);
	CHECK(msgq.wait_q.head == NULL && queue.wait_q.head == NULL);
	for (int i = 0; i < MUTEXES; i++) {
		CHECK(mutexes[i].wait_q.head == NULL);
		repair(&mutexes[i]);
		CHECK(lock(i));
		CHECK(k_mutex_unlock(&mutexes[i]) == 0);
	}
	/* Bound: what was put and not got. */
	while (k_queue_get(&queue, K_NO_WAIT) != NULL) {
	}
	CHECK(largest_block() == whole_pool); /* nobody took a container along */
	storm_ends_end();
}

const struct storm_job storm_restart = {
	"restart", restart_init, restart_in_thread, restart_in_isr, restart_at_rest, restart_end,
};

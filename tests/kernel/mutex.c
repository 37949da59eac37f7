/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes and priority inheritance. */
#include "test.h"

K_MUTEX_DEFINE(defined_mutex);
static struct k_mutex a;
static struct k_mutex b;
static struct k_sem go;
TEST_SHARED static int result;

static void init(void)
{
	(void)k_mutex_init(&a);
	(void)k_mutex_init(&b);
	(void)k_sem_init(&go, 0, 1);
}

/* Lock a, wait to be told, unlock. */
static void hold_a(void *letter)
{
	(void)k_mutex_lock(&a, K_FOREVER);
	(void)k_sem_take(&go, K_FOREVER);
	(void)k_mutex_unlock(&a);
	note(*(const char *)letter);
}

static void lock_a(void *letter)
{
	result = k_mutex_lock(&a, K_FOREVER);
	note(*(const char *)letter);
	if (result == 0) {
		(void)k_mutex_unlock(&a);
	}
}

static void lock_a_for_5_ticks(void *letter)
{
	result = k_mutex_lock(&a, K_TICKS(5));
	note(*(const char *)letter);
}

/* Lock b, then wait for a. */
static void hold_b_lock_a(void *letter)
{
	(void)k_mutex_lock(&b, K_FOREVER);
	(void)k_mutex_lock(&a, K_FOREVER);
	note(*(const char *)letter);
	(void)k_mutex_unlock(&a);
	(void)k_mutex_unlock(&b);
}

static void lock_b(void *letter)
{
	(void)k_mutex_lock(&b, K_FOREVER);
	note(*(const char *)letter);
	(void)k_mutex_unlock(&b);
}

TEST(mutex_is_recursive)
{
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(k_mutex_lock(&defined_mutex, K_NO_WAIT), 0);
	}
	CHECK_EQ(defined_mutex.lock_count, 3);
	CHECK(owner_of(&defined_mutex) == k_current_get());
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(k_mutex_unlock(&defined_mutex), 0);
	}
	CHECK(owner_of(&defined_mutex) == NULL);
}

TEST_USER(mutex_held_by_another)
{
	init();
	start(hold_a, "h", 5);
	next_tick();
	CHECK_EQ(k_mutex_lock(&a, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_mutex_lock(&a, K_TICKS(3)), -EAGAIN);
	k_sem_give(&go);
	CHECK_EQ(k_mutex_lock(&a, K_NO_WAIT), 0);
	CHECK_EQ(k_mutex_unlock(&a), 0);
}

TEST_USER(mutex_unlock_by_who_does_not_own_it)
{
	init();
	if (!ASSERTIONS) {
		CHECK_EQ(k_mutex_unlock(&a), -EINVAL);
		start(hold_a, "h", 5);
		CHECK_EQ(k_mutex_unlock(&a), -EPERM);
		CHECK(owner_of(&a) != NULL);
	}
}

TEST_USER(mutex_waiters_by_priority_then_first_come)
{
	init();
	(void)k_mutex_lock(&a, K_FOREVER);
	start(lock_a, "a", 5);
	start(lock_a, "b", 4);
	start(lock_a, "c", 5);
	start(lock_a, "d", 3);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 3);
	(void)k_mutex_unlock(&a);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	CHECK_NOTES("dbac");
	CHECK(owner_of(&a) == NULL);
}

TEST_USER(mutex_owner_inherits_and_gives_back)
{
	k_tid_t holder;

	init();
	holder = start(hold_a, "h", MAIN_PRIO + 3);
	k_sleep(K_TICKS(1));
	start(lock_a, "w", 2);
	CHECK_EQ(k_thread_priority_get(holder), 2);
	k_sem_give(&go); /* the holder runs before us, and unlocks */
	CHECK_NOTES("w");
	CHECK_EQ(k_thread_priority_get(holder), MAIN_PRIO + 3);
	k_sleep(K_TICKS(1));
	CHECK_NOTES("h");
}

TEST_USER(mutex_inheritance_through_a_chain)
{
	k_tid_t last;
	k_tid_t middle;

	init();
	last = start(hold_a, "3", MAIN_PRIO + 3);
	k_sleep(K_TICKS(1));
	middle = start(hold_b_lock_a, "2", MAIN_PRIO + 2);
	k_sleep(K_TICKS(1));
	start(lock_b, "1", 1);
	CHECK_EQ(k_thread_priority_get(middle), 1);
	CHECK_EQ(k_thread_priority_get(last), 1);
	k_sem_give(&go);
	CHECK_NOTES("21");
	CHECK_EQ(k_thread_priority_get(middle), MAIN_PRIO + 2);
	CHECK_EQ(k_thread_priority_get(last), MAIN_PRIO + 3);
}

TEST_USER(mutex_inheritance_ends_when_the_waiter_gives_up)
{
	init();
	(void)k_mutex_lock(&a, K_FOREVER);
	start(lock_a_for_5_ticks, "w", 2);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 2);
	k_sleep(K_TICKS(8));
	CHECK_NOTES("w");
	CHECK_EQ(result, -EAGAIN);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	(void)k_mutex_unlock(&a);
}

TEST_USER(mutex_inheritance_ends_when_the_waiter_is_aborted)
{
	k_tid_t waiter;

	init();
	(void)k_mutex_lock(&a, K_FOREVER);
	waiter = start(lock_a, "w", 2);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 2);
	k_thread_abort(waiter);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	CHECK_EQ(k_mutex_unlock(&a), 0);
	CHECK_NOTES("");
}

TEST(mutex_inheritance_follows_the_waiters_priority)
{
	k_tid_t waiter;

	init();
	(void)k_mutex_lock(&a, K_FOREVER);
	waiter = start(lock_a, "w", 4);
	k_thread_priority_set(waiter, 1);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 1);
	k_thread_priority_set(waiter, 6);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 6);
	(void)k_mutex_unlock(&a);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
}

TEST_USER(mutex_two_of_them_unlocked_in_either_order)
{
	init();
	(void)k_mutex_lock(&a, K_FOREVER);
	(void)k_mutex_lock(&b, K_FOREVER);
	start(lock_a, "a", 4);
	start(lock_b, "b", 2);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 2);
	(void)k_mutex_unlock(&a);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 2);
	(void)k_mutex_unlock(&b);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	CHECK_NOTES("ba");
	(void)k_mutex_lock(&a, K_FOREVER);
	(void)k_mutex_lock(&b, K_FOREVER);
	start(lock_a, "a", 4);
	start(lock_b, "b", 2);
	(void)k_mutex_unlock(&b);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 4);
	(void)k_mutex_unlock(&a);
	CHECK_NOTES("ba");
}

TEST_USER(mutex_an_owners_own_new_priority_takes_effect_afterwards)
{
	init();
	(void)k_mutex_lock(&a, K_FOREVER);
	start(lock_a, "w", 3);
	k_thread_priority_set(k_current_get(), MAIN_PRIO + 2);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 3);
	(void)k_mutex_unlock(&a);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO + 2);
	CHECK_NOTES("w");
}

static void lock_a_then_b(void *arg)
{
	(void)k_mutex_lock(&a, K_FOREVER);
	result = k_mutex_lock(&b, K_TICKS(5));
	(void)k_mutex_unlock(&a);
	note('t');
}

TEST_USER(mutex_a_deadlock_ends_by_its_timeout)
{
	init();
	(void)k_mutex_lock(&b, K_FOREVER);
	start(lock_a_then_b, NULL, 4);
	CHECK_EQ(k_mutex_lock(&a, K_TICKS(30)), 0);
	CHECK_EQ(result, -EAGAIN);
	CHECK_EQ(k_mutex_unlock(&a), 0);
	CHECK_EQ(k_mutex_unlock(&b), 0);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	CHECK_NOTES("t");
}

static void note_it(void *letter)
{
	note(*(const char *)letter);
}

/* Nobody wakes up, yet somebody else has to run: the owner is outranked from then on. */
TEST_USER(mutex_inheritance_that_ends_in_an_interrupt_lets_others_in)
{
	k_tid_t waiter;

	init();
	(void)k_mutex_lock(&a, K_FOREVER);
	waiter = start(lock_a_for_5_ticks, "w", 2);
	k_thread_suspend(waiter);
	start(note_it, "x", 4);
	CHECK_NOTES("");
	for (uint32_t begin = tick(); tick() - begin < 8;) {
	}
	note('m');
	CHECK_NOTES("xm");
	k_thread_resume(waiter);
	CHECK_NOTES("w");
	CHECK_EQ(result, -EAGAIN);
	(void)k_mutex_unlock(&a);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables. */
#include "test.h"

K_CONDVAR_DEFINE(condvar);
K_MUTEX_DEFINE(mutex);
TEST_SHARED static int result;

static void wait_and_note(void *letter)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	result = k_condvar_wait(&condvar, &mutex, K_FOREVER);
	CHECK(owner_of(&mutex) == k_current_get());
	note(*(const char *)letter);
	(void)k_mutex_unlock(&mutex);
}

static void wait_for_5_ticks(void *letter)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	result = k_condvar_wait(&condvar, &mutex, K_TICKS(5));
	CHECK(owner_of(&mutex) == k_current_get());
	note(*(const char *)letter);
	(void)k_mutex_unlock(&mutex);
}

static void signal_one(void *arg)
{
	CHECK_EQ(k_condvar_signal(&condvar), 0);
}

TEST_USER(condvar_signal_wakes_one_by_priority)
{
	start(wait_and_note, "a", 5);
	start(wait_and_note, "b", 4);
	start(wait_and_note, "c", 5);
	for (int i = 0; i < 3; i++) {
		signal_one(NULL);
		note('.');
	}
	CHECK_NOTES("b.a.c.");
	CHECK_EQ(k_condvar_signal(&condvar), 0);
	CHECK_NOTES("");
}

TEST_USER(condvar_broadcast_wakes_all_by_priority)
{
	start(wait_and_note, "a", 5);
	start(wait_and_note, "b", 4);
	start(wait_and_note, "c", 5);
	CHECK_EQ(k_condvar_broadcast(&condvar), 3);
	CHECK_NOTES("bac");
	CHECK_EQ(k_condvar_broadcast(&condvar), 0);
}

TEST_USER(condvar_who_is_woken_waits_for_the_mutex)
{
	start(wait_and_note, "w", 4);
	(void)k_mutex_lock(&mutex, K_FOREVER);
	signal_one(NULL);
	note('m');
	CHECK_EQ(k_thread_priority_get(k_current_get()), 4);
	(void)k_mutex_unlock(&mutex);
	CHECK_NOTES("mw");
	CHECK_EQ(result, 0);
}

TEST(condvar_wait_lets_go_of_one_level_only)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	(void)k_mutex_lock(&mutex, K_FOREVER);
	CHECK_EQ(k_condvar_wait(&condvar, &mutex, K_TICKS(2)), -EAGAIN);
	CHECK_EQ(mutex.lock_count, 2);
	(void)k_mutex_unlock(&mutex);
	(void)k_mutex_unlock(&mutex);
}

TEST_USER(condvar_timeout_is_exact)
{
	uint32_t begin;

	next_tick();
	start(wait_for_5_ticks, "w", 4);
	k_sleep(K_TICKS(10));
	CHECK_NOTES("w");
	CHECK_EQ(result, -EAGAIN);
	(void)k_mutex_lock(&mutex, K_FOREVER);
	next_tick();
	begin = tick();
	CHECK_EQ(k_condvar_wait(&condvar, &mutex, K_TICKS(7)), -EAGAIN);
	CHECK_EQ(tick() - begin, 8);
	CHECK_EQ(k_condvar_wait(&condvar, &mutex, K_NO_WAIT), -EAGAIN);
	CHECK(owner_of(&mutex) == k_current_get());
	(void)k_mutex_unlock(&mutex);
}

TEST_USER(condvar_signalled_in_an_isr)
{
	start(wait_and_note, "w", 4);
	in_isr(signal_one, NULL);
	note('m');
	CHECK_NOTES("wm");
}

TEST_USER(condvar_wait_without_the_mutex)
{
	if (!ASSERTIONS) {
		CHECK_EQ(k_condvar_wait(&condvar, &mutex, K_FOREVER), -EPERM);
	}
}

static void wait_in_isr(void *arg)
{
	result = k_condvar_wait(&condvar, &mutex, K_NO_WAIT);
}

/* Though the thread that it interrupted holds the mutex. */
TEST_USER(condvar_wait_in_an_isr_is_refused)
{
	if (!ASSERTIONS) {
		(void)k_mutex_lock(&mutex, K_FOREVER);
		in_isr(wait_in_isr, NULL);
		CHECK_EQ(result, -EPERM);
		CHECK(owner_of(&mutex) == k_current_get());
		(void)k_mutex_unlock(&mutex);
	}
}

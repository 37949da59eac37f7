/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores. */
#include "test.h"

K_SEM_DEFINE(defined_sem, 2, 3);
static struct k_sem sem;
TEST_SHARED static int result;

static void take_and_note(void *letter)
{
	result = k_sem_take(&sem, K_FOREVER);
	note(*(const char *)letter);
}

static void take_for_20_ticks(void *letter)
{
	result = k_sem_take(&sem, K_TICKS(20));
	note(*(const char *)letter);
}

TEST_USER(sem_init_refuses_what_cannot_be)
{
	CHECK_EQ(k_sem_init(&sem, 0, 0), -EINVAL);
	CHECK_EQ(k_sem_init(&sem, 3, 2), -EINVAL);
	CHECK_EQ(k_sem_init(&sem, 2, 2), 0);
	CHECK_EQ(k_sem_init(&sem, 0, K_SEM_MAX_LIMIT), 0);
}

TEST_USER(sem_defined_at_build_time)
{
	CHECK_EQ(k_sem_count_get(&defined_sem), 2);
	CHECK_EQ(k_sem_take(&defined_sem, K_NO_WAIT), 0);
	CHECK_EQ(k_sem_take(&defined_sem, K_FOREVER), 0);
	CHECK_EQ(k_sem_take(&defined_sem, K_NO_WAIT), -EBUSY);
}

TEST_USER(sem_counts_up_to_its_limit)
{
	(void)k_sem_init(&sem, 0, 2);
	for (int i = 0; i < 5; i++) {
		k_sem_give(&sem);
	}
	CHECK_EQ(k_sem_count_get(&sem), 2);
}

TEST_USER(sem_waiters_by_priority_then_first_come)
{
	(void)k_sem_init(&sem, 0, 1);
	start(take_and_note, "a", 5);
	start(take_and_note, "b", 4);
	start(take_and_note, "c", 5);
	start(take_and_note, "d", 3);
	for (int i = 0; i < 4; i++) {
		k_sem_give(&sem);
		note('.');
	}
	CHECK_NOTES("d.b.a.c.");
	CHECK_EQ(k_sem_count_get(&sem), 0);
}

TEST(sem_a_changed_priority_changes_the_order)
{
	k_tid_t first;

	(void)k_sem_init(&sem, 0, 1);
	first = start(take_and_note, "a", 3);
	start(take_and_note, "b", 4);
	k_thread_priority_set(first, 5);
	k_sem_give(&sem);
	k_sem_give(&sem);
	CHECK_NOTES("ba");
}

TEST_USER(sem_a_token_given_is_the_waiters)
{
	(void)k_sem_init(&sem, 0, 1);
	start(take_and_note, "w", MAIN_PRIO + 1);
	k_sleep(K_TICKS(1));
	k_sem_give(&sem);
	CHECK_EQ(k_sem_take(&sem, K_NO_WAIT), -EBUSY);
	CHECK_NOTES("");
	k_sleep(K_TICKS(1));
	CHECK_NOTES("w");
	CHECK_EQ(result, 0);
}

TEST_USER(sem_timeout_is_exact)
{
	(void)k_sem_init(&sem, 0, 1);
	for (uint32_t ticks = 1; ticks <= 17; ticks += 4) {
		uint32_t begin;

		next_tick();
		begin = tick();
		CHECK_EQ(k_sem_take(&sem, K_TICKS(ticks)), -EAGAIN);
		CHECK_EQ(tick() - begin, ticks + 1);
	}
}

TEST_USER(sem_a_wait_that_was_served_does_not_time_out)
{
	(void)k_sem_init(&sem, 0, 1);
	start(take_for_20_ticks, "w", 3);
	k_sleep(K_TICKS(3));
	k_sem_give(&sem);
	CHECK_NOTES("w");
	CHECK_EQ(result, 0);
	k_sleep(K_TICKS(25));
	CHECK_EQ(k_sem_count_get(&sem), 0);
}

TEST_USER(sem_waiters_time_out_in_the_order_of_time)
{
	(void)k_sem_init(&sem, 0, 1);
	start(take_for_20_ticks, "a", 5);
	k_sleep(K_TICKS(2));
	start(take_for_20_ticks, "b", 3);
	k_sleep(K_TICKS(30));
	CHECK_NOTES("ab");
	CHECK_EQ(result, -EAGAIN);
}

TEST_USER(sem_reset_sends_waiters_away)
{
	(void)k_sem_init(&sem, 0, 5);
	start(take_and_note, "a", 5);
	start(take_and_note, "b", 4);
	k_sem_reset(&sem);
	CHECK_NOTES("ba");
	CHECK_EQ(result, -EAGAIN);
	k_sem_give(&sem);
	CHECK_EQ(k_sem_count_get(&sem), 1);
	k_sem_reset(&sem);
	CHECK_EQ(k_sem_count_get(&sem), 0);
}

TEST_USER(sem_given_in_an_isr_wakes_at_once)
{
	(void)k_sem_init(&sem, 0, 1);
	start(take_and_note, "w", 3);
	in_isr(give_sem, &sem);
	note('m');
	CHECK_NOTES("wm");
}

TEST_USER(sem_given_in_an_isr_to_a_less_urgent_waiter)
{
	(void)k_sem_init(&sem, 0, 1);
	start(take_and_note, "w", MAIN_PRIO + 1);
	k_sleep(K_TICKS(1));
	in_isr(give_sem, &sem);
	note('m');
	k_sleep(K_TICKS(1));
	CHECK_NOTES("mw");
}

static void take_in_isr(void *timeout)
{
	result = k_sem_take(&sem, *(k_timeout_t *)timeout);
}

TEST_USER(sem_taken_in_an_isr)
{
	k_timeout_t timeout = K_NO_WAIT;

	(void)k_sem_init(&sem, 1, 1);
	in_isr(take_in_isr, &timeout);
	CHECK_EQ(result, 0);
	in_isr(take_in_isr, &timeout);
	CHECK_EQ(result, -EBUSY);
	if (!ASSERTIONS) {
		timeout = K_FOREVER;
		in_isr(take_in_isr, &timeout);
		CHECK_EQ(result, -EAGAIN);
		timeout = K_TICKS(3);
		in_isr(take_in_isr, &timeout);
		CHECK_EQ(result, -EAGAIN);
	}
	CHECK_EQ(k_sem_count_get(&sem), 0);
}

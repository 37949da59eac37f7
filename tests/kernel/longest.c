/* SPDX-License-Identifier: Apache-2.0 */
/* The longest waits there are, beside short ones that are due, and what is left of them. */
#include "test.h"

static struct k_timer longest;
static struct k_timer due;
static struct k_sem sem;
TEST_SHARED static int32_t left_ms;
TEST_SHARED static k_ticks_t armed_in_callback;

/* Milliseconds of `ticks`, rounded up, as far as an int32_t goes: what k_sleep() returns. */
static int32_t in_ms(k_ticks_t ticks)
{
	uint64_t ms = ((uint64_t)ticks * 1000U + CONFIG_SYS_CLOCK_TICKS_PER_SEC - 1U) /
		      CONFIG_SYS_CLOCK_TICKS_PER_SEC;

	return (int32_t)MIN(ms, (uint64_t)INT32_MAX);
}

static void sleep_long(void *ticks)
{
	left_ms = k_sleep(K_TICKS(*(const k_ticks_t *)ticks));
	note('w');
}

TEST_USER(longest_sleep_woken_early_reports_what_was_left)
{
	static const k_ticks_t lengths[] = {
		K_TICKS_MAX, K_TICKS_MAX - 1U, 1U << 30,
		1000000U,    429496731U, /* in milliseconds of 100 Hz just over 2^32 */
	};

	TEST_SHARED static k_ticks_t ticks;

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		k_tid_t thread;

		ticks = lengths[i];
		next_tick();
		thread = start(sleep_long, &ticks, MAIN_PRIO - 1);
		CHECK_EQ(k_thread_timeout_remaining_ticks(thread), ticks + 1U);
		k_sleep(K_TICKS(6)); /* the seventh tick from the one that it began in */
		CHECK_EQ(k_thread_timeout_remaining_ticks(thread), ticks + 1U - 7U);
		CHECK_NOTES("");
		k_wakeup(thread);
		CHECK_NOTES("w");
		CHECK_EQ(left_ms, in_ms(ticks + 1U - 7U));
		k_thread_abort(thread);
	}
}

static void take_long(void *result)
{
	*(int *)result = k_sem_take(&sem, K_TICKS(K_TICKS_MAX));
	note('t');
}

TEST_USER(longest_wait_for_an_object_is_given_what_it_waits_for)
{
	TEST_SHARED static int result;

	result = 99;
	(void)k_sem_init(&sem, 0, 1);
	(void)start(take_long, &result, MAIN_PRIO - 1);
	k_sleep(K_TICKS(5));
	CHECK_NOTES("");
	k_sem_give(&sem);
	CHECK_NOTES("t");
	CHECK_EQ(result, 0);
}

TEST_USER(longest_timer_and_what_remains_of_it)
{
	uint32_t begin;

	k_timer_init(&longest, NULL, NULL);
	next_tick();
	begin = tick();
	k_timer_start(&longest, K_TICKS(K_TICKS_MAX), K_TICKS(K_TICKS_MAX));
	CHECK_EQ(k_timer_remaining_ticks(&longest), K_TICKS_MAX);
	CHECK_EQ(k_timer_expires_ticks(&longest), begin + K_TICKS_MAX);
	k_sleep(K_TICKS(4));
	CHECK_EQ(k_timer_remaining_ticks(&longest), K_TICKS_MAX - 5U);
	CHECK_EQ(k_timer_status_get(&longest), 0);
	k_timer_stop(&longest);
	CHECK_EQ(k_timer_remaining_ticks(&longest), 0);
}

/* Armed where the wheel stands at the tick that is just expiring, not at the clock's. */
static void arm_the_longest(struct k_timer *timer)
{
	armed_in_callback++;
	k_timer_start(timer, K_TICKS(K_TICKS_MAX), K_NO_WAIT);
}

TEST_USER(longest_timer_armed_in_a_callback)
{
	armed_in_callback = 0;
	k_timer_init(&longest, arm_the_longest, NULL);
	for (k_ticks_t ticks = 1; ticks <= 20U; ticks++) { /* over a border of the wheel's slots */
		next_tick();
		k_timer_start(&longest, K_TICKS(ticks), K_NO_WAIT);
		k_sleep(K_TICKS(ticks + 2U));
		CHECK_EQ(armed_in_callback, ticks);
		CHECK_EQ(k_timer_remaining_ticks(&longest), K_TICKS_MAX - 3U);
	}
	k_timer_stop(&longest);
}

/* Interrupts masked until the alarm is overdue; then the longest is armed. */
static void arm_while_overdue(k_ticks_t ticks)
{
	unsigned int key;
	uint32_t begin;

	next_tick();
	begin = tick();
	k_timer_start(&due, K_TICKS(2), K_NO_WAIT);
	key = irq_lock();
	while (tick() - begin < 5U) {
	}
	k_timer_start(&longest, K_TICKS(ticks), K_NO_WAIT);
	CHECK_EQ(k_timer_remaining_ticks(&due), 0);
	CHECK_EQ(k_timer_remaining_ticks(&longest), ticks);
	irq_unlock(key);
	next_tick();
	CHECK_EQ(k_timer_status_get(&due), 1);
	CHECK_EQ(k_timer_status_get(&longest), 0);
	k_timer_stop(&longest);
}

TEST(longest_armed_while_the_alarm_is_overdue_loses_no_other)
{
	k_timer_init(&longest, NULL, NULL);
	k_timer_init(&due, NULL, NULL);
	for (k_ticks_t less = 0; less < 8U; less++) {
		arm_while_overdue(K_TICKS_MAX - less);
	}
	arm_while_overdue(1U << 30);
	arm_while_overdue(1000U);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Timers. */
#include "test.h"

static void on_expiry(struct k_timer *timer);
static void on_stop(struct k_timer *timer);

K_TIMER_DEFINE(timer, on_expiry, on_stop);
static struct k_timer plain;
TEST_SHARED static uint32_t expiry_ticks[4];
TEST_SHARED static unsigned int expiries;
TEST_SHARED static uint32_t status;

static void on_expiry(struct k_timer *t)
{
	CHECK(k_is_in_isr());
	CHECK(t == &timer);
	if (expiries < ARRAY_SIZE(expiry_ticks)) {
		expiry_ticks[expiries] = tick();
	}
	expiries++;
	note('e');
	if (k_timer_user_data_get(t) != NULL) {
		k_sem_give(k_timer_user_data_get(t));
	}
}

static void on_stop(struct k_timer *t)
{
	CHECK(t == &timer);
	note('s');
}

TEST_USER(timer_one_shot)
{
	uint32_t begin;

	expiries = 0;
	next_tick();
	begin = tick();
	k_timer_start(&timer, K_TICKS(3), K_NO_WAIT);
	CHECK_EQ(k_timer_remaining_ticks(&timer), 3);
	CHECK_EQ(k_timer_expires_ticks(&timer), begin + 3);
	k_sleep(K_TICKS(10));
	CHECK_EQ(expiries, 1);
	CHECK_EQ(expiry_ticks[0] - begin, 3);
	CHECK_EQ(k_timer_remaining_ticks(&timer), 0);
	CHECK_EQ(k_timer_status_get(&timer), 1);
	CHECK_EQ(k_timer_status_get(&timer), 0);
	k_timer_stop(&timer);
	CHECK_NOTES("e");
	next_tick();
	CHECK_EQ(k_timer_expires_ticks(&timer), tick()); /* it does not run: now */
	CHECK_EQ(k_timer_remaining_ticks(&timer), 0);
}

TEST_USER(timer_periodic_stays_on_its_grid)
{
	uint32_t begin;

	expiries = 0;
	next_tick();
	begin = tick();
	k_timer_start(&timer, K_TICKS(2), K_TICKS(4));
	k_sleep(K_TICKS(16));
	k_timer_stop(&timer);
	CHECK_EQ(expiries, 4);
	for (unsigned int i = 0; i < ARRAY_SIZE(expiry_ticks); i++) {
		CHECK_EQ(expiry_ticks[i] - begin, 2 + 4 * i);
	}
	CHECK_EQ(k_timer_status_get(&timer), 4);
	CHECK_NOTES("eeees");
	k_sleep(K_TICKS(6));
	CHECK_NOTES("");
}

/* No tick is added, as it is to a sleep; no time at all is until the next tick. */
TEST_USER(timer_first_expiry_comes_at_the_tick_it_was_asked_for)
{
	static const k_ticks_t durations[] = {0, 1, 3};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(durations); i++) {
		k_ticks_t first = MAX(durations[i / 2], 1U);
		bool periodic = i % 2 != 0;
		uint32_t begin;

		expiries = 0;
		next_tick();
		begin = tick();
		k_timer_start(&timer, K_TICKS(durations[i / 2]), periodic ? K_TICKS(2) : K_NO_WAIT);
		CHECK_EQ(k_timer_remaining_ticks(&timer), first);
		k_sleep(K_TICKS(first + 4U));
		k_timer_stop(&timer);
		CHECK_EQ(expiries, periodic ? 3 : 1);
		CHECK_EQ(expiry_ticks[0] - begin, first);
		if (periodic) {
			CHECK_EQ(expiry_ticks[1] - begin, first + 2U);
			CHECK_EQ(expiry_ticks[2] - begin, first + 4U);
		}
	}
	notes_clear();
}

TEST_USER(timer_start_with_for_ever_has_no_effect)
{
	uint32_t begin;

	next_tick();
	begin = tick();
	expiries = 0;
	k_timer_start(&timer, K_TICKS(3), K_TICKS(3));
	k_timer_start(&timer, K_FOREVER, K_TICKS(1));
	k_timer_start(&timer, K_FOREVER, K_FOREVER);
	CHECK_EQ(k_timer_remaining_ticks(&timer), 3);
	k_sleep(K_TICKS(3));
	k_timer_start(&timer, K_FOREVER, K_NO_WAIT);
	CHECK_EQ(k_timer_status_get(&timer), 1); /* not cleared either */
	k_sleep(K_TICKS(3));
	CHECK_EQ(expiries, 2);
	CHECK_EQ(expiry_ticks[1] - begin, 6);
	k_timer_stop(&timer);
	k_timer_start(&timer, K_FOREVER, K_TICKS(1));
	CHECK_EQ(k_timer_remaining_ticks(&timer), 0);
	k_sleep(K_TICKS(4));
	CHECK_EQ(expiries, 2);
	CHECK_NOTES("ees");
}

TEST_USER(timer_with_a_period_of_for_ever_expires_once)
{
	expiries = 0;
	k_timer_start(&timer, K_TICKS(1), K_FOREVER);
	k_sleep(K_TICKS(5));
	CHECK_EQ(expiries, 1);
	CHECK_NOTES("e");
}

TEST_USER(timer_restarted_and_stopped)
{
	k_timer_start(&timer, K_TICKS(3), K_NO_WAIT);
	k_timer_start(&timer, K_TICKS(20), K_NO_WAIT);
	k_sleep(K_TICKS(5));
	CHECK_NOTES("");
	k_timer_stop(&timer);
	k_timer_stop(&timer);
	CHECK_NOTES("s");
	k_timer_start(&timer, K_FOREVER, K_NO_WAIT);
	k_sleep(K_TICKS(5));
	CHECK_NOTES("");
}

static void sync_and_note(void *letter)
{
	status = k_timer_status_sync(&plain);
	note(*(const char *)letter);
}

TEST_USER(timer_status_sync)
{
	k_timer_init(&plain, NULL, NULL);
	CHECK_EQ(k_timer_status_sync(&plain), 0);
	k_timer_start(&plain, K_TICKS(2), K_TICKS(2));
	start(sync_and_note, "a", 4);
	CHECK_NOTES("");
	k_sleep(K_TICKS(4));
	CHECK_NOTES("a");
	CHECK_EQ(status, 1);
	k_timer_start(&plain, K_TICKS(50), K_NO_WAIT);
	start(sync_and_note, "b", 4);
	k_timer_stop(&plain);
	CHECK_NOTES("b");
	CHECK_EQ(status, 0);
}

static void take_and_note(void *sem)
{
	(void)k_sem_take(sem, K_FOREVER);
	note('t');
}

TEST_USER(timer_expiry_wakes_a_thread)
{
	static struct k_sem sem;

	(void)k_sem_init(&sem, 0, 1);
	k_timer_user_data_set(&timer, &sem);
	start(take_and_note, &sem, 4);
	k_timer_start(&timer, K_TICKS(2), K_NO_WAIT);
	k_sleep(K_TICKS(5));
	k_timer_user_data_set(&timer, NULL);
	CHECK_NOTES("et");
}

static void stop_in_isr(void *arg)
{
	k_timer_stop(&timer);
}

TEST_USER(timer_stopped_in_an_isr)
{
	k_timer_start(&timer, K_TICKS(3), K_TICKS(3));
	in_isr(stop_in_isr, NULL);
	k_sleep(K_TICKS(8));
	CHECK_NOTES("s");
}

static struct k_timer many[5];
TEST_SHARED static uint32_t order[5];
TEST_SHARED static int num_expired;

static void note_which(struct k_timer *t)
{
	if (num_expired < 5) {
		order[num_expired++] = (uint32_t)(t - many);
	}
}

TEST_USER(timer_those_of_one_tick_expire_first_come_first_served)
{
	num_expired = 0;
	next_tick();
	for (int i = 0; i < 5; i++) {
		k_timer_init(&many[i], note_which, NULL);
		k_timer_start(&many[i], K_TICKS(20), K_NO_WAIT);
	}
	k_sleep(K_TICKS(25));
	CHECK_EQ(num_expired, 5);
	for (uint32_t i = 0; i < 5; i++) {
		CHECK_EQ(order[i], i);
	}
}

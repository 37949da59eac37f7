/* SPDX-License-Identifier: Apache-2.0 */
/* Time: sleeping, uptime, the counter, conversions. */
#include "test.h"
#if __STDC_HOSTED__
#include <board.h>
#include <host.h>
#endif

#define TICKS_PER_SEC CONFIG_SYS_CLOCK_TICKS_PER_SEC

TEST_SHARED static int32_t left;

static void sleep_for_a_second(void *arg)
{
	left = k_sleep(K_SECONDS(1));
	note('w');
}

static void sleep_for_ever(void *arg)
{
	left = k_sleep(K_FOREVER);
	note('w');
}

TEST_USER(time_sleep_is_exact_and_never_short)
{
	for (uint32_t ticks = 1; ticks < 20; ticks += 6) {
		uint32_t begin;

		next_tick();
		begin = tick();
		CHECK_EQ(k_sleep(K_TICKS(ticks)), 0);
		CHECK_EQ(tick() - begin, ticks + 1);
	}
}

TEST_USER(time_sleepers_wake_in_order)
{
	uint32_t begin;

	next_tick();
	begin = tick();
	CHECK_EQ(k_msleep(2), 0);
	CHECK_EQ(tick() - begin, k_ms_to_ticks_ceil32(2) + 1);
	next_tick();
	begin = tick();
	CHECK_EQ(k_usleep(1500), 0);
	CHECK_EQ(tick() - begin, k_us_to_ticks_ceil32(1500) + 1);
	CHECK_EQ(k_sleep(K_NO_WAIT), 0);
}

TEST_USER(time_wakeup_returns_what_was_left)
{
	k_tid_t thread = start(sleep_for_a_second, NULL, 5);

	k_wakeup(thread);
	CHECK_NOTES("w");
	CHECK_EQ(left, 1000);
	thread = start(sleep_for_ever, NULL, 5);
	k_sleep(K_TICKS(3));
	CHECK_NOTES("");
	k_wakeup(thread);
	CHECK_NOTES("w");
	CHECK_EQ(left, -1);
}

static void usleep_for(void *us)
{
	left = k_usleep(*(const int32_t *)us);
	note('w');
}

/* In microseconds, of a sleep that was rounded up to ticks; at most what 31 bits hold. */
TEST(time_points_of_a_sleep_of_microseconds)
{
	static const int32_t asked[] = {1000000, INT32_MAX};

	for (unsigned int i = 0; i < ARRAY_SIZE(asked); i++) {
		k_tid_t thread = start(usleep_for, (void *)&asked[i], 5);
		k_ticks_t expires = k_thread_timeout_expires_ticks(thread);

		CHECK_EQ(expires - k_uptime_ticks(), k_us_to_ticks_ceil32((uint32_t)asked[i]) + 1);
		k_wakeup(thread);
		CHECK_NOTES("w");
		CHECK(left <= asked[i] && left > asked[i] - asked[i] / 4);
		next_tick();
		CHECK_EQ(k_thread_timeout_expires_ticks(k_current_get()), k_uptime_ticks());
		CHECK_EQ(k_thread_timeout_remaining_ticks(k_current_get()), 0);
	}
}

static void sleep_in_isr(void *arg)
{
	left = k_msleep(5);
}

TEST_USER(time_sleep_in_an_isr_does_nothing)
{
	if (!ASSERTIONS) {
		uint32_t begin;

		next_tick();
		begin = tick();
		in_isr(sleep_in_isr, NULL);
		CHECK_EQ(left, k_ticks_to_ms_ceil32(k_ms_to_ticks_ceil32(5)));
		CHECK_EQ(tick(), begin);
	}
}

static void note_letter(void *letter)
{
	note(*(const char *)letter);
}

TEST_USER(time_a_sleep_of_no_time_is_a_yield)
{
	start(note_letter, "a", MAIN_PRIO);
	CHECK_EQ(k_usleep(0), 0);
	note('.');
	start(note_letter, "b", MAIN_PRIO);
	CHECK_EQ(k_usleep(-1), 0);
	note('.');
	start(note_letter, "c", MAIN_PRIO);
	CHECK_EQ(k_msleep(0), 0);
	note('.');
	start(note_letter, "d", MAIN_PRIO);
	CHECK_EQ(k_msleep(INT32_MIN), 0);
	note('.');
	start(note_letter, "e", MAIN_PRIO);
	CHECK_EQ(k_sleep(K_NO_WAIT), 0);
	CHECK_NOTES("a.b.c.d.e");
}

static void sleep_no_time_in_isr(void *arg)
{
	CHECK_EQ(k_usleep(0), 0);
	CHECK_EQ(k_msleep(0), 0);
	note('i');
}

TEST_USER(time_a_sleep_of_no_time_in_an_isr_does_nothing)
{
	if (!ASSERTIONS) {
		start(note_letter, "a", MAIN_PRIO);
		in_isr(sleep_no_time_in_isr, NULL);
		CHECK_NOTES("i");
		k_yield();
		CHECK_NOTES("a");
	}
}

TEST_USER(time_uptime)
{
	int64_t ticks;
	int64_t reference;

	next_tick();
	ticks = k_uptime_ticks();
	CHECK(ticks >= 0 && ticks < INT32_MAX); /* from 0, whatever the first tick's number */
	CHECK_EQ(k_uptime_get(), k_ticks_to_ms_floor64(ticks));
	CHECK_EQ(k_uptime_get_32(), (uint32_t)k_uptime_get());
	reference = k_uptime_get();
	k_msleep(5);
	CHECK(k_uptime_delta(&reference) >= 5);
	CHECK_EQ(reference, k_uptime_get());
}

TEST_USER(time_busy_wait_is_never_short)
{
	uint32_t cycles_per_us = sys_clock_hw_cycles_per_sec() / 1000000U;
	uint32_t begin = k_cycle_get_32();
	uint32_t passed;

	k_busy_wait(1000);
	passed = k_cycle_get_32() - begin;
	CHECK(passed >= 1000 * cycles_per_us);
	CHECK(passed < 1500 * cycles_per_us);
}

TEST(time_busy_wait_with_interrupts_masked)
{
	uint32_t cycles_per_us = sys_clock_hw_cycles_per_sec() / 1000000U;
	unsigned int key = irq_lock();
	uint32_t begin = k_cycle_get_32();

	k_busy_wait(0);
	k_busy_wait(300);
	CHECK(k_cycle_get_32() - begin >= 300 * cycles_per_us);
	irq_unlock(key);
}

#if __STDC_HOSTED__
static void spin_and_compare(uint32_t usec)
{
	uint64_t begin = host_now_cycles();
	int64_t uptime = k_uptime_get();

	k_busy_wait(usec);
	CHECK(host_now_cycles() - begin >= (uint64_t)usec * (BOARD_CLOCK_HZ / 1000000U));
	CHECK(k_uptime_get() - uptime >= usec / 1000U);
}

/* Only the fake machine's time passes fast enough for this: 50 s and 71 minutes, twice. */
TEST(time_busy_wait_beyond_wraps_of_the_counter)
{
	uint32_t cost = host_read_cost_cycles;
	unsigned int key;

	host_read_cost_cycles = 0x01000000U;
	host_limit_cycles = host_now_cycles() + 3U * 3600U * (uint64_t)BOARD_CLOCK_HZ;
	spin_and_compare(50000000);
	spin_and_compare(UINT32_MAX);
	key = irq_lock();
	spin_and_compare(50000000);
	spin_and_compare(UINT32_MAX);
	irq_unlock(key);
	host_read_cost_cycles = cost;
}
#endif

TEST_USER(time_conversions)
{
	CHECK_EQ(K_MSEC(0).ticks, 0);
	CHECK_EQ(K_MSEC(-1).ticks, 0);
	CHECK_EQ(K_SECONDS(2).ticks, 2 * TICKS_PER_SEC);
	CHECK_EQ(K_MSEC(1).ticks, (TICKS_PER_SEC + 999) / 1000);
	CHECK_EQ(K_USEC(1).ticks, 1);
	CHECK_EQ(K_NSEC(1).ticks, 1);
	CHECK(K_TIMEOUT_EQ(K_MINUTES(1), K_SECONDS(60)));
	CHECK(!K_TIMEOUT_EQ(K_FOREVER, K_NO_WAIT));
	CHECK_EQ(k_ticks_to_ms_floor32(TICKS_PER_SEC * 3), 3000);
	CHECK_EQ(k_ticks_to_ms_ceil32(1), (1000 + TICKS_PER_SEC - 1) / TICKS_PER_SEC);
	CHECK_EQ(k_ticks_to_us_floor64(TICKS_PER_SEC), 1000000);
	CHECK_EQ(K_CYC(sys_clock_hw_cycles_per_sec()).ticks, TICKS_PER_SEC);
	CHECK_EQ(K_CYC(1).ticks, 1);
	CHECK_EQ(k_uptime_seconds(), k_uptime_get() / 1000);
}

#ifndef CONFIG_TIMEOUT_64BIT
TEST_USER(time_what_32_bits_do_not_hold_is_clamped)
{
	int64_t far = INT64_MAX;

	CHECK_EQ(K_HOURS(1000000).ticks, K_TICKS_MAX);
	CHECK_EQ(K_TICKS(K_TICKS_MAX).ticks, K_TICKS_MAX);
	CHECK_EQ(K_TICKS(K_TICKS_MAX + 1U).ticks, K_TICKS_MAX);
	CHECK_EQ(K_TICKS(UINT32_MAX - 1U).ticks, K_TICKS_MAX);
	CHECK_EQ(K_TICKS((uint64_t)UINT32_MAX + 1U).ticks, K_TICKS_MAX);
	CHECK_EQ(K_TICKS((int64_t)UINT32_MAX + 2).ticks, K_TICKS_MAX);
	CHECK_EQ(K_SECONDS(far).ticks, K_TICKS_MAX);
	CHECK_EQ(K_NSEC(far).ticks, K_TICKS_MAX);
	CHECK_EQ(K_MSEC(INT64_MAX).ticks, K_TICKS_MAX);
}
#endif

TEST_USER(time_ticks_for_ever_are_for_ever)
{
	static const k_timeout_t constant = K_TICKS(K_TICKS_FOREVER);
	k_ticks_t ticks = K_TICKS_FOREVER;
	int64_t minus_one = -1;

	CHECK(K_TIMEOUT_EQ(constant, K_FOREVER));
	CHECK(K_TIMEOUT_EQ(K_TICKS(ticks), K_FOREVER));
	CHECK(K_TIMEOUT_EQ(K_TICKS(-1), K_FOREVER));
	CHECK(K_TIMEOUT_EQ(K_TICKS(minus_one), K_FOREVER));
	CHECK(K_TIMEOUT_EQ(K_TICKS(0), K_NO_WAIT));
}

TEST_USER(time_conversions_round_as_their_names_say)
{
	CHECK_EQ(k_ms_to_ticks_ceil32(0x80000000U),
		 (uint32_t)((UINT64_C(0x80000000) * TICKS_PER_SEC + 999U) / 1000U));
	CHECK_EQ(k_ms_to_us_floor64(UINT64_C(5000000000)), UINT64_C(5000000000000));
	CHECK_EQ(k_us_to_ms_floor64(1999), 1);
	CHECK_EQ(k_us_to_ms_ceil64(1001), 2);
	CHECK_EQ(k_us_to_ms_near64(1499), 1);
	CHECK_EQ(k_us_to_ms_near64(1500), 2);
	CHECK_EQ(k_ns_to_us_near32(2499), 2);
	CHECK_EQ(k_ns_to_us_near32(2500), 3);
	CHECK_EQ(k_us_to_ms_ceil64(UINT64_MAX), UINT64_MAX / 1000U + 1U);
	CHECK_EQ(k_ns_to_ms_floor32(UINT64_C(4294967296) * 1000000U), 0); /* modulo 2^32 */
	CHECK_EQ(k_cyc_to_ns_floor64(sys_clock_hw_cycles_per_sec()), 1000000000);
	CHECK_EQ(k_ticks_to_cyc_floor64((uint64_t)TICKS_PER_SEC * 10000000U),
		 (uint64_t)sys_clock_hw_cycles_per_sec() * 10000000U);
}

TEST_USER(time_conversions_are_functions_and_constants)
{
	static const uint32_t constant = k_ms_to_ticks_ceil32(20);
	uint32_t (*volatile function)(uint64_t ms) = k_ms_to_ticks_ceil32;
	uint64_t (*volatile to_ns)(uint64_t cycles) = k_cyc_to_ns_near64;

	CHECK_EQ(function(20), constant);
	CHECK_EQ(to_ns(sys_clock_hw_cycles_per_sec()), NSEC_PER_SEC);
}

TEST(time_cycles_of_64_bits_go_with_those_of_32)
{
	uint64_t before = k_cycle_get_64();
	uint32_t low = k_cycle_get_32();
	uint64_t after;

	k_sleep(K_TICKS(3));
	after = k_cycle_get_64();
	CHECK((uint32_t)(low - (uint32_t)before) < k_us_to_cyc_ceil32(1000));
	CHECK(after - before >= k_ticks_to_cyc_floor64(3));
	CHECK(after - before < k_ticks_to_cyc_floor64(6));
}

TEST(time_points_are_time_outs_that_go_on)
{
	k_timepoint_t soon, later;

	next_tick();
	soon = sys_timepoint_calc(K_TICKS(4));
	later = sys_timepoint_calc(K_TICKS(9));
	CHECK_EQ(sys_timepoint_timeout(soon).ticks, 4);
	CHECK_EQ(sys_timepoint_cmp(soon, later), -1);
	CHECK_EQ(sys_timepoint_cmp(later, soon), 1);
	CHECK_EQ(sys_timepoint_cmp(soon, soon), 0);
	CHECK(!sys_timepoint_expired(soon));
	k_sleep(K_TICKS(2));
	CHECK_EQ(sys_timepoint_timeout(soon).ticks, 1);
	k_sleep(K_TICKS(1));
	CHECK(sys_timepoint_expired(soon));
	CHECK(K_TIMEOUT_EQ(sys_timepoint_timeout(soon), K_NO_WAIT));
	CHECK(K_TIMEOUT_EQ(sys_timepoint_timeout(sys_timepoint_calc(K_FOREVER)), K_FOREVER));
	CHECK(K_TIMEOUT_EQ(sys_timepoint_timeout(sys_timepoint_calc(K_NO_WAIT)), K_NO_WAIT));
	CHECK_EQ(sys_timepoint_cmp(later, sys_timepoint_calc(K_FOREVER)), -1);
}

static int next(void)
{
	TEST_SHARED static int calls;

	return ++calls;
}

TEST_USER(time_conversions_evaluate_what_they_convert_once)
{
	(void)K_MSEC(next());
	(void)K_USEC(next());
	(void)K_TICKS(next());
	(void)K_HOURS(next());
	CHECK_EQ(next(), 5);
	CHECK_EQ(k_ms_to_ticks_ceil32(1000 * next()), 6 * TICKS_PER_SEC);
	CHECK_EQ(k_us_to_ticks_ceil32(1000000 * next()), 7 * TICKS_PER_SEC);
}

/* Long and short ones at once: the short ones must not wait for the long ones. */
TEST_USER(time_timeouts_of_every_length_at_once)
{
	static struct k_timer timers[24];

	for (unsigned int i = 0; i < ARRAY_SIZE(timers); i++) {
		k_timer_init(&timers[i], NULL, NULL);
		k_timer_start(&timers[i], K_TICKS(1U << i), K_NO_WAIT);
	}
	next_tick();
	k_sleep(K_TICKS(40));
	for (unsigned int i = 0; i < ARRAY_SIZE(timers); i++) {
		CHECK_EQ(k_timer_status_get(&timers[i]), i <= 5);
		k_timer_stop(&timers[i]);
	}
}

#if CONFIG_SYS_CLOCK_FIRST_TICK != 0
/* Built to start shortly before the tick counter's wrap: the tests above went over it. */
TEST(zz_time_has_wrapped)
{
	CHECK(CONFIG_SYS_CLOCK_FIRST_TICK + (uint32_t)k_uptime_ticks() <
	      CONFIG_SYS_CLOCK_FIRST_TICK);
}
#endif

/* Compiled with all warnings as errors: what types of counts programs have. */
TEST_USER(timeouts_of_variables_of_any_type)
{
	int8_t i8 = 3;
	uint8_t u8 = 3;
	uint16_t u16 = 3;
	int i = 3;
	unsigned int u = 3;
	long l = 3;
	int64_t i64 = 3;
	uint64_t u64 = 3;

	CHECK_EQ(K_TICKS(i8).ticks + K_TICKS(u8).ticks + K_TICKS(u16).ticks, 9);
	CHECK_EQ(K_TICKS(i).ticks + K_TICKS(u).ticks + K_TICKS(l).ticks, 9);
	CHECK_EQ(K_TICKS(i64).ticks + K_TICKS(u64).ticks, 6);
	CHECK_EQ(K_MSEC(u8).ticks, K_MSEC(i64).ticks);
	CHECK_EQ(K_USEC(i8).ticks, K_USEC(u).ticks);
	CHECK_EQ(K_SECONDS(u16).ticks, K_SECONDS(i).ticks);
	CHECK_EQ(K_HOURS(u8).ticks, K_HOURS(u64).ticks);
	i = -1;
	CHECK(K_TIMEOUT_EQ(K_TICKS(i), K_FOREVER));
	CHECK_EQ(K_MSEC(i).ticks, 0);
}

static void mark_expiry(struct k_timer *timer)
{
	*(volatile bool *)k_timer_user_data_get(timer) = true;
}

/* What the measuring library tells ticks by: each alarm sets another, nothing else in the past. */
TEST(time_the_alarm_stands_where_the_next_timeout_is_due)
{
	static struct k_timer timer;
	static volatile bool expired;
	uint32_t due;

	expired = false;
	k_timer_init(&timer, mark_expiry, NULL);
	k_timer_user_data_set(&timer, (void *)&expired);
	k_timer_start(&timer, K_TICKS(3), K_NO_WAIT);
	due = k_cycle_alarm_get_32();
	CHECK((int32_t)(due - k_cycle_get_32()) > 0);
	while (!expired) {
		k_busy_wait(10);
	}
	CHECK((int32_t)(k_cycle_get_32() - due) >= 0);
	CHECK(k_cycle_alarm_get_32() != due);
}

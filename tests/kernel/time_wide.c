/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time-outs of 64 bits (CONFIG_TIMEOUT_64BIT): longer than 2^32 ticks, and those that end at a given
 * tick. Built without it there are none of these tests.
 */
#include "test.h"

#ifdef CONFIG_TIMEOUT_64BIT
#if __STDC_HOSTED__
#include <host.h>
#endif

#define TICKS_PER_SEC CONFIG_SYS_CLOCK_TICKS_PER_SEC

static K_SEM_DEFINE(nobody_gives, 0, 1);
static K_MUTEX_DEFINE(nobody_unlocks);
static K_CONDVAR_DEFINE(nobody_signals);
static K_FIFO_DEFINE(nobody_puts);
static K_EVENT_DEFINE(nobody_posts);
K_STACK_DEFINE(nobody_pushes, 1);
K_MSGQ_DEFINE(nobody_sends, 4, 1, 4);
K_MEM_SLAB_DEFINE(nobody_frees, 8, 1, 8);
K_HEAP_DEFINE(nobody_releases, 64);
K_PIPE_DEFINE(nobody_writes, 4, 4);
static struct k_thread *waiter;

static long wait_sem(k_timeout_t timeout)
{
	return k_sem_take(&nobody_gives, timeout);
}

static long wait_mutex(k_timeout_t timeout)
{
	return k_mutex_lock(&nobody_unlocks, timeout);
}

static long wait_condvar(k_timeout_t timeout)
{
	static K_MUTEX_DEFINE(mutex);
	int result;

	(void)k_mutex_lock(&mutex, K_FOREVER);
	result = k_condvar_wait(&nobody_signals, &mutex, timeout);
	k_mutex_unlock(&mutex);
	return result;
}

static long wait_fifo(k_timeout_t timeout)
{
	return k_fifo_get(&nobody_puts, timeout) == NULL ? -EAGAIN : 0;
}

static long wait_event(k_timeout_t timeout)
{
	return k_event_wait(&nobody_posts, 1, false, timeout) == 0 ? -EAGAIN : 0;
}

static long wait_stack(k_timeout_t timeout)
{
	stack_data_t data;

	return k_stack_pop(&nobody_pushes, &data, timeout) == -EBUSY ? -EBUSY : -EAGAIN;
}

static long wait_msgq(k_timeout_t timeout)
{
	uint32_t message;

	return k_msgq_get(&nobody_sends, &message, timeout);
}

static long wait_slab(k_timeout_t timeout)
{
	void *first = NULL;
	void *second;
	long result;

	CHECK_EQ(k_mem_slab_alloc(&nobody_frees, &first, K_NO_WAIT), 0);
	result = k_mem_slab_alloc(&nobody_frees, &second, timeout);
	k_mem_slab_free(&nobody_frees, first);
	return result;
}

static long wait_heap(k_timeout_t timeout)
{
	void *first = k_heap_alloc(&nobody_releases, 32, K_NO_WAIT);
	void *second = k_heap_alloc(&nobody_releases, 48, timeout);

	k_heap_free(&nobody_releases, first);
	return second == NULL ? -EAGAIN : 0;
}

static long wait_pipe(k_timeout_t timeout)
{
	uint8_t byte;

	return k_pipe_read(&nobody_writes, &byte, 1, timeout);
}

static long wait_poll(k_timeout_t timeout)
{
	struct k_poll_event event = K_POLL_EVENT_INITIALIZER(
		K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &nobody_gives);

	return k_poll(&event, 1, timeout);
}

static long wait_join(k_timeout_t timeout)
{
	return k_thread_join(waiter, timeout);
}

static long wait_sleep(k_timeout_t timeout)
{
	return k_sleep(timeout) == 0 ? -EAGAIN : 0;
}

static long (*const waits[])(k_timeout_t timeout) = {
	wait_sem,  wait_mutex, wait_condvar, wait_fifo, wait_event, wait_stack, wait_msgq,
	wait_slab, wait_heap,  wait_pipe,    wait_poll, wait_join,  wait_sleep,
};

/* The one that wait_mutex() and wait_join() wait for. */
static void hold(void *unused)
{
	(void)k_mutex_lock(&nobody_unlocks, K_FOREVER);
	k_sleep(K_FOREVER);
}

TEST(wide_a_wait_until_a_tick_ends_at_that_tick)
{
	waiter = start(hold, NULL, -1);
	for (unsigned int i = 0; i < ARRAY_SIZE(waits); i++) {
		int64_t until;

		next_tick();
		until = k_uptime_ticks() + 3;
		CHECK_EQ(waits[i](K_TIMEOUT_ABS_TICKS(until)), -EAGAIN);
		CHECK_EQ(k_uptime_ticks() - until, 0);
		CHECK_EQ(waits[i](K_TIMEOUT_ABS_TICKS(until)), -EAGAIN); /* it has been */
		CHECK_EQ(k_uptime_ticks() - until, 1);
		CHECK_EQ(waits[i](K_TIMEOUT_ABS_TICKS(0)), -EAGAIN);
		CHECK_EQ(k_uptime_ticks() - until, 2);
		CHECK_EQ(waits[i](K_TICKS(2)), -EAGAIN); /* and others are as they were */
		CHECK_EQ(k_uptime_ticks() - until, 5);
	}
	k_thread_abort(waiter);
	k_mutex_init(&nobody_unlocks);
}

TEST(wide_a_wait_until_a_tick_is_over_early_by_what_it_waited_for)
{
	int64_t begin;

	next_tick();
	begin = k_uptime_ticks();
	start(give_sem, &nobody_gives, K_PRIO_PREEMPT(10));
	CHECK_EQ(k_sem_take(&nobody_gives, K_TIMEOUT_ABS_TICKS(begin + 1000)), 0);
	CHECK(k_uptime_ticks() - begin < 100);
	CHECK_EQ(k_sem_take(&nobody_gives, K_NO_WAIT), -EBUSY);
}

static int64_t timer_ticks[4];
static unsigned int expiries;

static void note_tick(struct k_timer *timer)
{
	if (expiries < ARRAY_SIZE(timer_ticks)) {
		timer_ticks[expiries] = k_uptime_ticks();
	}
	expiries++;
}

TEST(wide_timers_start_at_a_tick)
{
	static K_TIMER_DEFINE(timer, note_tick, NULL);
	int64_t begin;

	expiries = 0;
	next_tick();
	begin = k_uptime_ticks();
	k_timer_start(&timer, K_TIMEOUT_ABS_TICKS(begin + 4), K_TICKS(2));
	CHECK(k_timer_expires_ticks(&timer) == begin + 4);
	CHECK(k_timer_remaining_ticks(&timer) == 4);
	k_sleep(K_TIMEOUT_ABS_TICKS(begin + 7));
	CHECK_EQ(expiries, 2);
	CHECK_EQ(timer_ticks[0] - begin, 4);
	CHECK_EQ(timer_ticks[1] - begin, 6);
	k_timer_start(&timer, K_TIMEOUT_ABS_TICKS(begin), K_NO_WAIT); /* it has been: at the next */
	k_sleep(K_TICKS(3));
	CHECK_EQ(expiries, 3);
	CHECK_EQ(timer_ticks[2] - begin, 8);
	k_timer_start(&timer, K_TICKS(1), K_TIMEOUT_ABS_TICKS(begin + 20)); /* no period: once */
	k_sleep(K_TICKS(30));
	CHECK_EQ(expiries, 4);
	CHECK_EQ(k_timer_remaining_ticks(&timer), 0);
}

static int64_t work_tick;

static void note_work(struct k_work *work)
{
	work_tick = k_uptime_ticks();
}

TEST(wide_delayed_work_is_due_at_a_tick)
{
	static K_WORK_DELAYABLE_DEFINE(work, note_work);
	int64_t begin;

	next_tick();
	begin = k_uptime_ticks();
	CHECK_EQ(k_work_schedule(&work, K_TIMEOUT_ABS_TICKS(begin + 5)), 1);
	CHECK(k_work_delayable_expires_get(&work) == begin + 5);
	CHECK(k_work_delayable_remaining_get(&work) == 5);
	k_sleep(K_TICKS(10));
	CHECK_EQ(work_tick - begin, 5);
	CHECK_EQ(k_work_schedule(&work, K_TICKS(INT64_C(1) << 40)), 1);
	CHECK(k_work_delayable_remaining_get(&work) > (INT64_C(1) << 40) - 2);
	CHECK_EQ(k_work_cancel_delayable(&work), 0);
}

static void note_start(void *tick)
{
	*(int64_t *)tick = k_uptime_ticks();
}

TEST(wide_a_thread_starts_at_a_tick)
{
	static struct k_thread late;
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
	static int64_t started;
	int64_t begin;

	next_tick();
	begin = k_uptime_ticks();
	(void)k_thread_create(&late, stack, K_THREAD_STACK_SIZEOF(stack),
			      (k_thread_entry_t)(void (*)(void))note_start, &started, NULL, NULL,
			      -1, 0, K_TIMEOUT_ABS_TICKS(begin + 6));
	CHECK(k_thread_timeout_expires_ticks(&late) == begin + 6);
	CHECK_EQ(k_thread_join(&late, K_FOREVER), 0);
	CHECK_EQ(started - begin, 6);
}

TEST(wide_moments_of_the_uptime_in_every_unit)
{
	static const k_timeout_t constant = K_TIMEOUT_ABS_MS(INT64_C(5000000000000));
	int64_t ms = INT64_C(5000000000000);

	CHECK(constant.ticks == -2 - (int64_t)k_ms_to_ticks_ceil64(5000000000000));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_ABS_MS(ms), constant));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_ABS_SEC(5000000000), constant));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_ABS_US(ms * 1000), constant));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_ABS_NS(ms), K_TIMEOUT_ABS_SEC(5000)));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_ABS_CYC((uint64_t)sys_clock_hw_cycles_per_sec() * 7U),
			   K_TIMEOUT_ABS_SEC(7)));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_ABS_MS(-1), K_TIMEOUT_ABS_TICKS(0)));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_ABS_TICKS(-5), K_TIMEOUT_ABS_TICKS(0)));
	CHECK(!K_TIMEOUT_EQ(K_TIMEOUT_ABS_TICKS(0), K_NO_WAIT));
	CHECK(!K_TIMEOUT_EQ(K_TIMEOUT_ABS_TICKS(INT64_MAX), K_FOREVER));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_ABS_SEC(INT64_MAX), K_TIMEOUT_ABS_TICKS(INT64_MAX)));
}

TEST(wide_time_outs_hold_what_32_bits_do_not)
{
	CHECK(K_TICKS(INT64_C(1) << 40).ticks == INT64_C(1) << 40);
	CHECK(K_TICKS(UINT32_MAX).ticks == UINT32_MAX); /* of 64 bits, so not for ever */
	CHECK(K_HOURS(1000000).ticks == INT64_C(3600000000) * TICKS_PER_SEC);
	CHECK(K_SECONDS(INT64_MAX).ticks == K_TICKS_MAX);
	CHECK(K_NSEC(INT64_MAX).ticks == (int64_t)k_ns_to_ticks_ceil64(INT64_MAX));
	CHECK(K_MSEC(-1).ticks == 0);
	CHECK(K_TICKS_FOREVER < 0);
}

TEST(wide_what_is_left_of_a_long_wait)
{
	const int64_t ticks = INT64_C(1) << 40;
	static struct k_timer timer;
	k_timepoint_t moment;

	k_timer_init(&timer, NULL, NULL);
	next_tick();
	k_timer_start(&timer, K_TICKS(ticks), K_NO_WAIT);
	CHECK(k_timer_remaining_ticks(&timer) == ticks);
	CHECK(k_timer_expires_ticks(&timer) == k_uptime_ticks() + ticks);
	k_timer_start(&timer, K_TICKS(K_TICKS_MAX), K_NO_WAIT);
	k_sleep(K_TICKS(2));
	CHECK(k_timer_remaining_ticks(&timer) > K_TICKS_MAX - 10);
	CHECK_EQ(k_timer_status_get(&timer), 0);
	k_timer_stop(&timer);
	moment = sys_timepoint_calc(K_TICKS(ticks));
	CHECK(sys_timepoint_timeout(moment).ticks > ticks - 10);
	moment = sys_timepoint_calc(K_TIMEOUT_ABS_TICKS(k_uptime_ticks() + 3));
	CHECK(sys_timepoint_timeout(moment).ticks <= 3);
	k_sleep(K_TICKS(3));
	CHECK(sys_timepoint_expired(moment));
}

static int32_t left_ms;

static void sleep_long(void *timeout)
{
	left_ms = k_sleep(*(k_timeout_t *)timeout);
}

TEST(wide_a_long_sleep_that_is_ended_says_what_was_left)
{
	static k_timeout_t timeout;
	k_tid_t sleeper;

	timeout = K_TICKS(INT64_C(1) << 50);
	sleeper = start(sleep_long, &timeout, -1);
	k_wakeup(sleeper);
	k_thread_join(sleeper, K_FOREVER);
	CHECK_EQ(left_ms, INT32_MAX);
	next_tick();
	timeout = K_TIMEOUT_ABS_TICKS(k_uptime_ticks() + 4 * (int64_t)TICKS_PER_SEC);
	sleeper = start(sleep_long, &timeout, -1);
	k_wakeup(sleeper);
	k_thread_join(sleeper, K_FOREVER);
	CHECK_EQ(left_ms, 4000);
}

#if __STDC_HOSTED__
/* Only the fake machine's time passes fast enough for this. */
TEST(wide_a_sleep_beyond_2_to_the_32_ticks)
{
	const int64_t ticks = (INT64_C(1) << 32) + 5;
	static struct k_timer timer;
	int64_t begin, uptime_ms;

	k_timer_init(&timer, NULL, NULL);
	host_limit_cycles = UINT64_MAX;
	next_tick();
	begin = k_uptime_ticks();
	uptime_ms = k_uptime_get();
	k_timer_start(&timer, K_TICKS(ticks - 1), K_NO_WAIT);
	CHECK_EQ(k_sleep(K_TICKS(ticks - 1)), 0);
	CHECK(k_uptime_ticks() - begin == ticks);
	CHECK_EQ(k_timer_status_get(&timer), 1);
	CHECK(k_uptime_get() - uptime_ms == ticks * 1000 / TICKS_PER_SEC);
	CHECK_EQ(k_sem_take(&nobody_gives, K_TIMEOUT_ABS_TICKS(begin + 2 * ticks)), -EAGAIN);
	CHECK(k_uptime_ticks() - begin == 2 * ticks);
}
#endif
#endif

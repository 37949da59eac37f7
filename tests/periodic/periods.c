/* SPDX-License-Identifier: Apache-2.0 */
/* Releases: their grid, what takes precedence, overruns, and the end of a period. */
#include "test.h"

#define PERIOD 5U
#define ROUNDS 4U

static struct {
	uint32_t at[16];       /* ticks */
	int result[16];        /* of k_period_wait() */
	enum k_trigger why[16];
	unsigned int count;
	uint32_t busy_ticks;   /* in the first round */
	uint32_t sleep_ticks;  /* in the first round */
} seen;

static void reset(uint32_t busy_ticks, uint32_t sleep_ticks)
{
	seen.count = 0;
	seen.busy_ticks = busy_ticks;
	seen.sleep_ticks = sleep_ticks;
}

static void spin(uint32_t ticks)
{
	uint32_t end = tick() + ticks;

	while ((int32_t)(tick() - end) < 0) {
		k_busy_wait(20);
	}
}

static void rounds(void *arg)
{
	for (;;) {
		int result = k_period_wait();

		seen.result[seen.count] = result;
		seen.at[seen.count] = tick();
		seen.why[seen.count] = k_trigger_get();
		seen.count++;
		if (seen.count == 1) {
			spin(seen.busy_ticks);
			if (seen.sleep_ticks != 0) {
				(void)k_sleep(K_TICKS(seen.sleep_ticks - 1U));
			}
		}
	}
}

static k_tid_t begin(int prio, uint32_t first)
{
	k_tid_t thread = prepare(rounds, NULL, prio);

	CHECK_EQ(k_thread_period_set_at(thread, K_TICKS(PERIOD), first), 0);
	k_thread_start(thread);
	return thread;
}

TEST(releases_stay_on_the_grid)
{
	uint32_t first;

	reset(0, 0);
	next_tick();
	first = tick() + 3U;
	(void)begin(MAIN_PRIO - 1, first);
	(void)k_sleep(K_TICKS(3U + PERIOD * ROUNDS));
	CHECK(seen.count >= ROUNDS);
	for (unsigned int i = 0; i < MIN(seen.count, ROUNDS); i++) {
		CHECK_EQ(seen.at[i] - first, i * PERIOD);
		CHECK_EQ(seen.result[i], 0);
		CHECK_EQ(seen.why[i], K_TRIGGER_PERIOD);
	}
}

TEST(an_overrun_is_counted_and_one_release_kept)
{
	struct k_period_stats stats;
	uint32_t first;
	k_tid_t thread;

	reset(2U * PERIOD + 2U, 0);
	next_tick();
	first = tick() + 3U;
	thread = begin(MAIN_PRIO - 1, first);
	(void)k_sleep(K_TICKS(3U + 3U * PERIOD));
	k_thread_period_stats_get(thread, &stats);
	CHECK_EQ(stats.overruns, 2);
	CHECK_EQ(stats.skipped, 0);
	CHECK_EQ(seen.result[1], 1);
	CHECK_EQ(seen.at[1] - first, 2U * PERIOD + 2U); /* at once */
	CHECK_EQ(seen.result[2], 0);
	CHECK_EQ(seen.at[2] - first, 3U * PERIOD); /* and on the grid again */
}

TEST(a_sleep_takes_precedence)
{
	struct k_period_stats stats;
	uint32_t first;
	k_tid_t thread;

	reset(0, 2U * PERIOD + 2U);
	next_tick();
	first = tick() + 3U;
	thread = begin(MAIN_PRIO - 1, first);
	(void)k_sleep(K_TICKS(3U + 3U * PERIOD));
	k_thread_period_stats_get(thread, &stats);
	CHECK_EQ(stats.overruns, 0);
	CHECK_EQ(stats.skipped, 2);
	CHECK_EQ(seen.at[1] - first, 3U * PERIOD);
}

TEST(equals_have_their_turn_before_a_late_one)
{
	uint32_t first;

	reset(0, 0);
	next_tick();
	first = tick() + 5U;
	(void)begin(MAIN_PRIO + 1, first);
	(void)begin(MAIN_PRIO + 1, first);
	(void)k_sleep(K_TICKS(1)); /* both come to their wait */
	spin(4U + PERIOD);         /* and cannot run when released: late by a release */
	(void)k_sleep(K_TICKS(1));
	CHECK_EQ(seen.count, 4);
	CHECK_EQ(seen.result[0] + seen.result[1], 0); /* first one round of each, */
	CHECK_EQ(seen.result[2] + seen.result[3], 2); /* then the kept releases */
}

TEST(a_wakeup_ends_the_wait)
{
	k_tid_t thread;

	reset(0, 0);
	thread = begin(MAIN_PRIO - 1, tick() + 1000U);
	k_wakeup(thread);
	CHECK_EQ(seen.count, 1);
	CHECK_EQ(seen.result[0], 0);
	CHECK_EQ(seen.why[0], K_TRIGGER_NONE);
}

TEST(a_release_while_suspended_counts_when_resumed)
{
	k_tid_t thread;

	reset(0, 0);
	next_tick();
	thread = begin(MAIN_PRIO - 1, tick() + 3U);
	k_thread_suspend(thread);
	(void)k_sleep(K_TICKS(4));
	CHECK_EQ(seen.count, 0);
	k_thread_resume(thread);
	CHECK_EQ(seen.count, 1);
	CHECK_EQ(seen.why[0], K_TRIGGER_PERIOD);
}

static void once(void *arg)
{
	*(int *)arg = k_period_wait();
}

static void once_of_many(void *p1, void *p2, void *p3)
{
	once(p1);
}

TEST(without_a_period_there_is_no_wait)
{
	int result = 0;

	(void)start(once, &result, MAIN_PRIO - 1);
	CHECK_EQ(result, -EINVAL);
	CHECK_EQ(k_thread_period_set(k_current_get(), K_FOREVER, K_NO_WAIT), -EINVAL);
	CHECK_EQ(k_thread_period_set(k_current_get(), K_TICKS(1), K_FOREVER), -EINVAL);
}

TEST(a_period_is_a_time_that_comes_again)
{
	CHECK_EQ(k_thread_period_set_at(k_current_get(), K_FOREVER, 5), -EINVAL);
#ifdef CONFIG_TIMEOUT_64BIT
	CHECK_EQ(k_thread_period_set(k_current_get(), K_TIMEOUT_ABS_TICKS(5), K_NO_WAIT), -EINVAL);
	CHECK_EQ(k_thread_period_set_at(k_current_get(), K_TIMEOUT_ABS_TICKS(5), 5), -EINVAL);
#endif
	CHECK_EQ(k_period_wait(), -EINVAL);
}

static struct k_sem nearer;

static void note_when_given(void *arg)
{
	(void)k_sem_take(&nearer, K_FOREVER);
	note('u');
}

static void wait_with_a_lock(void *result)
{
	CHECK_EQ(k_thread_period_set_at(k_current_get(), K_TICKS(PERIOD), tick() + PERIOD), 0);
	k_sched_lock();
	k_sem_give(&nearer); /* who is more urgent has to wait, for that long */
	note('l');
	*(int *)result = k_period_wait();
	note('p');
	k_sched_unlock();
}

/* The scheduler is locked against others, not against its own wait. */
TEST(a_release_is_waited_for_with_the_scheduler_locked)
{
	int result = -1;
	k_tid_t thread;

	(void)k_sem_init(&nearer, 0, 1);
	(void)start(note_when_given, NULL, MAIN_PRIO - 2);
	thread = start(wait_with_a_lock, &result, MAIN_PRIO - 1);
	CHECK_NOTES("lu");
	(void)k_sleep(K_TICKS(PERIOD + 1U));
	CHECK_NOTES("p");
	CHECK_EQ(result, 0);
	CHECK_EQ(k_thread_join(thread, K_NO_WAIT), 0);
}

static void expire(struct k_timer *timer)
{
}

/* Groups are looked for among a few timeouts of their tick; beyond there is one more. */
TEST(a_group_among_many_timeouts_is_released_on_its_grid)
{
	static struct k_timer timers[20];
	uint32_t first;

	reset(0, 0);
	next_tick();
	first = tick() + 5U;
	(void)begin(MAIN_PRIO - 1, first);
	for (unsigned int i = 0; i < ARRAY_SIZE(timers); i++) {
		k_timer_init(&timers[i], expire, NULL);
		k_timer_start(&timers[i], K_TICKS(first - tick() - 1U), K_NO_WAIT);
	}
	(void)begin(MAIN_PRIO - 1, first);
	(void)begin(MAIN_PRIO - 1, first);
	(void)k_sleep(K_TICKS(5U + PERIOD));
	CHECK_EQ(seen.count, 6);
	for (unsigned int i = 0; i < MIN(seen.count, 6U); i++) {
		CHECK_EQ(seen.at[i] - first, i < 3 ? 0 : PERIOD);
	}
}

TEST(a_period_ends)
{
	k_tid_t thread;

	reset(0, 0);
	next_tick();
	thread = begin(MAIN_PRIO - 1, tick() + 2U);
	(void)k_sleep(K_TICKS(3));
	CHECK_EQ(seen.count, 1);
	CHECK_EQ(k_thread_period_set(thread, K_NO_WAIT, K_NO_WAIT), 0);
	(void)k_sleep(K_TICKS(2U * PERIOD));
	CHECK_EQ(seen.count, 1);
}

/* A block that a thread has left is in no ring, however it is made one again. */
TEST(a_thread_that_has_ended_gets_no_period)
{
	static struct k_thread thread;
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
	uint32_t first;
	int result;

	for (int round = 0; round < 3; round++) {
		(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), once_of_many,
				      &result, NULL, NULL, MAIN_PRIO - 1, 0, K_FOREVER);
		next_tick();
		first = tick() + 2U;
		if (round != 0) { /* a period that its end has to end */
			CHECK_EQ(k_thread_period_set_at(&thread, K_TICKS(PERIOD), first), 0);
		}
		result = 99;
		k_thread_start(&thread);
		(void)k_sleep(K_TICKS(3));
		CHECK_EQ(k_thread_join(&thread, K_NO_WAIT), 0);
		CHECK_EQ(result, round == 0 ? -EINVAL : 0);
		CHECK_EQ(k_thread_period_set(&thread, K_TICKS(1), K_NO_WAIT), -ESRCH);
		CHECK_EQ(k_thread_period_set(&thread, K_NO_WAIT, K_NO_WAIT), -ESRCH);
		CHECK_EQ(k_thread_period_set_at(&thread, K_TICKS(1), tick() + 1U), -ESRCH);
		(void)k_sleep(K_TICKS(PERIOD));
	}
}

TEST(the_shorter_period_is_released_first)
{
	uint32_t first;
	k_tid_t slow;
	k_tid_t fast;

	reset(0, 0);
	next_tick();
	first = tick() + 3U;
	slow = prepare(rounds, NULL, MAIN_PRIO + 1);
	fast = prepare(rounds, NULL, MAIN_PRIO + 1);
	CHECK_EQ(k_thread_period_set_at(slow, K_TICKS(4), first), 0);
	CHECK_EQ(k_thread_period_set_at(fast, K_TICKS(2), first), 0);
	k_thread_start(slow);
	k_thread_start(fast);
	(void)k_sleep(K_TICKS(5)); /* past one release of both, and one of the fast one */
	spin(2);     /* over the tick of both */
	CHECK((fast->state & K_THREAD_QUEUED) != 0);
	CHECK(fast->next == slow);
	CHECK(slow->next == fast);
}

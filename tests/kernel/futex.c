/* SPDX-License-Identifier: Apache-2.0 */
/* Futexes, in kernel mode; tests/user/polls.c has those of user threads. */
#include "test.h"

/* The first and the last are in one wait queue of the kernel's: it has eight, by the address. */
static struct k_futex futexes[9];
static int result;

static void wait_first(void *letter)
{
	result = k_futex_wait(&futexes[0], 0, K_FOREVER);
	note(*(const char *)letter);
}

static void wait_last(void *letter)
{
	(void)k_futex_wait(&futexes[8], 0, K_FOREVER);
	note(*(const char *)letter);
}

static void wait_20_ticks(void *letter)
{
	result = k_futex_wait(&futexes[0], 0, K_TICKS(20));
	note(*(const char *)letter);
}

static void wake_one(void *futex)
{
	CHECK_EQ(k_futex_wake(futex, false), 1);
}

static void begin(void)
{
	(void)atomic_set(&futexes[0].val, 0);
	(void)atomic_set(&futexes[8].val, 0);
}

TEST(futex_wait_is_refused_where_the_value_is_another)
{
	begin();
	CHECK_EQ(k_futex_wait(&futexes[0], 1, K_FOREVER), -EAGAIN);
	CHECK_EQ(k_futex_wait(&futexes[0], 0, K_NO_WAIT), -ETIMEDOUT);
	(void)atomic_set(&futexes[0].val, -1);
	CHECK_EQ(k_futex_wait(&futexes[0], 0, K_FOREVER), -EAGAIN);
	CHECK_EQ(k_futex_wait(&futexes[0], -1, K_NO_WAIT), -ETIMEDOUT);
}

TEST(futex_not_aligned_is_refused)
{
	struct k_futex *astray = (struct k_futex *)(void *)((char *)&futexes[0] + 1);

	CHECK_EQ(k_futex_wait(astray, 0, K_NO_WAIT), -EINVAL);
	CHECK_EQ(k_futex_wake(astray, true), -EINVAL);
}

TEST(futex_timeout_is_exact)
{
	uint32_t began;

	begin();
	next_tick();
	began = tick();
	CHECK_EQ(k_futex_wait(&futexes[0], 0, K_TICKS(3)), -ETIMEDOUT);
	CHECK_EQ(tick() - began, 4);
	(void)start(wait_20_ticks, "a", MAIN_PRIO - 1);
	CHECK_EQ(k_futex_wake(&futexes[0], false), 1);
	CHECK_EQ(result, 0);
	CHECK_NOTES("a");
}

TEST(futex_waiters_by_priority_then_first_come)
{
	begin();
	(void)start(wait_first, "a", 5);
	(void)start(wait_first, "b", 4);
	(void)start(wait_first, "c", 5);
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(k_futex_wake(&futexes[0], false), 1);
		note('.');
	}
	CHECK_EQ(k_futex_wake(&futexes[0], false), 0);
	CHECK_NOTES("b.a.c.");
}

TEST(futex_wakes_all_of_its_own_and_nobody_elses)
{
	begin();
	(void)start(wait_last, "x", 3);
	(void)start(wait_first, "a", 4);
	(void)start(wait_last, "y", 4);
	(void)start(wait_first, "b", 5);
	CHECK_EQ(k_futex_wake(&futexes[0], true), 2);
	CHECK_NOTES("ab");
	CHECK_EQ(k_futex_wake(&futexes[8], true), 2);
	CHECK_NOTES("xy");
}

TEST(futex_woken_in_an_isr)
{
	begin();
	(void)start(wait_first, "a", MAIN_PRIO - 1);
	in_isr(wake_one, &futexes[0]);
	CHECK_NOTES("a");
	CHECK_EQ(result, 0);
}

TEST(futex_waiter_that_is_aborted_is_not_woken)
{
	k_tid_t waiter;

	begin();
	waiter = start(wait_first, "a", MAIN_PRIO - 1);
	k_thread_abort(waiter);
	CHECK_EQ(k_futex_wake(&futexes[0], true), 0);
	CHECK_NOTES("");
}

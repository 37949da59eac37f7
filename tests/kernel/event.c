/* SPDX-License-Identifier: Apache-2.0 */
/* Events. */
#include "test.h"

K_EVENT_DEFINE(event);
TEST_SHARED static uint32_t found[3];

/* What a waiter waits for, and how. */
struct wait {
	int index;
	char letter;
	uint32_t flags;
	bool all;
	bool safe;
};

static void wait_and_note(void *arg)
{
	const struct wait *w = arg;
	uint32_t result;

	if (w->all) {
		result = w->safe ? k_event_wait_all_safe(&event, w->flags, false, K_FOREVER)
				 : k_event_wait_all(&event, w->flags, false, K_FOREVER);
	} else {
		result = w->safe ? k_event_wait_safe(&event, w->flags, false, K_FOREVER)
				 : k_event_wait(&event, w->flags, false, K_FOREVER);
	}
	found[w->index] = result;
	note(w->letter);
}

static void post(void *flags)
{
	(void)k_event_post(&event, *(uint32_t *)flags);
}

TEST_USER(event_changes_return_what_was_there)
{
	k_event_init(&event);
	CHECK_EQ(k_event_post(&event, 0x5), 0);
	CHECK_EQ(k_event_post(&event, 0x6), 0x4);
	CHECK_EQ(k_event_test(&event, 0xff), 0x7);
	CHECK_EQ(k_event_set(&event, 0x10), 0x7);
	CHECK_EQ(k_event_set_masked(&event, 0x3, 0x11), 0x10);
	CHECK_EQ(k_event_test(&event, 0xff), 0x1);
	CHECK_EQ(k_event_clear(&event, 0x3), 0x1);
	CHECK_EQ(k_event_test(&event, 0xff), 0);
}

TEST_USER(event_wait_for_what_is_there)
{
	k_event_init(&event);
	(void)k_event_post(&event, 0x6);
	CHECK_EQ(k_event_wait(&event, 0x3, false, K_NO_WAIT), 0x2);
	CHECK_EQ(k_event_wait_all(&event, 0x6, false, K_FOREVER), 0x6);
	CHECK_EQ(k_event_wait_all(&event, 0x7, false, K_NO_WAIT), 0);
	CHECK_EQ(k_event_wait(&event, 0x8, false, K_NO_WAIT), 0);
	CHECK_EQ(k_event_test(&event, 0xff), 0x6);
	CHECK_EQ(k_event_wait_safe(&event, 0x2, false, K_NO_WAIT), 0x2);
	CHECK_EQ(k_event_test(&event, 0xff), 0x4);
	CHECK_EQ(k_event_wait_all_safe(&event, 0x5, false, K_NO_WAIT), 0);
	CHECK_EQ(k_event_test(&event, 0xff), 0x4);
}

TEST_USER(event_reset_clears_before_the_wait)
{
	k_event_init(&event);
	(void)k_event_post(&event, 0x6);
	CHECK_EQ(k_event_wait(&event, 0x6, true, K_NO_WAIT), 0);
	CHECK_EQ(k_event_test(&event, 0xff), 0);
}

TEST_USER(event_wait_for_nothing_returns_at_once)
{
	k_event_init(&event);
	CHECK_EQ(k_event_wait(&event, 0, false, K_FOREVER), 0);
	CHECK_EQ(k_event_wait_all(&event, 0, false, K_FOREVER), 0);
}

TEST_USER(event_post_wakes_all_whose_condition_holds)
{
	static const struct wait any = {0, 'a', 0x3, false, false};
	static const struct wait all = {1, 'b', 0x3, true, false};
	static const struct wait other = {2, 'c', 0x4, false, false};

	k_event_init(&event);
	start(wait_and_note, (void *)&any, 5);
	start(wait_and_note, (void *)&all, 4);
	start(wait_and_note, (void *)&other, 3);
	(void)k_event_post(&event, 0x1);
	CHECK_NOTES("a");
	CHECK_EQ(found[0], 0x1);
	(void)k_event_post(&event, 0x2);
	CHECK_NOTES("b");
	CHECK_EQ(found[1], 0x3);
	(void)k_event_set(&event, 0x4);
	CHECK_NOTES("c");
	CHECK_EQ(found[2], 0x4);
	CHECK_EQ(k_event_test(&event, 0xff), 0x4);
}

TEST_USER(event_all_waiters_are_judged_by_the_same_flags)
{
	static const struct wait first = {0, 'a', 0x1, false, true};
	static const struct wait second = {1, 'b', 0x3, true, true};

	k_event_init(&event);
	start(wait_and_note, (void *)&first, 4);
	start(wait_and_note, (void *)&second, 5);
	(void)k_event_post(&event, 0x3);
	CHECK_NOTES("ab");
	CHECK_EQ(found[0], 0x1);
	CHECK_EQ(found[1], 0x3);
	CHECK_EQ(k_event_test(&event, 0xff), 0);
}

TEST_USER(event_waiters_run_by_priority)
{
	static const struct wait low = {0, 'l', 0x1, false, false};
	static const struct wait high = {1, 'h', 0x1, false, false};
	static const struct wait less = {2, 'x', 0x1, false, false};

	k_event_init(&event);
	start(wait_and_note, (void *)&low, 5);
	start(wait_and_note, (void *)&high, 3);
	start(wait_and_note, (void *)&less, MAIN_PRIO + 1);
	k_sleep(K_TICKS(1));
	(void)k_event_post(&event, 0x1);
	note('m');
	k_sleep(K_TICKS(1));
	CHECK_NOTES("hlmx");
}

TEST_USER(event_posted_in_an_isr)
{
	static const struct wait any = {0, 'w', 0x80000000U, false, false};
	uint32_t flags = 0x80000000U;

	k_event_init(&event);
	start(wait_and_note, (void *)&any, 5);
	in_isr(post, &flags);
	note('m');
	CHECK_NOTES("wm");
	CHECK_EQ((uint32_t)found[0] >> 31, 1);
}

TEST_USER(event_timeout_is_exact)
{
	uint32_t begin;

	k_event_init(&event);
	next_tick();
	begin = tick();
	CHECK_EQ(k_event_wait(&event, 0x1, false, K_TICKS(6)), 0);
	CHECK_EQ(tick() - begin, 7);
	CHECK_EQ(k_event_wait_all_safe(&event, 0x1, true, K_TICKS(2)), 0);
	CHECK_EQ(tick() - begin, 10);
}

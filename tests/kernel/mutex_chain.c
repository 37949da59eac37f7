/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inheritance along a chain of owners that is longer than CONFIG_MUTEX_CHAIN_MAX: what rose in
 * several steps falls back in one, however its cause goes.
 */
#include "test.h"

#define OWNERS  12
/* The mutex of the first owner that a rise from the last one does not reach: who waits for it
 * carries the rise on, as far again.
 */
#define LATE    (OWNERS - 1 - CONFIG_MUTEX_CHAIN_MAX)
#define CARRIED MIN(LATE + 1, CONFIG_MUTEX_CHAIN_MAX)

BUILD_ASSERT(LATE >= 0, "else nothing is beyond it");

static struct k_mutex mutexes[OWNERS];
static struct k_thread owners[OWNERS];
static K_THREAD_STACK_ARRAY_DEFINE(owner_stacks, OWNERS, STACK_SIZE);
static struct k_sem never;
static int result; /* of the cause */

/* Number 0 waits for nothing of the chain, each other one for the one before. */
static void own(void *p1, void *p2, void *p3)
{
	struct k_mutex *mine = p1;

	(void)k_mutex_lock(mine, K_FOREVER);
	if (mine == mutexes) {
		(void)k_sem_take(&never, K_FOREVER);
	} else {
		(void)k_mutex_lock(mine - 1, K_FOREVER);
		(void)k_mutex_unlock(mine - 1);
	}
	(void)k_mutex_unlock(mine);
}

static void lock_last(void *timeout)
{
	result = k_mutex_lock(&mutexes[OWNERS - 1], *(const k_timeout_t *)timeout);
}

static void lock_late(void *arg)
{
	(void)k_mutex_lock(&mutexes[LATE], K_FOREVER);
}

static int boosted(void)
{
	int count = 0;

	for (int i = 0; i < OWNERS; i++) {
		count += k_thread_priority_get(&owners[i]) == 2;
		CHECK(k_thread_priority_get(&owners[i]) == 2 ||
		      k_thread_priority_get(&owners[i]) == MAIN_PRIO - 1);
	}
	return count;
}

/* All owners wait, with priority 2 through the one that is returned. */
static k_tid_t make_chain(const k_timeout_t *timeout)
{
	k_tid_t cause;

	(void)k_sem_init(&never, 0, 1);
	for (int i = 0; i < OWNERS; i++) {
		(void)k_mutex_init(&mutexes[i]);
		(void)k_thread_create(&owners[i], owner_stacks[i],
				      K_THREAD_STACK_SIZEOF(owner_stacks[i]), own, &mutexes[i],
				      NULL, NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
	}
	CHECK_EQ(boosted(), 0);
	cause = start(lock_last, (void *)timeout, 2);
	CHECK_EQ(boosted(), CONFIG_MUTEX_CHAIN_MAX);
	(void)start(lock_late, NULL, MAIN_PRIO - 1);
	CHECK_EQ(boosted(), CONFIG_MUTEX_CHAIN_MAX + CARRIED);
	return cause;
}

static void end_chain(void)
{
	for (int i = OWNERS - 1; i >= 0; i--) {
		k_thread_abort(&owners[i]);
	}
}

TEST(mutex_chain_falls_back_when_its_cause_times_out)
{
	static const k_timeout_t soon = K_TICKS(8);

	(void)make_chain(&soon);
	k_sleep(K_TICKS(10));
	CHECK_EQ(result, -EAGAIN);
	CHECK_EQ(boosted(), 0);
	end_chain();
}

TEST(mutex_chain_falls_back_when_its_cause_is_aborted)
{
	k_thread_abort(make_chain(&K_FOREVER));
	CHECK_EQ(boosted(), 0);
	end_chain();
}

TEST(mutex_chain_falls_back_when_its_cause_is_no_longer_urgent)
{
	k_thread_priority_set(make_chain(&K_FOREVER), MAIN_PRIO - 1);
	CHECK_EQ(boosted(), 0);
	end_chain();
}

TEST(mutex_chain_falls_back_when_an_owner_ends)
{
	(void)make_chain(&K_FOREVER);
	k_thread_abort(&owners[OWNERS - 1]);
	CHECK_EQ(k_thread_priority_get(&owners[0]), MAIN_PRIO - 1);
	CHECK(boosted() <= 1); /* the block of the one that ended is not looked at */
	end_chain();
}

TEST(mutex_chain_is_passed_on_to_its_end)
{
	(void)make_chain(&K_FOREVER);
	k_sem_give(&never);
	CHECK_EQ(result, 0);
	for (int i = 0; i < OWNERS; i++) {
		CHECK_EQ(k_thread_join(&owners[i], K_NO_WAIT), 0);
	}
	end_chain();
}

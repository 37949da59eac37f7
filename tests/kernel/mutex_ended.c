/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes whose owner has ended, and threads created anew where one has ended: nobody is
 * taken for his predecessor, whoever waited, and whatever the block held meanwhile. Without
 * CONFIG_MUTEX_ROBUST such a mutex stays locked, with it the next owner is told.
 */
#include "forged.h"

#define ROBUST    IS_ENABLED(CONFIG_MUTEX_ROBUST)
#define MUTEXES   3
#define TIMEOUT   K_TICKS(6)
#define LONG_WAIT K_TICKS(60)

static struct k_mutex mutexes[MUTEXES];
static struct k_condvar condvar;
static struct k_sem never;
static struct k_thread owner;
static K_THREAD_STACK_DEFINE(owner_stack, STACK_SIZE);
static int got[4]; /* what calls returned */

static void init(void)
{
	for (int i = 0; i < MUTEXES; i++) {
		(void)k_mutex_init(&mutexes[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(got); i++) {
		got[i] = 99;
	}
	(void)k_condvar_init(&condvar);
	(void)k_sem_init(&never, 0, 1);
}

/* Its block is used for something else, before it is a thread again: for one that looks as if it were the owner still. */
static struct forged forged;

static void spoil(void)
{
	uint32_t generation = 0;

	for (int i = 0; i < MUTEXES; i++) {
		generation = MAX(generation, mutexes[i].generation);
	}
	forged_fill(&forged, &owner, generation, K_THREAD_PENDING);
}

static bool nobody_believed_it(void)
{
	return forged_holds(&forged, &owner);
}

static void create_owner(k_thread_entry_t entry)
{
	(void)k_thread_create(&owner, owner_stack, K_THREAD_STACK_SIZEOF(owner_stack), entry, NULL,
			      NULL, NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
}

static void lock_and_stay(void *p1, void *p2, void *p3)
{
	for (int i = 0; i < MUTEXES; i++) {
		CHECK_EQ(k_mutex_lock(&mutexes[i], K_FOREVER), 0);
	}
	(void)k_sem_take(&never, K_FOREVER);
}

static void lock_and_return(void *p1, void *p2, void *p3)
{
	CHECK_EQ(k_mutex_lock(&mutexes[0], K_FOREVER), 0);
	CHECK_EQ(k_mutex_lock(&mutexes[0], K_FOREVER), 0);
}

static void lock_a_while(void *place)
{
	*(int *)place = k_mutex_lock(&mutexes[0], TIMEOUT);
	note('w');
}

static void lock_for_ever(void *place)
{
	*(int *)place = k_mutex_lock(&mutexes[0], K_FOREVER);
	note('f');
}

/* What a thread in the owner's place, which never locked anything, finds. */
static void try_as_successor(void *p1, void *p2, void *p3)
{
	if (!ASSERTIONS) {
		CHECK_EQ(k_mutex_unlock(&mutexes[0]), -EPERM);
		CHECK_EQ(k_mutex_unlock(&mutexes[0]), -EPERM);
		CHECK_EQ(k_condvar_wait(&condvar, &mutexes[0], K_NO_WAIT), -EPERM);
	}
	got[2] = k_mutex_lock(&mutexes[0], K_NO_WAIT);
	got[3] = k_mutex_lock(&mutexes[0], K_TICKS(2));
	note('s');
}

TEST(mutex_ended_owner_of_a_contended_one_created_anew)
{
	init();
	create_owner(lock_and_stay);
	(void)start(lock_a_while, &got[0], MAIN_PRIO - 2);
	CHECK_EQ(k_thread_priority_get(&owner), MAIN_PRIO - 2);
	k_thread_abort(&owner);
	CHECK_EQ(k_thread_join(&owner, K_NO_WAIT), 0);
	CHECK_NOTES(ROBUST ? "w" : "");
	CHECK_EQ(owner_of(&mutexes[0]) != NULL, ROBUST);
	spoil();
	create_owner(try_as_successor);
	k_sleep(K_TICKS(12));
	CHECK_EQ(got[0], ROBUST ? -EOWNERDEAD : -EAGAIN);
	/* In the robust case the waiter has ended too, holding it. */
	CHECK_EQ(got[2], ROBUST ? -EOWNERDEAD : -EBUSY);
	CHECK_EQ(got[3], ROBUST ? 0 : -EAGAIN);
	CHECK_EQ(k_thread_priority_get(&owner), MAIN_PRIO - 1);
	notes_clear();
}

TEST(mutex_ended_owner_of_one_that_nobody_waited_for_created_anew)
{
	init();
	create_owner(lock_and_return);
	CHECK_EQ(k_thread_join(&owner, K_NO_WAIT), 0);
	create_owner(try_as_successor);
	k_sleep(K_TICKS(5));
	CHECK_NOTES("s");
	CHECK_EQ(got[2], ROBUST ? -EOWNERDEAD : -EBUSY);
	CHECK_EQ(got[3], ROBUST ? 0 : -EAGAIN);
}

TEST(mutex_ended_owner_whose_block_is_something_else_by_now)
{
	init();
	create_owner(lock_and_return);
	spoil();
	CHECK_EQ(k_mutex_lock(&mutexes[0], K_NO_WAIT), ROBUST ? -EOWNERDEAD : -EBUSY);
	CHECK_EQ(k_mutex_lock(&mutexes[0], K_TICKS(2)), ROBUST ? 0 : -EAGAIN);
	if (ROBUST) {
		CHECK(owner_of(&mutexes[0]) == k_current_get());
		CHECK_EQ(mutexes[0].lock_count, 2);
		CHECK_EQ(k_mutex_unlock(&mutexes[0]), 0);
		CHECK_EQ(k_mutex_unlock(&mutexes[0]), 0);
		CHECK_EQ(k_mutex_lock(&mutexes[0], K_NO_WAIT), 0);
		CHECK_EQ(k_mutex_unlock(&mutexes[0]), 0);
	} else if (!ASSERTIONS) {
		CHECK_EQ(k_mutex_unlock(&mutexes[0]), -EPERM);
	}
	CHECK(nobody_believed_it());
}

/* Whoever waits would lend, and who waits more urgently, change that; one that is ready and one that sleeps. */
TEST(mutex_ended_owner_whose_block_is_forged_is_lent_nothing)
{
	static const uint8_t states[] = {0, K_THREAD_QUEUED, K_THREAD_PENDING,
					 K_THREAD_PENDING | K_THREAD_TIMED, K_THREAD_SUSPENDED};
	k_tid_t waiter;

	for (size_t i = 0; !ROBUST && i < ARRAY_SIZE(states); i++) {
		init();
		create_owner(lock_and_return);
		forged_fill(&forged, &owner, mutexes[0].generation, states[i]);
		CHECK_EQ(k_mutex_lock(&mutexes[0], K_TICKS(2)), -EAGAIN);
		waiter = start(lock_a_while, &got[0], MAIN_PRIO - 2);
		k_thread_priority_set(waiter, MAIN_PRIO - 3);
		CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
		k_sleep(K_TICKS(12));
		CHECK_EQ(got[0], -EAGAIN);
		CHECK(nobody_believed_it());
		notes_clear();
	}
}

TEST(mutex_ended_owner_of_three_of_which_two_were_waited_for)
{
	static const uint8_t other[] = {1, 2};

	init();
	create_owner(lock_and_stay);
	(void)start(lock_a_while, &got[0], MAIN_PRIO - 2);
	(void)start(lock_a_while, &got[1], MAIN_PRIO - 3);
	CHECK_EQ(k_thread_priority_get(&owner), MAIN_PRIO - 3);
	k_thread_abort(&owner);
	spoil();
	for (size_t i = 0; i < ARRAY_SIZE(other); i++) {
		CHECK_EQ(k_mutex_lock(&mutexes[other[i]], K_NO_WAIT),
			 ROBUST ? -EOWNERDEAD : -EBUSY);
	}
	k_sleep(K_TICKS(12));
	CHECK(nobody_believed_it());
	/* The first one had it, and ended too: so the second one was told as well. */
	CHECK_EQ(got[1], ROBUST ? -EOWNERDEAD : -EAGAIN);
	CHECK_EQ(got[0], ROBUST ? -EOWNERDEAD : -EAGAIN);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	notes_clear();
}

static void end_owner(void *arg)
{
	k_thread_abort(&owner);
}

TEST(mutex_ended_owner_aborted_in_an_isr_and_its_waiters_one_by_one)
{
	k_tid_t first;
	k_tid_t second;

	init();
	create_owner(lock_and_stay);
	first = start(lock_for_ever, &got[0], MAIN_PRIO - 2);
	second = start(lock_for_ever, &got[1], MAIN_PRIO - 3);
	k_thread_suspend(first);
	k_thread_suspend(second);
	in_isr(end_owner, NULL);
	CHECK(owner_of(&mutexes[0]) == (ROBUST ? second : NULL));
	k_thread_priority_set(first, MAIN_PRIO - 4);
	CHECK_EQ(k_thread_priority_get(second), ROBUST ? MAIN_PRIO - 4 : MAIN_PRIO - 3);
	k_thread_abort(second);
	CHECK(owner_of(&mutexes[0]) == (ROBUST ? first : NULL));
	k_thread_abort(first);
	CHECK(mutexes[0].wait_q.head == NULL);
	CHECK_EQ(k_mutex_lock(&mutexes[0], K_NO_WAIT), ROBUST ? -EOWNERDEAD : -EBUSY);
	CHECK_NOTES("");
}

TEST(mutex_ended_owner_initialised_it_is_as_new)
{
	init();
	create_owner(lock_and_stay);
	k_thread_abort(&owner);
	(void)k_mutex_init(&mutexes[0]);
	CHECK_EQ(k_mutex_lock(&mutexes[0], K_NO_WAIT), 0);
	CHECK_EQ(k_mutex_unlock(&mutexes[0]), 0);
	create_owner(lock_and_return);
	(void)k_mutex_init(&mutexes[0]);
	CHECK_EQ(k_mutex_lock(&mutexes[0], K_NO_WAIT), 0);
	CHECK_EQ(k_mutex_unlock(&mutexes[0]), 0);
}

static void wait_inside(void *arg)
{
	CHECK_EQ(k_mutex_lock(&mutexes[0], K_FOREVER), 0);
	got[0] = k_condvar_wait(&condvar, &mutexes[0], LONG_WAIT);
	CHECK(owner_of(&mutexes[0]) == k_current_get());
	CHECK_EQ(k_mutex_unlock(&mutexes[0]), 0);
	note('c');
}

/* It has to have the mutex again, so without CONFIG_MUTEX_ROBUST it waits for ever. */
TEST(mutex_ended_owner_while_another_waits_on_a_condvar)
{
	init();
	(void)start(wait_inside, NULL, MAIN_PRIO - 2);
	create_owner(lock_and_return);
	spoil();
	CHECK_EQ(k_condvar_signal(&condvar), 0);
	CHECK_NOTES(ROBUST ? "c" : "");
	CHECK_EQ(got[0], ROBUST ? -EOWNERDEAD : 99);
	CHECK_EQ(mutexes[0].wait_q.head == NULL, ROBUST);
}

TEST(mutex_ended_owner_in_the_middle_of_a_chain)
{
	k_tid_t top;

	init();
	(void)k_mutex_lock(&mutexes[2], K_FOREVER); /* which the owner's loop comes to last */
	create_owner(lock_and_stay);
	top = start(lock_for_ever, &got[0], 1);
	CHECK_EQ(k_thread_priority_get(k_current_get()), 1);
	k_thread_abort(&owner);
	spoil();
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	k_thread_priority_set(top, 2);
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
	CHECK_EQ(k_mutex_unlock(&mutexes[2]), 0);
	CHECK_NOTES(ROBUST ? "f" : "");
}

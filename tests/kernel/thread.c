/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a thread. */
#include "lib/string.h"
#include "test.h"

TEST_SHARED static k_tid_t first;
TEST_SHARED static int result;
static struct k_sem sem;

static void note_it(void *letter)
{
	note(*(const char *)letter);
}

static void sleep_and_note(void *letter)
{
	k_sleep(K_TICKS(5));
	note(*(const char *)letter);
}

static void suspend_itself(void *letter)
{
	k_thread_suspend(k_current_get());
	note(*(const char *)letter);
}

static void wait_and_note(void *letter)
{
	(void)k_sem_take(&sem, K_FOREVER);
	note(*(const char *)letter);
}

static void join_first(void *letter)
{
	result = k_thread_join(first, K_FOREVER);
	note(*(const char *)letter);
}

/* ---- creation and start ---- */

TEST_USER(thread_runs_when_it_is_started)
{
	k_tid_t thread = prepare(note_it, "a", 5);

	note('m');
	k_thread_start(thread);
	note('m');
	k_thread_start(thread); /* it has ended: nothing happens */
	CHECK_NOTES("mam");
	CHECK_EQ(k_thread_join(thread, K_NO_WAIT), 0);
}

TEST_USER(thread_started_twice_runs_once)
{
	k_tid_t thread = prepare(note_it, "a", MAIN_PRIO + 1);

	k_thread_start(thread);
	k_thread_start(thread);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("a");
}

static struct k_thread delayed;
K_THREAD_STACK_DEFINE(delayed_stack, STACK_SIZE);
TEST_SHARED static void *seen[3];
TEST_SHARED static uint32_t ran_at;

static void note_parameters(void *p1, void *p2, void *p3)
{
	seen[0] = p1;
	seen[1] = p2;
	seen[2] = p3;
	ran_at = tick();
	note('d');
}

static k_tid_t create_delayed(k_timeout_t delay)
{
	return k_thread_create(&delayed, delayed_stack, K_THREAD_STACK_SIZEOF(delayed_stack),
			       note_parameters, &seen[0], &seen[1], &seen[2], 5, 0, delay);
}

TEST(thread_with_a_delay_starts_on_its_tick)
{
	uint32_t begin;

	next_tick();
	begin = tick();
	CHECK(create_delayed(K_TICKS(4)) == &delayed);
	CHECK_EQ(k_thread_timeout_remaining_ticks(&delayed), 5);
	CHECK_EQ(k_thread_timeout_expires_ticks(&delayed), begin + 5);
	CHECK_NOTES("");
	k_sleep(K_TICKS(7));
	CHECK_NOTES("d");
	CHECK_EQ(ran_at - begin, 5);
	for (int i = 0; i < 3; i++) {
		CHECK(seen[i] == &seen[i]);
	}
}

TEST(thread_with_a_delay_started_before)
{
	(void)create_delayed(K_TICKS(4));
	k_thread_start(&delayed);
	CHECK_NOTES("d");
	k_sleep(K_TICKS(7));
	CHECK_NOTES("");
	(void)create_delayed(K_TICKS(4));
	k_thread_abort(&delayed);
	k_sleep(K_TICKS(7));
	CHECK_NOTES("");
	(void)create_delayed(K_NO_WAIT);
	CHECK_NOTES("d");
}

/* ---- suspend and resume ---- */

TEST_USER(thread_suspends_itself)
{
	k_tid_t thread = start(suspend_itself, "s", 5);

	note('m');
	k_thread_suspend(thread);
	k_thread_resume(thread);
	note('m');
	k_thread_resume(thread); /* it has ended */
	CHECK_NOTES("msm");
}

TEST_USER(thread_resume_without_suspend_does_nothing)
{
	k_tid_t thread = start(sleep_and_note, "s", 5);

	k_thread_resume(thread);
	k_thread_resume(k_current_get());
	CHECK_NOTES("");
	k_sleep(K_TICKS(8));
	CHECK_NOTES("s");
}

TEST_USER(thread_suspended_while_it_waits)
{
	k_tid_t thread;

	(void)k_sem_init(&sem, 0, 1);
	thread = start(wait_and_note, "w", 5);
	k_thread_suspend(thread);
	k_thread_suspend(thread); /* does not nest */
	k_sem_give(&sem);
	CHECK_EQ(k_sem_count_get(&sem), 0); /* it is the waiter's, when it may run */
	CHECK_NOTES("");
	k_thread_resume(thread);
	CHECK_NOTES("w");
	thread = start(wait_and_note, "x", 5);
	k_thread_suspend(thread);
	k_thread_resume(thread);
	CHECK_NOTES("");
	k_sem_give(&sem);
	CHECK_NOTES("x");
}

TEST_USER(thread_suspended_while_it_sleeps)
{
	k_tid_t thread = start(sleep_and_note, "s", 5);

	k_thread_suspend(thread);
	k_sleep(K_TICKS(8));
	CHECK_NOTES("");
	k_thread_resume(thread);
	CHECK_NOTES("s");
}

static void suspend_first_in_isr(void *thread)
{
	k_thread_suspend(thread);
}

static void resume_first_in_isr(void *thread)
{
	k_thread_resume(thread);
}

static void be_suspended_by_an_isr(void *arg)
{
	note('1');
	in_isr(suspend_first_in_isr, k_current_get());
	note('2');
}

TEST_USER(thread_suspended_and_resumed_in_isrs)
{
	first = start(be_suspended_by_an_isr, NULL, 5);
	CHECK_NOTES("1");
	in_isr(resume_first_in_isr, first);
	CHECK_NOTES("2");
}

/* ---- end ---- */

TEST_USER(thread_aborted_leaves_what_it_waited_for)
{
	k_tid_t thread;

	(void)k_sem_init(&sem, 0, 1);
	thread = start(wait_and_note, "w", 5);
	k_thread_abort(thread);
	k_thread_abort(thread);
	k_sem_give(&sem);
	CHECK_EQ(k_sem_count_get(&sem), 1);
	thread = start(sleep_and_note, "s", 5);
	k_thread_abort(thread);
	k_sleep(K_TICKS(8));
	thread = start(note_it, "l", MAIN_PRIO + 1);
	k_thread_abort(thread);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("");
}

static void abort_itself(void *arg)
{
	note('1');
	k_thread_abort(k_current_get());
	note('2');
}

static void abort_in_isr(void *thread)
{
	k_thread_abort(thread);
}

static void be_aborted_by_an_isr(void *arg)
{
	note('3');
	in_isr(abort_in_isr, k_current_get());
	note('4');
}

TEST_USER(thread_aborted_by_itself_and_in_an_isr)
{
	start(abort_itself, NULL, 5);
	CHECK_NOTES("1");
	start(be_aborted_by_an_isr, NULL, 5);
	CHECK_NOTES("3");
}

/* ---- join ---- */

TEST_USER(thread_join)
{
	uint32_t begin;

	(void)k_sem_init(&sem, 0, 1);
	first = start(wait_and_note, "w", 5);
	CHECK_EQ(k_thread_join(first, K_NO_WAIT), -EBUSY);
	next_tick();
	begin = tick();
	CHECK_EQ(k_thread_join(first, K_TICKS(3)), -EAGAIN);
	CHECK_EQ(tick() - begin, 4);
	start(join_first, "a", 6);
	start(join_first, "b", 4);
	k_sem_give(&sem);
	CHECK_NOTES("wba");
	CHECK_EQ(result, 0);
	CHECK_EQ(k_thread_join(first, K_FOREVER), 0);
}

TEST_USER(thread_join_of_an_aborted_one)
{
	(void)k_sem_init(&sem, 0, 1);
	first = start(wait_and_note, "w", 5);
	start(join_first, "j", 4);
	k_thread_abort(first);
	CHECK_NOTES("j");
	CHECK_EQ(result, 0);
}

static void join_main(void *main_thread)
{
	result = k_thread_join(main_thread, K_FOREVER);
}

TEST_USER(thread_join_that_could_never_return)
{
	CHECK_EQ(k_thread_join(k_current_get(), K_FOREVER), -EDEADLK);
	first = start(join_main, k_current_get(), 5);
	CHECK_EQ(k_thread_join(first, K_FOREVER), -EDEADLK);
	CHECK_EQ(k_thread_join(first, K_TICKS(3)), -EDEADLK);
	for (int i = 0; i < 3; i++) { /* a longer row, which is passed in steps */
		first = start(join_main, first, 5);
	}
	CHECK_EQ(k_thread_join(first, K_TICKS(3)), -EDEADLK);
}

/* ---- the rest ---- */

TEST_USER(thread_wakeup_ends_a_sleep_only)
{
	k_tid_t thread;

	(void)k_sem_init(&sem, 0, 1);
	thread = start(sleep_and_note, "s", 5);
	k_wakeup(thread);
	CHECK_NOTES("s");
	k_wakeup(thread);
	thread = start(wait_and_note, "w", 5);
	k_wakeup(thread);
	CHECK_NOTES("");
	k_sem_give(&sem);
	CHECK_NOTES("w");
}

#ifdef CONFIG_THREAD_CUSTOM_DATA
static void use_custom_data(void *p1, void *p2, void *p3)
{
	CHECK(k_thread_custom_data_get() == NULL);
	k_thread_custom_data_set(&result);
	CHECK(k_thread_custom_data_get() == &result);
	note('u');
}
#endif

/* Neither the predecessor's in the same memory, nor the creator's. */
TEST_USER(thread_custom_data_begins_as_null)
{
#ifdef CONFIG_THREAD_CUSTOM_DATA
	static struct k_thread thread;
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);

	k_thread_custom_data_set(&first);
	for (int i = 0; i < 2; i++) {
		(void)k_thread_create(&thread, stack, sizeof(stack), use_custom_data, NULL, NULL,
				      NULL, 5, 0, K_NO_WAIT);
		CHECK_EQ(k_thread_join(&thread, K_FOREVER), 0);
	}
	CHECK(k_thread_custom_data_get() == &first);
	CHECK_NOTES("uu");
#endif
}

#ifndef CONFIG_USERSPACE
static void goes_on(void *letter, void *p2, void *p3)
{
	note_it(letter);
}

static void enters_user_mode(void *letter)
{
	k_current_get()->options |= K_ESSENTIAL;
	k_thread_user_mode_enter(goes_on, letter, NULL, NULL);
}

/* Where there is no user mode, too. */
TEST(thread_that_enters_user_mode_is_no_longer_essential)
{
	first = start(enters_user_mode, "u", MAIN_PRIO - 1);
	CHECK_NOTES("u");
	CHECK_EQ(k_thread_join(first, K_NO_WAIT), 0);
}
#endif

#ifdef CONFIG_THREAD_NAME
TEST(thread_a_name_is_copied_as_far_as_there_is_room)
{
	char name[CONFIG_THREAD_MAX_NAME_LEN + 2] = "mine";

	first = start(sleep_and_note, "s", 5);
	CHECK_EQ(k_thread_name_get(first)[0], '\0');
	CHECK_EQ(k_thread_name_set(first, name), 0);
	name[0] = 'y'; /* what was copied is not changed by it */
	CHECK_EQ(k_thread_name_get(first)[0], 'm');
	CHECK_EQ(k_thread_name_get(first)[4], '\0');
	memset(name, 'x', sizeof(name) - 1);
	CHECK_EQ(k_thread_name_set(first, name), 0);
	CHECK_EQ(k_thread_name_get(first)[CONFIG_THREAD_MAX_NAME_LEN - 2], 'x');
	CHECK_EQ(k_thread_name_get(first)[CONFIG_THREAD_MAX_NAME_LEN - 1], '\0');
	CHECK_EQ(k_thread_name_set(first, ""), 0);
	CHECK_EQ(k_thread_name_get(first)[0], '\0');
	k_thread_abort(first);
	CHECK_EQ(k_thread_name_set(NULL, "main"), 0);
	CHECK_EQ(k_thread_name_get(k_current_get())[3], 'n');
}
#endif

TEST_USER(thread_stack_space_and_name)
{
	size_t unused = 0;
	char name[8];

	first = start(sleep_and_note, "s", 5);
#ifdef CONFIG_INIT_STACKS
	CHECK_EQ(k_thread_stack_space_get(first, &unused), 0);
	CHECK(unused > STACK_SIZE / 8);
	CHECK(unused < K_THREAD_STACK_LEN(STACK_SIZE));
#else
	CHECK_EQ(k_thread_stack_space_get(first, &unused), -ENOTSUP);
#endif
#ifdef CONFIG_THREAD_NAME
	CHECK_EQ(k_thread_name_set(first, "sleeper"), 0);
	CHECK_EQ(k_thread_name_copy(first, name, sizeof(name)), 0);
	CHECK(name[6] == 'r');
	CHECK_EQ(k_thread_name_copy(first, name, 7), -ENOSPC);
	CHECK(k_is_user_context() || k_thread_name_get(first)[6] == 'r'); /* it lies in the block */
#else
	CHECK_EQ(k_thread_name_set(first, "sleeper"), -ENOSYS);
	CHECK_EQ(k_thread_name_copy(first, name, sizeof(name)), -ENOSYS);
	CHECK(k_thread_name_get(first)[0] == '\0');
#endif
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deadlines (CONFIG_SCHED_DEADLINE). By Zephyr's documentation: of threads of one priority the one
 * that is due first runs and is woken first; other priorities are not concerned. In TEST_USER user
 * threads do it.
 */
#include "test.h"

static struct k_sem sem; /* what those wait for that are to be woken */

TEST_USER(reschedule_with_nobody_to_switch_to_returns)
{
	start(give_sem, &sem, MAIN_PRIO + 1);
	k_reschedule();
	note('1');
	CHECK_NOTES("1");
}

static void reschedule_in_isr(void *arg)
{
	k_reschedule();
	note('i');
}

TEST(reschedule_in_an_isr_and_with_interrupts_masked)
{
	unsigned int key;

	in_isr(reschedule_in_isr, NULL);
	key = irq_lock();
	k_reschedule();
	note('m');
	irq_unlock(key);
	k_sched_lock();
	k_reschedule();
	k_sched_unlock();
	CHECK_NOTES("im");
}

#ifdef CONFIG_SCHED_DEADLINE

#define EQUAL (MAIN_PRIO + 1) /* threads of which begin when this one sleeps */
#define PRIO  3
#define SOON  1000000 /* cycles: far more than a test takes, */
#define LATER (2 * SOON)
#define LAST  (3 * SOON)

static struct k_sem other;
static k_tid_t target; /* whose deadline an ISR, or another thread, is to change */

static void note_it(void *letter)
{
	note(*(const char *)letter);
}

static void wait_and_note(void *letter)
{
	(void)k_sem_take(&sem, K_FOREVER);
	note(*(const char *)letter);
}

static k_tid_t start_due(void (*entry)(void *arg), void *arg, int prio, int deadline)
{
	k_tid_t thread = prepare(entry, arg, prio);

	k_thread_deadline_set(thread, deadline);
	k_thread_start(thread);
	return thread;
}

static void set_up(void)
{
	(void)k_sem_init(&sem, 0, 9);
	(void)k_sem_init(&other, 0, 9);
}

TEST_USER(deadline_earliest_first_of_those_that_are_ready)
{
	start_due(note_it, "c", EQUAL, LAST);
	start_due(note_it, "a", EQUAL, SOON);
	start_due(note_it, "b", EQUAL, LATER);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("abc");
}

TEST_USER(deadline_counts_among_one_priority_only)
{
	start_due(note_it, "c", EQUAL + 1, SOON);
	start_due(note_it, "b", EQUAL, LAST);
	start_due(note_it, "a", EQUAL, LATER);
	start(note_it, "d", EQUAL + 1);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("abcd");
}

TEST_USER(deadline_none_comes_after_all_others_first_come_first_served)
{
	start(note_it, "x", EQUAL);
	start_due(note_it, "b", EQUAL, LATER);
	start(note_it, "y", EQUAL);
	start_due(note_it, "a", EQUAL, SOON);
	start(note_it, "z", EQUAL);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("abxyz");
}

TEST_USER(deadline_the_same_is_first_come_first_served)
{
	int when = (int)(k_cycle_get_32() + SOON);
	static const char letters[] = "abcd";

	for (int i = 0; i < 4; i++) {
		k_tid_t thread = prepare(note_it, (void *)&letters[i], EQUAL);

		k_thread_absolute_deadline_set(thread, when);
		k_thread_start(thread);
	}
	k_sleep(K_TICKS(2));
	CHECK_NOTES("abcd");
}

TEST_USER(deadline_absolute_ones_may_wrap_and_have_passed)
{
	static const uint32_t due[] = {0x10U, 0xfffffff0U, 0x7fffff00U, 0U};
	static const char letters[] = "cadb";

	for (size_t i = 0; i < ARRAY_SIZE(due); i++) {
		k_tid_t thread = prepare(note_it, (void *)&letters[i], EQUAL);

		k_thread_absolute_deadline_set(thread, (int)due[i]);
		k_thread_start(thread);
	}
	k_sleep(K_TICKS(2));
	CHECK_NOTES("abcd");
}

TEST(deadline_below_zero_is_now)
{
	start_due(note_it, "b", EQUAL, SOON);
	start_due(note_it, "a", EQUAL, -LAST);
	start_due(note_it, "c", EQUAL, LATER);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("abc");
}

TEST_USER(deadline_changed_while_ready)
{
	k_tid_t a = start_due(note_it, "a", EQUAL, SOON);
	k_tid_t b = start_due(note_it, "b", EQUAL, LATER);
	k_tid_t c = start(note_it, "c", EQUAL);

	k_thread_deadline_set(a, LAST);
	k_thread_deadline_set(c, SOON);
	k_thread_deadline_set(b, LATER);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("cba");
}

TEST_USER(deadline_suspended_and_ended_ones_leave_the_order)
{
	k_tid_t a = start_due(note_it, "a", EQUAL, SOON);
	k_tid_t b = start_due(note_it, "b", EQUAL, LATER);

	start_due(note_it, "c", EQUAL, LAST);
	start_due(note_it, "d", EQUAL, LAST + SOON);
	k_thread_suspend(a);
	k_thread_abort(b);
	k_sleep(K_TICKS(2));
	k_thread_resume(a);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("cda");
}

TEST(deadline_of_a_new_thread_is_none)
{
	static struct k_thread block;
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);

	for (int i = 0; i < 2; i++) {
		(void)k_thread_create(&block, stack, K_THREAD_STACK_SIZEOF(stack),
				      (k_thread_entry_t)(void *)note_it, "n", NULL, NULL, EQUAL, 0,
				      K_FOREVER);
		if (i == 0) {
			k_thread_deadline_set(&block, SOON);
		}
		k_thread_start(&block);
		start_due(note_it, "d", EQUAL, LATER);
		k_sleep(K_TICKS(2));
	}
	CHECK_NOTES("nddn");
}

/* ---- preempting an equal ---- */

static void give_between(void *arg)
{
	note('1');
	k_sem_give(&sem);
	note('2');
}

TEST_USER(deadline_an_earlier_one_preempts_an_equal_and_a_later_does_not)
{
	set_up();
	start_due(wait_and_note, "w", PRIO, SOON);
	start_due(give_between, NULL, PRIO, LATER);
	CHECK_NOTES("1w2");
	start_due(wait_and_note, "w", PRIO, LATER);
	start_due(give_between, NULL, PRIO, SOON);
	CHECK_NOTES("12w");
	start_due(wait_and_note, "w", PRIO, LATER);
	start(give_between, NULL, PRIO);
	CHECK_NOTES("1w2");
	start(wait_and_note, "w", PRIO);
	start(give_between, NULL, PRIO);
	CHECK_NOTES("12w");
}

TEST_USER(deadline_the_preempted_goes_on_before_its_equals)
{
	int when = (int)(k_cycle_get_32() + LATER);
	k_tid_t preempted = prepare(give_between, NULL, EQUAL);
	k_tid_t equal = prepare(note_it, "e", EQUAL);

	set_up();
	start_due(wait_and_note, "w", EQUAL, SOON);
	k_sleep(K_TICKS(2));
	k_thread_absolute_deadline_set(preempted, when);
	k_thread_absolute_deadline_set(equal, when);
	k_thread_start(preempted);
	k_thread_start(equal);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("1w2e");
}

static void give_in_isr_between(void *arg)
{
	note('1');
	in_isr(give_sem, &sem);
	note('2');
}

static void give_masked(void *arg)
{
	unsigned int key = irq_lock();

	k_sem_give(&sem);
	note('1');
	irq_unlock(key);
	note('2');
}

static void give_locked(void *arg)
{
	k_sched_lock();
	give_between(NULL);
	k_sched_unlock();
	note('3');
}

TEST(deadline_preempts_by_an_isr_and_when_masks_and_locks_are_open_again)
{
	set_up();
	start_due(wait_and_note, "w", PRIO, SOON);
	start(give_in_isr_between, NULL, PRIO);
	CHECK_NOTES("1w2");
	start_due(wait_and_note, "w", PRIO, SOON);
	start(give_masked, NULL, PRIO);
	CHECK_NOTES("1w2");
	start_due(wait_and_note, "w", PRIO, SOON);
	start(give_locked, NULL, PRIO);
	CHECK_NOTES("12w3");
}

TEST_USER(deadline_does_not_preempt_a_cooperative_equal)
{
	set_up();
	start_due(wait_and_note, "w", -1, SOON);
	start(give_between, NULL, -1);
	CHECK_NOTES("12w");
}

static void start_between(void *arg)
{
	note('1');
	start_due(note_it, "s", PRIO, SOON);
	note('2');
	k_thread_resume(target);
	note('3');
	k_thread_priority_set(target, PRIO);
	note('4');
}

TEST(deadline_preempts_at_a_start_a_resume_and_a_change_of_priority)
{
	set_up();
	target = start_due(wait_and_note, "r", PRIO, SOON);
	k_thread_suspend(target);
	k_sem_give(&sem);
	start(start_between, NULL, PRIO);
	CHECK_NOTES("1s2r34");
	target = start_due(note_it, "r", EQUAL, SOON);
	start(start_between, NULL, PRIO);
	CHECK_NOTES("1s23r4");
}

static void sleep_and_note(void *letter)
{
	k_sleep(K_TICKS(2));
	note(*(const char *)letter);
}

static void spin(void *arg)
{
	uint32_t end = tick() + 5;

	/* Bound: five ticks. */
	while ((int32_t)(tick() - end) < 0) {
		k_busy_wait(10);
	}
	note('s');
}

TEST_USER(deadline_preempts_when_a_sleep_ends)
{
	start_due(sleep_and_note, "w", PRIO, SOON);
	start_due(sleep_and_note, "l", PRIO, SOON + LAST);
	start_due(spin, NULL, PRIO, LATER);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("wsl");
}

/* ---- changing it, while others run ---- */

static void change_and_reschedule(void *arg)
{
	k_thread_deadline_set(k_current_get(), LAST);
	note('1');
	k_reschedule();
	note('2');
}

TEST_USER(deadline_changed_by_the_running_thread_counts_from_the_next_reschedule)
{
	set_up();
	start_due(wait_and_note, "w", EQUAL, LATER);
	k_sleep(K_TICKS(2));
	start_due(change_and_reschedule, NULL, EQUAL, SOON);
	start_due(note_it, "n", EQUAL, LATER);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("1n2");
	k_sem_give(&sem);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("w");
}

static void change_target(void *arg)
{
	k_thread_deadline_set(target, SOON);
}

static void change_in_isr_between(void *arg)
{
	note('1');
	in_isr(change_target, NULL);
	note('2');
}

TEST(deadline_changed_in_an_isr_counts_at_its_end)
{
	start(change_in_isr_between, NULL, EQUAL);
	target = start(note_it, "t", EQUAL);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("1t2");
}

static void postpone_target(void *arg)
{
	k_thread_deadline_set(target, LAST);
}

static void postpone_self_in_isr(void *arg)
{
	target = k_current_get();
	note('1');
	in_isr(postpone_target, NULL);
	note('2');
}

TEST(deadline_of_the_interrupted_thread_postponed_in_an_isr)
{
	start_due(postpone_self_in_isr, NULL, EQUAL, SOON);
	start_due(note_it, "t", EQUAL, LATER);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("1t2");
}

static void yield_twice(void *letter)
{
	for (int i = 0; i < 3; i++) {
		note(*(const char *)letter);
		k_yield();
	}
}

TEST_USER(deadline_yielding_gives_way_to_those_that_are_due_as_early)
{
	int when = (int)(k_cycle_get_32() + SOON);
	k_tid_t a = start(yield_twice, "a", EQUAL);
	k_tid_t b = start(yield_twice, "b", EQUAL);

	start_due(yield_twice, "c", EQUAL, LATER);
	k_thread_absolute_deadline_set(a, when);
	k_thread_absolute_deadline_set(b, when);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("abababccc");
}

static void yield_after_giving(void *arg)
{
	note('1');
	k_sem_give(&sem);
	k_sem_give(&sem);
	note('2');
	k_yield();
	note('3');
}

TEST_USER(deadline_a_cooperative_thread_yields_to_an_earlier_equal_only)
{
	set_up();
	start_due(wait_and_note, "l", -1, LAST);
	start_due(wait_and_note, "e", -1, SOON);
	start_due(yield_after_giving, NULL, -1, LATER);
	CHECK_NOTES("12e3l");
}

/* ---- wait queues ---- */

TEST_USER(deadline_orders_those_that_wait)
{
	k_tid_t late;

	set_up();
	start(wait_and_note, "x", PRIO);
	late = start_due(wait_and_note, "l", PRIO, LAST);
	start_due(wait_and_note, "e", PRIO, SOON);
	start_due(wait_and_note, "u", PRIO - 1, LAST);
	start_due(wait_and_note, "f", PRIO, LATER);
	for (int i = 0; i < 2; i++) {
		k_sem_give(&sem);
	}
	CHECK_NOTES("ue");
	k_thread_deadline_set(late, SOON);
	for (int i = 0; i < 3; i++) {
		k_sem_give(&sem);
	}
	CHECK_NOTES("lfx");
}

static K_MUTEX_DEFINE(mutex);

static void lock_and_note(void *letter)
{
	CHECK(k_mutex_lock(&mutex, K_FOREVER) == 0);
	note(*(const char *)letter);
	CHECK(k_mutex_unlock(&mutex) == 0);
}

static void hold_until_given(void *arg)
{
	CHECK(k_mutex_lock(&mutex, K_FOREVER) == 0);
	(void)k_sem_take(&other, K_FOREVER);
	note('o');
	CHECK(k_thread_priority_get(k_current_get()) == PRIO);
	CHECK(k_mutex_unlock(&mutex) == 0);
	note('p');
}

TEST(deadline_orders_who_waits_for_a_mutex_and_priorities_alone_are_inherited)
{
	set_up();
	start_due(hold_until_given, NULL, EQUAL, LAST);
	k_sleep(K_TICKS(2));
	start_due(lock_and_note, "b", PRIO, LATER);
	start_due(lock_and_note, "a", PRIO, SOON);
	k_sem_give(&other);
	note('-');
	k_sleep(K_TICKS(2));
	CHECK_NOTES("oab-p");
}

#ifdef CONFIG_PERIODIC
static void run_thrice(void *letter)
{
	for (int i = 0; i < 3; i++) {
		(void)k_period_wait();
		note(*(const char *)letter);
	}
}

TEST(deadline_orders_threads_of_one_period)
{
	static const int due[] = {LAST, SOON, LATER};
	static const char letters[] = "cab";

	next_tick();
	for (size_t i = 0; i < ARRAY_SIZE(due); i++) {
		k_tid_t thread = prepare(run_thrice, (void *)&letters[i], PRIO);

		k_thread_deadline_set(thread, due[i]);
		CHECK(k_thread_period_set(thread, K_TICKS(3), K_TICKS(2)) == 0);
		k_thread_start(thread);
	}
	k_sleep(K_TICKS(12));
	CHECK_NOTES("abcabcabc");
}
#endif

#ifdef CONFIG_TIMESLICING
static uint32_t shares[3];

static void count_share(void *arg)
{
	uint32_t last = tick();

	/* Bound: ends with the test. */
	for (;;) {
		if (tick() != last) {
			last = tick();
			shares[(intptr_t)arg]++;
		}
	}
}

TEST(deadline_turns_are_taken_by_those_that_are_due_as_early)
{
	int when = (int)(k_cycle_get_32() + SOON);
	k_tid_t counters[3];

	for (int i = 0; i < 3; i++) {
		shares[i] = 0;
	}
	k_sched_time_slice_set(k_ticks_to_ms_ceil32(2), 0);
	for (int i = 0; i < 3; i++) {
		counters[i] = start(count_share, (void *)(intptr_t)i, EQUAL);
	}
	k_thread_absolute_deadline_set(counters[0], when);
	k_thread_absolute_deadline_set(counters[1], when);
	k_sleep(K_TICKS(40));
	CHECK(shares[0] >= 8);
	CHECK(shares[1] >= 8);
	CHECK_EQ(shares[2], 0);
	k_thread_absolute_deadline_set(counters[2], when - SOON); /* before both: alone */
	k_sleep(K_TICKS(20));
	CHECK(shares[2] >= 15);
	k_sched_time_slice_set(CONFIG_TIMESLICE_SIZE, CONFIG_TIMESLICE_PRIORITY);
}
#endif

#endif

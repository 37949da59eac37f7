/* SPDX-License-Identifier: Apache-2.0 */
/* Who runs: priorities, preemption, cooperation, yielding, the scheduler lock. */
#include "test.h"

/* Of those that neither preempt a locked scheduler nor are preempted under it (metairq.c). */
#ifdef CONFIG_METAIRQ
#define MOST_URGENT (K_HIGHEST_APPLICATION_THREAD_PRIO + CONFIG_NUM_METAIRQ_PRIORITIES)
#else
#define MOST_URGENT K_HIGHEST_APPLICATION_THREAD_PRIO
#endif

static struct k_sem sem;

static void note_it(void *letter)
{
	note(*(const char *)letter);
}

static void yield_twice(void *letter)
{
	for (int i = 0; i < 3; i++) {
		note(*(const char *)letter);
		k_yield();
	}
}

static void wait_and_note(void *letter)
{
	(void)k_sem_take(&sem, K_FOREVER);
	note(*(const char *)letter);
}

TEST_USER(sched_a_more_urgent_thread_preempts)
{
	note('1');
	start(note_it, "a", MAIN_PRIO - 1);
	note('2');
	start(note_it, "b", MAIN_PRIO);
	start(note_it, "c", MAIN_PRIO + 1);
	note('3');
	k_sleep(K_TICKS(2));
	CHECK_NOTES("1a23bc");
}

TEST_USER(sched_equals_take_turns_by_yielding)
{
	start(yield_twice, "a", MAIN_PRIO + 1);
	start(yield_twice, "b", MAIN_PRIO + 1);
	start(yield_twice, "c", MAIN_PRIO + 2);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("abababccc");
}

TEST_USER(sched_yield_alone_returns)
{
	start(note_it, "l", MAIN_PRIO + 1);
	k_yield();
	note('m');
	k_sleep(K_TICKS(2));
	CHECK_NOTES("ml");
}

static void start_more_urgent(void *arg)
{
	note('1');
	start(note_it, "a", 1);
	start(note_it, "b", MOST_URGENT);
	note('2');
	k_yield();
	note('3');
}

TEST_USER(sched_a_cooperative_thread_is_not_preempted)
{
	start(start_more_urgent, NULL, -1);
	CHECK_NOTES("12b3a");
}

static void give_in_isr_and_note(void *arg)
{
	in_isr(give_sem, &sem);
	note('c');
}

TEST_USER(sched_nor_by_what_an_isr_makes_ready)
{
	(void)k_sem_init(&sem, 0, 1);
	start(wait_and_note, "w", 1);
	start(give_in_isr_and_note, NULL, -1);
	CHECK_NOTES("cw");
}

TEST(sched_cooperative_levels_have_an_order)
{
	k_sched_lock();
	start(note_it, "b", -1);
	start(note_it, "a", -2);
	start(note_it, "c", 0);
	start(note_it, "d", -1);
	k_sched_unlock();
	CHECK_NOTES("abdc");
}

TEST(sched_lock_nests_and_keeps_others_out)
{
	(void)k_sem_init(&sem, 0, 1);
	start(wait_and_note, "w", 1);
	CHECK(k_is_preempt_thread() != 0);
	k_sched_lock();
	CHECK(k_is_preempt_thread() == 0);
	k_sched_lock();
	k_sem_give(&sem);
	note('1');
	k_sched_unlock();
	note('2');
	k_sched_unlock();
	note('3');
	CHECK_NOTES("12w3");
	CHECK(k_is_preempt_thread() != 0);
}

TEST(sched_lock_does_not_keep_isrs_out_and_ends_when_blocking)
{
	(void)k_sem_init(&sem, 0, 1);
	start(wait_and_note, "w", 1);
	k_sched_lock();
	in_isr(give_sem, &sem);
	note('1');
	k_sleep(K_TICKS(2));
	note('2');
	k_sched_unlock();
	CHECK_NOTES("1w2");
}

TEST(sched_priority_of_oneself)
{
	start(note_it, "a", MAIN_PRIO + 1);
	start(note_it, "b", MAIN_PRIO + 3);
	k_thread_priority_set(k_current_get(), MAIN_PRIO + 2);
	note('1');
	CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO + 2);
	k_thread_priority_set(k_current_get(), -1);
	CHECK(k_is_preempt_thread() == 0);
	start(note_it, "c", -2);
	note('2');
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	note('3');
	CHECK_NOTES("a12c3");
}

TEST(sched_priority_of_a_ready_thread)
{
	k_tid_t thread = start(note_it, "a", MAIN_PRIO + 1);

	k_thread_priority_set(thread, MAIN_PRIO);
	note('1');
	k_thread_priority_set(thread, MAIN_PRIO - 1);
	note('2');
	CHECK_NOTES("1a2");
}

static void set_priority_in_isr(void *thread)
{
	k_thread_priority_set(thread, 1);
}

TEST_USER(sched_priority_changed_in_an_isr)
{
	k_tid_t thread = start(note_it, "a", MAIN_PRIO + 1);

	in_isr(set_priority_in_isr, thread);
	note('m');
	CHECK_NOTES("am");
}

static struct k_sem other;

static void wait_for_other(void *letter)
{
	(void)k_sem_take(&other, K_FOREVER);
	note(*(const char *)letter);
}

static void give_both(void *arg)
{
	k_sem_give(&sem);
	k_sem_give(&other);
	note('i');
}

TEST_USER(sched_an_isr_wakes_several_and_the_most_urgent_runs_first)
{
	(void)k_sem_init(&sem, 0, 1);
	(void)k_sem_init(&other, 0, 1);
	start(wait_and_note, "b", 3);
	start(wait_for_other, "a", 2);
	in_isr(give_both, NULL);
	note('m');
	CHECK_NOTES("iabm");
}

static void preempted(void *arg)
{
	note('1');
	start(wait_and_note, "u", 1);
	start(note_it, "e", MAIN_PRIO - 1); /* an equal, behind us */
	k_sem_give(&sem);
	note('2');
}

TEST_USER(sched_who_is_preempted_stays_first_among_equals)
{
	(void)k_sem_init(&sem, 0, 1);
	start(preempted, NULL, MAIN_PRIO - 1);
	CHECK_NOTES("1u2e");
}

static void ask_in_isr(void *answer)
{
	*(bool *)answer = k_can_yield();
}

static bool has_expired;

static void set_expired(struct k_timer *timer)
{
	ARG_UNUSED(timer);
	has_expired = true;
}

TEST(sched_idling_by_hand_waits_for_an_interrupt)
{
	static struct k_timer timer;
	bool may = true;

	CHECK(k_can_yield());
	in_isr(ask_in_isr, &may);
	CHECK(!may);
	has_expired = false;
	k_timer_init(&timer, set_expired, NULL);
	k_timer_start(&timer, K_TICKS(2), K_NO_WAIT);
	for (;;) {
		unsigned int key = irq_lock();

		if (has_expired) {
			irq_unlock(key);
			break;
		}
		k_cpu_atomic_idle(key);
	}
	has_expired = false;
	k_timer_start(&timer, K_TICKS(2), K_NO_WAIT);
	while (!*(volatile bool *)&has_expired) {
		k_cpu_idle();
	}
	k_timer_stop(&timer);
}

static struct k_sem go[2];

static void note_each_time(void *index)
{
	unsigned int i = (unsigned int)(uintptr_t)index;

	for (;;) {
		(void)k_sem_take(&go[i], K_FOREVER);
		note((char)('a' + i));
	}
}

TEST(sched_every_priority_outranks_the_next)
{
	k_tid_t thread[2];

	for (uintptr_t i = 0; i < 2; i++) {
		(void)k_sem_init(&go[i], 0, 1);
		thread[i] = start(note_each_time, (void *)i, 0);
	}
	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO);
	for (int prio = MOST_URGENT; prio < K_LOWEST_APPLICATION_THREAD_PRIO; prio++) {
		k_thread_priority_set(thread[0], prio);
		k_thread_priority_set(thread[1], prio + 1);
		k_sched_lock();
		k_sem_give(&go[1]);
		k_sem_give(&go[0]);
		k_sched_unlock();
		k_yield();
		CHECK_NOTES("ab");
	}
}

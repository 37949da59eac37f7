/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meta-IRQ threads, and who goes on after them (CONFIG_NUM_METAIRQ_PRIORITIES, at least two).
 * By Zephyr's documentation of threads: they preempt all who are less urgent, also cooperative
 * ones and a locked scheduler, at once; and a cooperative one is preempted by nobody else.
 */
#include "test.h"

#ifdef CONFIG_METAIRQ

#define META        K_HIGHEST_THREAD_PRIO
#define LESSER_META (META + 1)
#define URGENT      (META + CONFIG_NUM_METAIRQ_PRIORITIES) /* the first that is none */
#define COOP        (-3)
#define MORE_URGENT (COOP - 1)

static struct k_sem sem;   /* what the meta-IRQ thread waits for */
static struct k_sem other; /* and one of others */
static struct k_mutex mutex;
static k_tid_t victim; /* the cooperative thread */
static void (*act)(void); /* what the meta-IRQ thread does */

static void note_it(void *letter)
{
	note(*(const char *)letter);
}

static void wait_and_note(void *letter)
{
	(void)k_sem_take(&sem, K_FOREVER);
	note(*(const char *)letter);
}

static void wait_for_other(void *letter)
{
	(void)k_sem_take(&other, K_FOREVER);
	note(*(const char *)letter);
}

static void wait_and_act(void *arg)
{
	(void)k_sem_take(&sem, K_FOREVER);
	note('m');
	act();
	note('n');
}

static void give_between(void *arg)
{
	note('1');
	k_sem_give(&sem);
	note('2');
}

static void set_up(void)
{
	(void)k_sem_init(&sem, 0, 9);
	(void)k_sem_init(&other, 0, 9);
}

/* A cooperative thread makes a meta-IRQ thread ready, which does `what`. */
static void preempt_with(void (*what)(void))
{
	act = what;
	(void)start(wait_and_act, NULL, META);
	victim = prepare(give_between, NULL, COOP);
	k_thread_start(victim);
}

TEST(metairq_preempts_a_cooperative_thread_at_once)
{
	set_up();
	start(wait_and_note, "m", META);
	start(give_between, NULL, COOP);
	start(wait_and_note, "l", LESSER_META);
	start(give_between, NULL, URGENT);
	CHECK_NOTES("1m21l2");
}

TEST(metairq_is_what_the_next_less_urgent_is_not)
{
	set_up();
	start(wait_and_note, "c", URGENT);
	start(give_between, NULL, COOP);
	CHECK_NOTES("12c");
}

static void give_in_isr_between(void *arg)
{
	note('1');
	in_isr(give_sem, &sem);
	note('2');
}

static void start_between(void *arg)
{
	note('1');
	start(note_it, "m", META);
	note('2');
}

static void give_masked(void *arg)
{
	unsigned int key = irq_lock();

	note('1');
	k_sem_give(&sem);
	note('2');
	irq_unlock(key);
	note('3');
}

TEST(metairq_preempts_it_by_an_isr_by_a_start_and_when_interrupts_are_open_again)
{
	set_up();
	start(wait_and_note, "m", META);
	start(give_in_isr_between, NULL, COOP);
	start(start_between, NULL, COOP);
	start(wait_and_note, "m", META);
	start(give_masked, NULL, COOP);
	CHECK_NOTES("1m21m212m3");
}

static volatile bool slept;

static void sleep_and_tell(void *arg)
{
	k_sleep(K_TICKS(2));
	slept = true;
}

static void spin_until_reported(void *arg)
{
	/* Bound: the sleeper preempts it. */
	while (!slept) {
		k_busy_wait(10);
	}
}

TEST(metairq_preempts_it_when_its_time_comes)
{
	slept = false;
	start(sleep_and_tell, NULL, META);
	start(spin_until_reported, NULL, URGENT);
	CHECK(slept);
}

static void give_other_thrice(void)
{
	for (int i = 0; i < 3; i++) {
		k_sem_give(&other);
	}
}

TEST(metairq_lets_the_preempted_go_on_before_all_others_it_wakes)
{
	set_up();
	start(wait_for_other, "u", URGENT);
	start(wait_for_other, "e", COOP);
	start(wait_for_other, "p", 0);
	preempt_with(give_other_thrice);
	CHECK_NOTES("1mn2uep");
}

TEST(metairq_preempts_a_locked_scheduler_and_leaves_it_locked)
{
	set_up();
	act = give_other_thrice;
	start(wait_and_act, NULL, META);
	start(wait_for_other, "c", COOP);
	start(wait_for_other, "p", MAIN_PRIO - 1);
	k_sched_lock();
	k_sched_lock();
	give_between(NULL);
	k_sched_unlock();
	note('3');
	CHECK(k_is_preempt_thread() == 0);
	k_sched_unlock();
	CHECK(k_is_preempt_thread() != 0);
	note('4');
	CHECK_NOTES("1mn23cp4");
}

static void give_and_end(void *letter)
{
	note(*(const char *)letter);
	k_sem_give(&other);
	note('e');
}

static void give_twice_locked(void *arg)
{
	(void)k_sem_take(&sem, K_FOREVER);
	k_sched_lock();
	give_and_end("k");
	k_sched_unlock();
}

TEST(metairq_is_preempted_by_a_more_urgent_one_only)
{
	set_up();
	start(wait_for_other, "h", META);
	start(give_twice_locked, NULL, LESSER_META);
	start(give_between, NULL, COOP);
	CHECK_NOTES("1khe2");
	start(wait_for_other, "h", LESSER_META);
	start(give_and_end, "l", LESSER_META);
	note('-');
	start(wait_for_other, "c", URGENT);
	start(give_and_end, "m", META);
	CHECK_NOTES("leh-mec");
}

static void say_that_none_is_preemptible(void *arg)
{
	CHECK(k_is_preempt_thread() == 0);
	note('x');
}

TEST(metairq_and_cooperative_threads_are_not_preemptible)
{
	start(say_that_none_is_preemptible, NULL, META);
	start(say_that_none_is_preemptible, NULL, URGENT);
	start(say_that_none_is_preemptible, NULL, COOP);
	CHECK(k_is_preempt_thread() != 0);
	CHECK_NOTES("xxx");
}

/* ---- what becomes of the preempted one meanwhile ---- */

static void suspend_victim(void)
{
	k_thread_suspend(victim);
	k_sem_give(&other);
}

TEST(metairq_suspends_whom_it_preempted)
{
	set_up();
	start(wait_for_other, "p", 0);
	preempt_with(suspend_victim);
	note('-');
	k_thread_resume(victim);
	CHECK_NOTES("1mnp-2");
}

static void suspend_and_resume_victim(void)
{
	suspend_victim();
	k_thread_resume(victim);
}

TEST(metairq_whom_it_suspended_and_resumed_goes_on_by_priority)
{
	set_up();
	start(wait_for_other, "u", MORE_URGENT);
	preempt_with(suspend_and_resume_victim);
	CHECK_NOTES("1mnu2");
}

static void abort_victim(void)
{
	k_thread_abort(victim);
	k_sem_give(&other);
}

TEST(metairq_aborts_whom_it_preempted)
{
	set_up();
	start(wait_for_other, "p", 0);
	preempt_with(abort_victim);
	note('-');
	CHECK(k_thread_join(victim, K_NO_WAIT) == 0);
	CHECK_NOTES("1mnp-");
}

static void make_victim_preemptible(void)
{
	k_thread_priority_set(victim, 3);
	give_other_thrice();
}

TEST(metairq_whom_it_made_preemptible_goes_on_first_of_its_equals)
{
	set_up();
	start(wait_for_other, "u", 2);
	start(wait_for_other, "e", 3);
	start(wait_for_other, "l", 4);
	preempt_with(make_victim_preemptible);
	CHECK_NOTES("1mnu2el");
}

static void wake_in_isr(void)
{
	in_isr(give_sem, &other);
	k_sleep(K_TICKS(1));
}

TEST(metairq_that_sleeps_lets_it_go_on_first)
{
	set_up();
	start(wait_for_other, "u", MORE_URGENT);
	preempt_with(wake_in_isr);
	k_sleep(K_TICKS(3));
	CHECK_NOTES("1m2un");
}

/* ---- changes of priority ---- */

static void become_cooperative(void)
{
	k_thread_priority_set(k_current_get(), COOP);
	k_sem_give(&other); /* preempts it, as a cooperative one */
	k_sem_give(&other);
}

TEST(metairq_that_becomes_cooperative_is_preempted_as_one)
{
	set_up();
	start(wait_for_other, "h", META);
	start(wait_for_other, "u", MORE_URGENT);
	preempt_with(become_cooperative);
	CHECK_NOTES("1mhnu2");
}

static void become_preemptible(void)
{
	k_sem_give(&other);
	k_thread_priority_set(k_current_get(), 5);
}

TEST(metairq_that_becomes_preemptible_lets_the_preempted_go_on_at_once)
{
	set_up();
	start(wait_for_other, "u", MORE_URGENT);
	preempt_with(become_preemptible);
	CHECK_NOTES("1m2un");
}

static void yield_as_cooperative(void)
{
	k_thread_priority_set(k_current_get(), URGENT);
	k_yield();
}

TEST(metairq_that_becomes_cooperative_and_yields_lets_it_go_on)
{
	set_up();
	preempt_with(yield_as_cooperative);
	CHECK_NOTES("1m2n");
}

static void raise_victim(void *arg)
{
	k_tid_t raised = start(note_it, "r", 5);

	note('1');
	k_thread_priority_set(raised, LESSER_META);
	note('2');
}

TEST(metairq_is_also_who_is_made_one)
{
	start(raise_victim, NULL, COOP);
	CHECK_NOTES("1r2");
}

/* ---- priority inheritance ---- */

static void lock_and_note(void)
{
	CHECK(k_mutex_lock(&mutex, K_FOREVER) == 0);
	note('l');
	k_mutex_unlock(&mutex);
}

static void hold_and_give(void *arg)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	k_sem_give(&sem);
	note('1');
	CHECK(k_thread_priority_get(k_current_get()) == META);
	k_sem_give(&other); /* for a meta-IRQ thread that is less urgent than what it inherited */
	note('2');
	k_mutex_unlock(&mutex);
	note('3');
}

TEST(metairq_is_inherited_from_by_a_cooperative_owner)
{
	set_up();
	(void)k_mutex_init(&mutex);
	act = lock_and_note;
	start(wait_and_act, NULL, META);
	start(wait_for_other, "h", LESSER_META);
	start(hold_and_give, NULL, COOP);
	CHECK_NOTES("m12lnh3");
}

static void wake_and_lock(void)
{
	k_sem_give(&other);
	lock_and_note();
}

TEST(metairq_waits_for_a_preemptible_owner_before_the_preempted_goes_on)
{
	set_up();
	(void)k_mutex_init(&mutex);
	(void)k_mutex_lock(&mutex, K_FOREVER); /* the owner: this one */
	start(wait_for_other, "u", MORE_URGENT);
	preempt_with(wake_and_lock);
	note('o'); /* as urgent as a meta-IRQ thread itself */
	k_mutex_unlock(&mutex);
	CHECK_NOTES("1moln2u");
}

#endif

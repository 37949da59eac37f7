/* SPDX-License-Identifier: Apache-2.0 */
/* Contests for threads, sleeping, timers and work items. */
#include "contest.h"

static struct k_thread target;
static K_THREAD_STACK_DEFINE(target_stack, 1024);
static volatile uint32_t runs;
static struct k_sem never;
static struct k_timer timer;
static struct k_work work;
static struct k_work_delayable delayed;
static uint32_t stopped;

#define TARGET_PRIO K_PRIO_PREEMPT(5) /* between subject and main() */

static void target_entry(void *unused_1, void *unused_2, void *unused_3)
{
	runs++;
	(void)k_sem_take(&never, K_FOREVER);
}

static void make_target(k_timeout_t delay)
{
	runs = 0;
	(void)k_sem_init(&never, 0, 1);
	(void)k_thread_create(&target, target_stack, K_THREAD_STACK_SIZEOF(target_stack),
			      target_entry, NULL, NULL, NULL, TARGET_PRIO, 0, delay);
}

static void waiting_target(void)
{
	make_target(K_NO_WAIT);
}

static void unstarted_target(void)
{
	make_target(K_FOREVER);
}

static void suspended_target(void)
{
	make_target(K_FOREVER);
	k_thread_suspend(&target);
	k_thread_start(&target);
}

static uint32_t target_state(void)
{
	uint32_t bits = (target.state & (K_THREAD_DEAD | K_THREAD_SUSPENDED | K_THREAD_PENDING));
	uint32_t prio = (uint32_t)k_thread_priority_get(&target);

	k_thread_abort(&target);
	return (bits * 64U + prio) * 4U + runs;
}

/* ---- one operation of each kind, by a thread and by a handler ---- */

static intptr_t suspend_self(void)
{
	k_thread_suspend(&subject);
	return 0;
}

static void rival_resumes_subject(void)
{
	k_thread_resume(&subject);
}

static intptr_t sleep_long(void)
{
	return k_sleep(K_FOREVER) != 0 ? 1 : 0;
}

/* All that it asked for is left, or nothing. */
static intptr_t sleep_for_a_while(void)
{
	return k_sleep(sooner_than_any()) > 50000 ? 1 : 0;
}

static void rival_wakes(void)
{
	k_wakeup(&subject);
}

static intptr_t start_target(void)
{
	k_thread_start(&target);
	return 0;
}

static intptr_t suspend_target(void)
{
	k_thread_suspend(&target);
	return 0;
}

static intptr_t resume_target(void)
{
	k_thread_resume(&target);
	return 0;
}

static intptr_t abort_target(void)
{
	k_thread_abort(&target);
	return 0;
}

static intptr_t join_target(void)
{
	return k_thread_join(&target, K_FOREVER);
}

static intptr_t move_target(void)
{
	k_thread_priority_set(&target, TARGET_PRIO - 2);
	return 0;
}

static void rival_aborts(void)
{
	k_thread_abort(&target);
}

static void rival_resumes(void)
{
	k_thread_resume(&target);
}

static void rival_suspends(void)
{
	k_thread_suspend(&target);
}

static void rival_moves(void)
{
	k_thread_priority_set(&target, TARGET_PRIO + 3);
}

static void rival_lets_go(void)
{
	k_sem_give(&never);
}

/* ---- timers ---- */

static void count_stops(struct k_timer *unused)
{
	stopped++;
}

static void idle_timer(void)
{
	stopped = 0;
	k_timer_init(&timer, NULL, count_stops);
}

static void running_timer(void)
{
	idle_timer();
	k_timer_start(&timer, K_SECONDS(100), K_NO_WAIT);
}

static intptr_t start_timer(void)
{
	k_timer_start(&timer, K_SECONDS(200), K_NO_WAIT);
	return 0;
}

static intptr_t stop_timer(void)
{
	k_timer_stop(&timer);
	return 0;
}

static intptr_t sync_timer(void)
{
	return (intptr_t)k_timer_status_sync(&timer);
}

static void rival_starts(void)
{
	k_timer_start(&timer, K_SECONDS(50), K_NO_WAIT);
}

static void rival_stops(void)
{
	k_timer_stop(&timer);
}

/* To the nearest fifty seconds: none, by the handler's start, before both, by the thread's. */
static uint32_t timer_state(void)
{
	uint32_t left = k_timer_remaining_get(&timer);

	k_timer_stop(&timer);
	return (left + 25000U) / 50000U + 16U * stopped;
}

/* ---- work items, of the system's queue, which outranks all here ---- */

static void count_run(struct k_work *unused)
{
	runs++;
}

static void idle_work(void)
{
	runs = 0;
	k_work_init(&work, count_run);
	k_work_init_delayable(&delayed, count_run);
}

static void delayed_work(void)
{
	idle_work();
	(void)k_work_schedule(&delayed, K_SECONDS(100));
}

static intptr_t submit(void)
{
	return k_work_submit(&work);
}

static intptr_t reschedule(void)
{
	return k_work_reschedule(&delayed, K_SECONDS(100));
}

static intptr_t cancel_delayed(void)
{
	return k_work_cancel_delayable(&delayed);
}

static void rival_submits(void)
{
	(void)k_work_submit(&work);
}

static void rival_cancels_delayed(void)
{
	(void)k_work_cancel_delayable(&delayed);
}

static void rival_schedules_now(void)
{
	(void)k_work_reschedule(&delayed, K_NO_WAIT);
}

static uint32_t work_state(void)
{
	uint32_t busy = (uint32_t)(k_work_busy_get(&work) | k_work_delayable_busy_get(&delayed));

	(void)k_work_cancel_delayable(&delayed);
	return busy * 8U + runs;
}

static uint32_t nothing_else(void)
{
	return 0;
}

static void nothing(void)
{
}

static const struct contest contests[] = {
	{"thread: suspend oneself, resumed", nothing, suspend_self, rival_resumes_subject,
	 nothing_else, 0},
	{"thread: sleep, woken", nothing, sleep_long, rival_wakes, nothing_else, 0},
	{"thread: sleep for a while, woken", nothing, sleep_for_a_while, rival_wakes, nothing_else,
	 0},
	{"thread: start, aborted", unstarted_target, start_target, rival_aborts, target_state, 0},
	{"thread: start, suspended", unstarted_target, start_target, rival_suspends, target_state,
	 2}, /* started and has not run, or has and does not wait yet */
	{"thread: suspend, resumed", waiting_target, suspend_target, rival_resumes, target_state,
	 0},
	{"thread: suspend, its wait ended", waiting_target, suspend_target, rival_lets_go,
	 target_state, 0},
	{"thread: resume, suspended", suspended_target, resume_target, rival_suspends, target_state,
	 2},
	{"thread: resume, aborted", suspended_target, resume_target, rival_aborts, target_state, 0},
	{"thread: abort, aborted", waiting_target, abort_target, rival_aborts, target_state, 0},
	{"thread: abort, its wait ended", waiting_target, abort_target, rival_lets_go, target_state,
	 0},
	{"thread: abort, moved", waiting_target, abort_target, rival_moves, target_state, 0},
	{"thread: join, aborted", waiting_target, join_target, rival_aborts, target_state, 0},
	{"thread: move, moved", waiting_target, move_target, rival_moves, target_state, 0},
	{"thread: move, its wait ended", waiting_target, move_target, rival_lets_go, target_state,
	 0},
	{"timer: start, stopped", idle_timer, start_timer, rival_stops, timer_state, 0},
	{"timer: start, started", running_timer, start_timer, rival_starts, timer_state, 0},
	{"timer: stop, stopped", running_timer, stop_timer, rival_stops, timer_state, 0},
	{"timer: stop, started", running_timer, stop_timer, rival_starts, timer_state, 0},
	{"timer: wait for its end, stopped", running_timer, sync_timer, rival_stops, timer_state,
	 0},
	{"work: submit, submitted", idle_work, submit, rival_submits, work_state, 1}, /* once */
	{"work: reschedule, cancelled", delayed_work, reschedule, rival_cancels_delayed, work_state,
	 0},
	{"work: reschedule, at once", delayed_work, reschedule, rival_schedules_now, work_state, 0},
	{"work: cancel, at once", delayed_work, cancel_delayed, rival_schedules_now, work_state, 0},
};
const struct contest_group contests_of_threads = {contests, ARRAY_SIZE(contests)};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a sweep's handler does: it gives, wakes, sets and cancels time-outs, aborts, suspends and moves
 * threads. All of it is of threads, timers and a semaphore of its own, or is taken back, so that the
 * operation that was interrupted has to come to what it comes to without.
 */
#include "sweep.h"

#include "kernel/sched/sched.h"

#define LEAST_PRIO  K_LOWEST_APPLICATION_THREAD_PRIO
#define STACK_SIZE  1024
#define ORDERS_MOST 1000000U
#define WAITS_TICKS 5000
#define DISTANT     K_TICKS(3000)

enum { RESUME = 1, MAKE = 2 }; /* what the urgent thread is asked for */

static struct k_thread urgent, least, waiter;
static K_THREAD_STACK_DEFINE(urgent_stack, STACK_SIZE);
static K_THREAD_STACK_DEFINE(least_stack, STACK_SIZE);
static K_THREAD_STACK_DEFINE(waiter_stack, STACK_SIZE);
static K_SEM_DEFINE(orders, 0, ORDERS_MOST);
static K_SEM_DEFINE(never, 0, 1);
static struct k_timer soon, distant;
static volatile uint32_t ordered, done, expired, waits_over;
static volatile unsigned int wanted;
static struct k_thread *volatile suspended;
static volatile bool least_is_resumed;
static bool timers_run;

static void wait_in_vain(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: it is aborted. */
	for (;;) {
		(void)k_sem_take(&never, K_TICKS(WAITS_TICKS));
		waits_over++;
	}
}

static void make_waiter(void)
{
	(void)k_thread_create(&waiter, waiter_stack, K_THREAD_STACK_SIZEOF(waiter_stack),
			      wait_in_vain, NULL, NULL, NULL, K_HIGHEST_THREAD_PRIO, 0, K_NO_WAIT);
}

static void do_orders(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: the run. */
	for (;;) {
		unsigned int key;
		unsigned int now;
		struct k_thread *whom;

		(void)k_sem_take(&orders, K_FOREVER);
		key = irq_lock();
		now = wanted;
		wanted = 0;
		whom = suspended;
		suspended = NULL;
		irq_unlock(key);
		if ((now & RESUME) != 0) {
			k_thread_resume(whom);
		}
		if ((now & MAKE) != 0) {
			make_waiter();
		}
		done++;
	}
}

static void suspend_again_and_again(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: the run. It runs where everybody else sleeps. */
	for (;;) {
		unsigned int key = irq_lock();

		least_is_resumed = false;
		k_thread_suspend(k_current_get());
		irq_unlock(key);
	}
}

static void expire(struct k_timer *timer)
{
	expired++;
}

void sweep_acts_init(void)
{
	k_timer_init(&soon, expire, NULL);
	k_timer_init(&distant, expire, NULL);
	(void)k_thread_create(&urgent, urgent_stack, K_THREAD_STACK_SIZEOF(urgent_stack), do_orders,
			      NULL, NULL, NULL, K_HIGHEST_THREAD_PRIO, 0, K_NO_WAIT);
	(void)k_thread_create(&least, least_stack, K_THREAD_STACK_SIZEOF(least_stack),
			      suspend_again_and_again, NULL, NULL, NULL, LEAST_PRIO, 0, K_FOREVER);
	k_thread_suspend(&least);
	k_thread_start(&least);
	make_waiter();
}

static void order(unsigned int what)
{
	wanted |= what;
	ordered++;
	k_sem_give(&orders);
}

static void set_or_cancel(void)
{
	if (timers_run) {
		k_timer_stop(&soon);
		k_timer_stop(&distant);
	} else {
		k_timer_start(&distant, DISTANT, K_NO_WAIT);
		k_timer_start(&soon, K_TICKS(1), K_NO_WAIT);
	}
	timers_run = !timers_run;
}

/*
 * The priority that it was given. k_thread_priority_get() says what it has: with what it inherits,
 * and while it walks along a queue, with that walk's ceiling.
 */
static int own_prio(const struct k_thread *thread)
{
	bool walks = (thread->wait_flags & TRAVERSAL_FLAG_CEILING) != 0;

	return walks ? (int8_t)(thread->wake_data >> 8) : thread->base_prio;
}

/* Whoever comes behind an equal for a moment stays there, and some rows are about that order. */
static bool has_ready_equal(const struct k_thread *thread)
{
	unsigned int level = PRIO_LEVEL(own_prio(thread));
	const struct k_thread *first = k_cpu.level[level];

	return (k_cpu.levels & ready_level_bit(level)) != 0 &&
	       (first != thread || first->next != thread);
}

/* Not one that suspends itself now: whoever resumes it means that. Nor one that begins to wait. */
static bool may_be_touched(const struct k_thread *thread)
{
	return (*(const volatile uint8_t *)&thread->state & ~K_THREAD_QUEUED) == 0 &&
	       !has_ready_equal(thread) && thread != &urgent && thread != &waiter &&
	       thread != &least;
}

static void suspend_current(void)
{
	struct k_thread *thread = k_current_get();

	if (may_be_touched(thread) && suspended == NULL) {
		suspended = thread;
		k_thread_suspend(thread);
		order(RESUME);
	}
}

static void move_current(void)
{
	struct k_thread *thread = k_current_get();
	int prio = own_prio(thread);

	if (may_be_touched(thread) && prio < LEAST_PRIO) {
		k_thread_priority_set(thread, prio + 1);
		k_thread_priority_set(thread, prio);
	}
}

void sweep_act(enum sweep_act act)
{
	switch (act) {
	case ACT_PREEMPT:
		order(0);
		break;
	case ACT_READY:
		(least_is_resumed ? k_thread_suspend : k_thread_resume)(&least);
		least_is_resumed = !least_is_resumed;
		break;
	case ACT_TIMEOUTS:
		set_or_cancel();
		break;
	case ACT_RESTART:
		k_thread_abort(&waiter);
		order(MAKE);
		break;
	case ACT_SUSPEND:
		suspend_current();
		break;
	case ACT_PRIORITY:
		move_current();
		break;
	default:
		break;
	}
}

const char *sweep_acts_wrong(bool is_settled)
{
	const volatile uint8_t *state = &least.state;
	bool is_suspended = (*state & K_THREAD_SUSPENDED) != 0;

	if (is_suspended == least_is_resumed || ((*state & K_THREAD_QUEUED) != 0) == is_suspended) {
		return "the least urgent thread is not in the state that it was brought into";
	}
	if (done > ordered || (is_settled && done != ordered)) {
		return "the most urgent thread did not run as often as it was woken";
	}
	if (is_settled && !measure_waits_in(&waiter, &never.wait_q)) {
		return "the thread that was aborted and made anew does not wait";
	}
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Work queues: submitting, draining, stopping; work_waits.c has the rest. */
#include "work_queue.h"

struct k_work_q work_queue;
static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
K_SEM_DEFINE(work_may_go_on, 0, 10);
static int work_calls;

void work_note_w(struct k_work *work)
{
	ARG_UNUSED(work);
	note('w');
}

void work_wait_then_note(struct k_work *work)
{
	ARG_UNUSED(work);
	note('(');
	(void)k_sem_take(&work_may_go_on, K_FOREVER);
	note(')');
}

void work_queue_begin(int prio)
{
	static const struct k_work_queue_config config = {.name = "tested"};

	k_sem_reset(&work_may_go_on);
	k_work_queue_init(&work_queue);
	k_work_queue_start(&work_queue, stack, K_THREAD_STACK_SIZEOF(stack), prio, &config);
}

void work_queue_end(void)
{
	for (int i = 0; i < 3; i++) {
		k_sem_give(&work_may_go_on);
	}
	(void)k_work_queue_drain(&work_queue, true);
	CHECK_EQ(k_work_queue_stop(&work_queue, K_TICKS(20)), 0);
}

TEST(work_is_done_in_the_order_of_submission)
{
	static struct k_work slow, one, two;

	work_queue_begin(MAIN_PRIO - 1);
	k_work_init(&slow, work_wait_then_note);
	k_work_init(&one, work_note_w);
	k_work_init(&two, work_note_w);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &slow), 1);
	CHECK_EQ(k_work_busy_get(&slow), K_WORK_RUNNING);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &one), 1);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &two), 1);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &one), 0);
	CHECK_EQ(k_work_busy_get(&one), K_WORK_QUEUED);
	CHECK(k_work_is_pending(&one));
	CHECK_NOTES("(");
	k_sem_give(&work_may_go_on);
	CHECK_NOTES(")ww");
	CHECK(!k_work_is_pending(&one));
	CHECK_EQ(k_work_queue_thread_get(&work_queue) == &work_queue.thread, 1);
	work_queue_end();
}

TEST(work_that_runs_goes_into_the_queue_that_runs_it)
{
	static struct k_work slow;

	work_queue_begin(MAIN_PRIO - 1);
	k_work_init(&slow, work_wait_then_note);
	CHECK_EQ(k_work_submit_to_queue(NULL, &slow), -EINVAL);
	(void)k_work_submit_to_queue(&work_queue, &slow);
	CHECK_EQ(k_work_submit(&slow), 2);
	CHECK_EQ(k_work_busy_get(&slow), K_WORK_RUNNING | K_WORK_QUEUED);
	CHECK_EQ(k_work_submit(&slow), 0);
	k_sem_give(&work_may_go_on);
	CHECK_NOTES("()(");
	k_sem_give(&work_may_go_on);
	CHECK_NOTES(")");
	CHECK_EQ(k_work_submit_to_queue(NULL, &slow), 1); /* where it was last */
	CHECK_NOTES("(");
	work_queue_end();
	CHECK_NOTES(")");
}

static void submit_again(struct k_work *work)
{
	note('s');
	work_calls++;
	if (work_calls < 3) {
		CHECK_EQ(k_work_submit_to_queue(&work_queue, work), 2);
	}
}

TEST(work_drained_lets_its_own_handlers_submit)
{
	static struct k_work chain, other;

	work_queue_begin(MAIN_PRIO + 1);
	k_work_init(&chain, submit_again);
	k_work_init(&other, work_note_w);
	CHECK_EQ(k_work_queue_drain(&work_queue, false), 0);
	work_calls = 0;
	(void)k_work_submit_to_queue(&work_queue, &chain);
	CHECK_EQ(k_work_queue_drain(&work_queue, false), 1);
	CHECK_NOTES("sss");
	CHECK_EQ(k_work_queue_drain(&work_queue, true), 1);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &other), -EBUSY);
	CHECK_EQ(k_work_queue_unplug(&work_queue), 0);
	CHECK_EQ(k_work_queue_unplug(&work_queue), -EALREADY);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &other), 1);
	work_queue_end();
	CHECK_NOTES("w");
}

static void drain(void *arg)
{
	ARG_UNUSED(arg);
	CHECK_EQ(k_work_queue_drain(&work_queue, false), 1);
	note('d');
}

TEST(work_is_refused_while_others_drain)
{
	static struct k_work slow, other;

	work_queue_begin(MAIN_PRIO - 1);
	k_work_init(&slow, work_wait_then_note);
	k_work_init(&other, work_note_w);
	(void)k_work_submit_to_queue(&work_queue, &slow);
	(void)k_work_submit_to_queue(&work_queue, &other);
	(void)start(drain, NULL, MAIN_PRIO - 2);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &slow), -EBUSY);
	k_sem_give(&work_may_go_on);
	CHECK_NOTES("()wd");
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &other), 1);
	work_queue_end();
	CHECK_NOTES("w");
}

TEST(work_queue_stops_when_it_is_plugged)
{
	static struct k_work slow, other;

	k_work_queue_init(&work_queue);
	k_work_init(&other, work_note_w);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &other), -ENODEV);
	CHECK_EQ(k_work_queue_stop(&work_queue, K_NO_WAIT), -EALREADY);
	work_queue_begin(MAIN_PRIO - 1);
	k_work_init(&slow, work_wait_then_note);
	(void)k_work_submit_to_queue(&work_queue, &slow);
	CHECK_EQ(k_work_queue_stop(&work_queue, K_FOREVER), -EBUSY);
	k_sem_give(&work_may_go_on);
	CHECK_EQ(k_work_queue_drain(&work_queue, true), 1);
	CHECK_EQ(k_work_queue_stop(&work_queue, K_FOREVER), 0);
	CHECK_EQ(k_work_queue_stop(&work_queue, K_FOREVER), -EALREADY);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &other), -ENODEV);
	CHECK_NOTES("()");
	work_queue_begin(MAIN_PRIO - 1); /* and may be started again */
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &other), 1);
	CHECK_NOTES("w");
	work_queue_end();
}

TEST(work_for_no_queue_is_refused)
{
	static struct k_work work;

	k_work_init(&work, work_note_w);
	CHECK_EQ(k_work_busy_get(&work), 0);
	CHECK(!k_work_is_pending(&work));
	CHECK_EQ(k_work_submit_to_queue(NULL, &work), -EINVAL);
	work_queue_begin(MAIN_PRIO - 1);
	CHECK_EQ(k_work_queue_unplug(&work_queue), -EALREADY);
	CHECK_EQ(k_work_queue_drain(&work_queue, false), 0);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &work), 1);
	CHECK_EQ(k_work_submit_to_queue(NULL, &work), 1); /* the queue that it was in last */
	CHECK_NOTES("ww");
	work_queue_end();
}

static void run_queue(void *arg)
{
	const struct k_work_queue_config config = {.name = "runner", .no_yield = true};

	k_work_queue_run(arg, &config);
	note('e');
}

TEST(work_queue_of_an_own_thread)
{
	static struct k_work other;
	k_tid_t thread;

	k_work_queue_init(&work_queue);
	k_work_init(&other, work_note_w);
	thread = start(run_queue, &work_queue, MAIN_PRIO - 1);
	CHECK(k_work_queue_thread_get(&work_queue) == thread);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &other), 1);
	CHECK_EQ(k_work_queue_drain(&work_queue, true), 1);
	CHECK_EQ(k_work_queue_stop(&work_queue, K_FOREVER), 0);
	CHECK_NOTES("we");
}

static void drain_in_isr(void *arg)
{
	CHECK_EQ(k_work_queue_drain(&work_queue, true), -EAGAIN);
}

TEST(work_queue_is_not_drained_in_an_isr)
{
	static struct k_work other;

	if (ASSERTIONS) {
		return;
	}
	work_queue_begin(MAIN_PRIO - 1);
	k_work_init(&other, work_note_w);
	in_isr(drain_in_isr, NULL);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &other), 1); /* nor plugged */
	CHECK_NOTES("w");
	work_queue_end();
}

static void submit_to_system(void *work)
{
	CHECK_EQ(k_work_submit(work), 1);
}

K_WORK_DEFINE(defined_work, work_note_w);

TEST(work_from_an_isr_goes_to_the_systems_queue)
{
	in_isr(submit_to_system, &defined_work);
	k_sleep(K_TICKS(1));
	CHECK_NOTES("w");
	CHECK_EQ(k_thread_priority_get(k_work_queue_thread_get(&k_sys_work_q)),
		 CONFIG_SYSTEM_WORKQUEUE_PRIORITY);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Work items that are waited for, cancelled, delayed. */
#include "work_queue.h"

static struct k_work slow, quick;
static struct k_work_delayable delayed;
static struct k_work_sync sync;

static void begin(void)
{
	work_queue_begin(MAIN_PRIO - 1);
	k_work_init(&slow, work_wait_then_note);
	k_work_init(&quick, work_note_w);
	k_work_init_delayable(&delayed, work_note_w);
}

static void flush(void *work)
{
	struct k_work_sync own;

	note(k_work_flush(work, &own) ? 'F' : 'f');
}

static void cancel_sync(void *work)
{
	struct k_work_sync own;

	note(k_work_cancel_sync(work, &own) ? 'C' : 'c');
}

TEST(work_flush_waits_for_what_was_submitted)
{
	begin();
	flush(&quick);
	CHECK_NOTES("f");
	(void)k_work_submit_to_queue(&work_queue, &slow);
	(void)start(flush, &slow, MAIN_PRIO - 2);
	CHECK_EQ(k_work_busy_get(&slow), K_WORK_RUNNING | K_WORK_FLUSHING);
	(void)k_work_submit_to_queue(&work_queue, &slow);
	(void)start(flush, &slow, MAIN_PRIO - 2); /* the second run */
	k_sem_give(&work_may_go_on);
	CHECK_NOTES("()F(");
	k_sem_give(&work_may_go_on);
	CHECK_NOTES(")F");
	CHECK_EQ(k_work_busy_get(&slow), 0);
	work_queue_end();
}

TEST(work_cancelled_before_it_runs_does_not)
{
	begin();
	CHECK_EQ(k_work_cancel(&quick), 0);
	(void)k_work_submit_to_queue(&work_queue, &slow);
	(void)k_work_submit_to_queue(&work_queue, &quick);
	(void)start(flush, &quick, MAIN_PRIO - 2);
	CHECK_EQ(k_work_cancel(&quick), 0);
	CHECK_NOTES("(F"); /* nothing is left to wait for */
	(void)k_work_submit_to_queue(&work_queue, &quick);
	CHECK(k_work_cancel_sync(&quick, &sync));
	CHECK(!k_work_cancel_sync(&quick, &sync));
	work_queue_end();
	CHECK_NOTES(")");
}

TEST(work_cancelled_while_it_runs_takes_no_submission)
{
	begin();
	(void)k_work_submit_to_queue(&work_queue, &slow);
	(void)k_work_submit_to_queue(&work_queue, &slow);
	CHECK_EQ(k_work_cancel(&slow), K_WORK_RUNNING | K_WORK_CANCELING);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &slow), -EBUSY);
	(void)start(cancel_sync, &slow, MAIN_PRIO - 2);
	(void)start(cancel_sync, &slow, MAIN_PRIO - 3);
	CHECK_NOTES("(");
	k_sem_give(&work_may_go_on);
	CHECK_NOTES(")CC");
	CHECK_EQ(k_work_busy_get(&slow), 0);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &slow), 1);
	work_queue_end();
	CHECK_NOTES("()");
}

TEST(work_whose_waiter_is_aborted_goes_on)
{
	k_tid_t waiter;

	begin();
	(void)k_work_submit_to_queue(&work_queue, &slow);
	waiter = start(flush, &slow, MAIN_PRIO - 2);
	k_thread_abort(waiter);
	k_sem_give(&work_may_go_on);
	CHECK_NOTES("()");
	CHECK_EQ(k_work_busy_get(&slow), 0);
	work_queue_end();
}

static void flush_in_isr(void *work)
{
	struct k_work_sync own;

	(void)k_work_flush(work, &own);
	note('i');
}

static void flush_itself(struct k_work *work)
{
	flush_in_isr(work);
}

/* Neither could ever come back. */
TEST(work_is_not_waited_for_in_an_isr_nor_in_its_own_handler)
{
	static struct k_work own;

	if (ASSERTIONS) {
		return;
	}
	begin();
	(void)k_work_submit_to_queue(&work_queue, &slow);
	in_isr(flush_in_isr, &slow);
	CHECK_NOTES("(i");
	k_sem_give(&work_may_go_on);
	CHECK_NOTES(")");
	k_work_init(&own, flush_itself);
	CHECK_EQ(k_work_submit_to_queue(&work_queue, &own), 1);
	CHECK_NOTES("i");
	CHECK_EQ(k_work_busy_get(&own), 0);
	work_queue_end();
}

TEST(work_delayed_is_done_after_its_time)
{
	uint32_t begun;

	begin();
	next_tick();
	begun = tick();
	CHECK_EQ(k_work_schedule_for_queue(&work_queue, &delayed, K_TICKS(3)), 1);
	CHECK_EQ(k_work_schedule_for_queue(&work_queue, &delayed, K_TICKS(9)), 0);
	CHECK_EQ(k_work_delayable_busy_get(&delayed), K_WORK_DELAYED);
	CHECK(k_work_delayable_is_pending(&delayed));
	CHECK_EQ(k_work_delayable_remaining_get(&delayed), 4);
	CHECK_EQ((uint32_t)k_work_delayable_expires_get(&delayed), begun + 4);
	k_sleep(K_TICKS(2));
	CHECK_NOTES("");
	k_sleep(K_TICKS(1));
	CHECK_NOTES("w");
	CHECK_EQ(k_work_delayable_remaining_get(&delayed), 0);
	CHECK_EQ(k_work_delayable_busy_get(&delayed), 0);
	work_queue_end();
}

TEST(work_that_is_not_delayed_expires_now)
{
	begin();
	next_tick();
	CHECK_EQ(k_work_delayable_expires_get(&delayed), k_uptime_ticks());
	CHECK_EQ(k_work_delayable_remaining_get(&delayed), 0);
	CHECK_EQ(k_work_schedule_for_queue(&work_queue, &delayed, K_TICKS(3)), 1);
	CHECK_EQ(k_work_delayable_expires_get(&delayed), k_uptime_ticks() + 4);
	CHECK_EQ(k_work_cancel_delayable(&delayed), 0);
	CHECK_EQ(k_work_delayable_expires_get(&delayed), k_uptime_ticks());
	work_queue_end();
}

TEST(work_rescheduled_waits_anew)
{
	begin();
	next_tick();
	CHECK_EQ(k_work_reschedule_for_queue(&work_queue, &delayed, K_TICKS(2)), 1);
	CHECK_EQ(k_work_reschedule_for_queue(&work_queue, &delayed, K_TICKS(5)), 1);
	k_sleep(K_TICKS(4));
	CHECK_NOTES("");
	CHECK_EQ(k_work_reschedule_for_queue(&work_queue, &delayed, K_NO_WAIT), 1);
	CHECK_NOTES("w");
	CHECK_EQ(k_work_schedule_for_queue(&work_queue, &delayed, K_NO_WAIT), 1);
	CHECK_NOTES("w");
	CHECK_EQ(k_work_reschedule(&delayed, K_FOREVER), 1); /* until somebody flushes it */
	k_sleep(K_TICKS(5));
	CHECK_EQ(k_work_delayable_busy_get(&delayed), K_WORK_DELAYED);
	CHECK_EQ(k_work_delayable_remaining_get(&delayed), 0);
	CHECK_EQ(k_work_reschedule_for_queue(&work_queue, &delayed, K_FOREVER), 1);
	(void)k_work_flush_delayable(&delayed, &sync);
	CHECK_NOTES("w");
	work_queue_end();
}

TEST(work_delayed_for_a_plugged_queue_is_dropped)
{
	begin();
	(void)k_work_schedule_for_queue(&work_queue, &delayed, K_TICKS(2));
	(void)k_work_queue_drain(&work_queue, true);
	k_sleep(K_TICKS(5));
	CHECK_EQ(k_work_delayable_busy_get(&delayed), 0);
	CHECK_EQ(k_work_schedule_for_queue(&work_queue, &delayed, K_NO_WAIT), -EBUSY);
	(void)k_work_queue_unplug(&work_queue);
	work_queue_end();
	CHECK_NOTES("");
}

TEST(work_delayed_is_cancelled)
{
	begin();
	CHECK_EQ(k_work_cancel_delayable(&delayed), 0);
	(void)k_work_schedule_for_queue(&work_queue, &delayed, K_TICKS(2));
	CHECK_EQ(k_work_cancel_delayable(&delayed), 0);
	(void)k_work_schedule_for_queue(&work_queue, &delayed, K_TICKS(2));
	CHECK(k_work_cancel_delayable_sync(&delayed, &sync));
	CHECK(!k_work_cancel_delayable_sync(&delayed, &sync));
	CHECK(!k_work_flush_delayable(&delayed, &sync));
	k_sleep(K_TICKS(5));
	work_queue_end();
	CHECK_NOTES("");
}

TEST(work_of_the_systems_queue_after_a_delay)
{
	k_work_init_delayable(&delayed, work_note_w);
	CHECK_EQ(k_work_schedule(&delayed, K_TICKS(1)), 1);
	CHECK_EQ(k_work_reschedule(&delayed, K_TICKS(2)), 1);
	CHECK(k_work_delayable_from_work(&delayed.work) == &delayed);
	k_sleep(K_TICKS(4));
	CHECK_NOTES("w");
}

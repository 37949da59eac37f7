/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for one of several objects, by threads and by work items. */
#include "work_queue.h"

#ifdef CONFIG_POLL

static struct k_sem sem;
static struct k_fifo fifo;
static struct k_msgq msgq;
static struct k_pipe pipe;
static struct k_poll_signal polled_signal;
static char messages[4 * sizeof(int)] __aligned(4);
static uint8_t bytes[4];
static struct {
	uintptr_t link;
} item;

static struct k_poll_event events[] = {
	K_POLL_EVENT_STATIC_INITIALIZER(K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &sem,
					7),
	K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_FIFO_DATA_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &fifo),
	K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_MSGQ_DATA_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &msgq),
	K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &polled_signal),
	K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_PIPE_DATA_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &pipe),
	K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_IGNORE, K_POLL_MODE_NOTIFY_ONLY, NULL),
};
#define EVENTS ((int)ARRAY_SIZE(events))

static int result;

static void states_back(void)
{
	for (int i = 0; i < EVENTS; i++) {
		events[i].state = K_POLL_STATE_NOT_READY;
	}
}

static void begin(void)
{
	(void)k_sem_init(&sem, 0, 5);
	k_fifo_init(&fifo);
	k_msgq_init(&msgq, messages, sizeof(int), 4);
	k_pipe_init(&pipe, bytes, sizeof(bytes));
	k_poll_signal_init(&polled_signal);
	states_back();
}

/* Nobody polls any more. */
static bool is_left(void)
{
	return sem.pollers == NULL && fifo._queue.pollers == NULL && msgq.pollers == NULL &&
	       polled_signal.pollers == NULL && pipe.pollers == NULL;
}

static void poll_all(void *letter)
{
	result = k_poll(events, EVENTS, K_TICKS(20));
	note(*(const char *)letter);
}

static void put_in(int which)
{
	const int message = 1;

	switch (which) {
	case 0:
		k_sem_give(&sem);
		break;
	case 1:
		k_fifo_put(&fifo, &item);
		break;
	case 2:
		CHECK_EQ(k_msgq_put(&msgq, &message, K_NO_WAIT), 0);
		break;
	case 3:
		CHECK_EQ(k_poll_signal_raise(&polled_signal, 42), 0);
		break;
	default:
		CHECK_EQ(k_pipe_write(&pipe, (const uint8_t *)"x", 1, K_NO_WAIT), 1);
		break;
	}
}

static const uint32_t states[] = {
	K_POLL_STATE_SEM_AVAILABLE,       K_POLL_STATE_FIFO_DATA_AVAILABLE,
	K_POLL_STATE_MSGQ_DATA_AVAILABLE, K_POLL_STATE_SIGNALED,
	K_POLL_STATE_PIPE_DATA_AVAILABLE,
};

/* Of that event, and of no other, its own state. */
static void check_states(int which)
{
	const uint32_t expected = states[which];

	for (int i = 0; i < EVENTS; i++) {
		CHECK_EQ(events[i].state, i == which ? expected : 0);
	}
}

static void put_first_of(void *which)
{
	put_in(*(const int *)which);
}

TEST(poll_finds_what_is_there)
{
	for (int which = 0; which < EVENTS - 1; which++) {
		begin();
		put_in(which);
		CHECK_EQ(k_poll(events, EVENTS, K_NO_WAIT), 0);
		check_states(which);
	}
	CHECK_EQ(events[0].tag, 7);
}

static void check_reported(int which, bool from_isr)
{
	begin();
	(void)start(poll_all, "p", MAIN_PRIO - 1);
	if (from_isr) {
		in_isr(put_first_of, &which);
	} else {
		put_in(which);
	}
	CHECK_NOTES("p");
	CHECK_EQ(result, 0);
	check_states(which);
	CHECK(is_left());
}

TEST(poll_tells_which_object_has_something)
{
	for (int which = 0; which < EVENTS - 1; which++) {
		check_reported(which, false);
	}
}

TEST(poll_tells_what_comes_in_an_isr)
{
	for (int which = 0; which < EVENTS - 1; which++) {
		check_reported(which, true);
	}
}

TEST(poll_tells_all_that_is_there_at_once)
{
	begin();
	put_in(0);
	put_in(3);
	CHECK_EQ(k_poll(events, EVENTS, K_FOREVER), 0);
	CHECK_EQ(events[0].state, K_POLL_STATE_SEM_AVAILABLE);
	CHECK_EQ(events[1].state, K_POLL_STATE_NOT_READY);
	CHECK_EQ(events[3].state, K_POLL_STATE_SIGNALED);
	CHECK(is_left());
}

TEST(poll_tells_all_that_came_before_it_went_on)
{
	begin();
	(void)start(poll_all, "p", MAIN_PRIO + 1);
	k_sleep(K_TICKS(1)); /* it waits now */
	put_in(3);
	put_in(0);
	put_in(4);
	k_sleep(K_TICKS(1));
	CHECK_NOTES("p");
	CHECK_EQ(result, 0);
	/* Bound: the events. */
	for (int i = 0; i < EVENTS - 1; i++) {
		CHECK_EQ(events[i].state, i == 1 || i == 2 ? 0 : states[i]);
	}
	CHECK(is_left());
}

/* What was taken by somebody else meanwhile is not there; but of what it was told it stays told. */
TEST(poll_does_not_tell_what_has_gone_again)
{
	begin();
	(void)start(poll_all, "p", MAIN_PRIO + 1);
	k_sleep(K_TICKS(1));
	put_in(0);
	put_in(3);
	k_poll_signal_reset(&polled_signal);
	CHECK_EQ(k_sem_take(&sem, K_NO_WAIT), 0);
	k_sleep(K_TICKS(1));
	CHECK_NOTES("p");
	CHECK_EQ(result, 0);
	check_states(0);
}

TEST(poll_ends_when_its_time_is_over)
{
	begin();
	CHECK_EQ(k_poll(events, EVENTS, K_NO_WAIT), -EAGAIN);
	CHECK_EQ(k_poll(events, EVENTS, K_TICKS(2)), -EAGAIN);
	CHECK_EQ(k_poll(&events[EVENTS - 1], 1, K_TICKS(1)), -EAGAIN);
	CHECK(is_left());
}

TEST(poll_is_interrupted_where_a_queues_wait_is_cancelled)
{
	begin();
	(void)start(poll_all, "p", MAIN_PRIO - 1);
	k_fifo_cancel_wait(&fifo);
	CHECK_NOTES("p");
	CHECK_EQ(result, -EINTR);
	CHECK_EQ(events[1].state, K_POLL_STATE_CANCELLED);
	CHECK(is_left());
}

static void get(void *arg)
{
	ARG_UNUSED(arg);
	CHECK(k_fifo_get(&fifo, K_FOREVER) == NULL);
	note('g');
}

TEST(poll_is_interrupted_though_somebody_waits_in_the_queue_itself)
{
	begin();
	(void)start(poll_all, "p", MAIN_PRIO - 1);
	(void)start(get, NULL, MAIN_PRIO - 2);
	k_fifo_cancel_wait(&fifo);
	CHECK_NOTES("gp");
	CHECK_EQ(result, -EINTR);
	CHECK(is_left());
}

static void poll_once(void *arg)
{
	struct k_poll_event own;

	ARG_UNUSED(arg);
	k_poll_event_init(&own, K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &sem);
	CHECK_EQ(k_poll(&own, 1, K_FOREVER), 0);
	note('s');
}

TEST(poll_told_and_aborted_passes_it_on)
{
	k_tid_t told;

	begin();
	told = start(poll_all, "p", MAIN_PRIO - 2);
	(void)start(poll_once, NULL, MAIN_PRIO - 1);
	k_sched_lock();
	k_sem_give(&sem);
	k_thread_abort(told);
	k_sched_unlock();
	CHECK_NOTES("s");
	CHECK(is_left());
}

static void take(void *arg)
{
	ARG_UNUSED(arg);
	CHECK_EQ(k_sem_take(&sem, K_FOREVER), 0);
	note('t');
}

TEST(poll_comes_after_those_who_take)
{
	begin();
	(void)start(poll_all, "p", MAIN_PRIO - 2);
	(void)start(take, NULL, MAIN_PRIO - 1);
	k_sem_give(&sem);
	CHECK_NOTES("t");
	k_sem_give(&sem);
	CHECK_NOTES("p");
}

static struct k_poll_event own_events[3];

static void poll_sem(void *number)
{
	const int which = *(const int *)number;

	k_poll_event_init(&own_events[which], K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY,
			  &sem);
	CHECK_EQ(k_poll(&own_events[which], 1, K_FOREVER), 0);
	note((char)('a' + which));
}

TEST(poll_tells_one_at_a_time_the_most_urgent_first)
{
	static const int numbers[] = {0, 1, 2};

	begin();
	(void)start(poll_sem, (void *)&numbers[0], MAIN_PRIO - 1);
	(void)start(poll_sem, (void *)&numbers[1], MAIN_PRIO - 2);
	(void)start(poll_sem, (void *)&numbers[2], MAIN_PRIO - 1);
	k_sem_give(&sem);
	CHECK_NOTES("b");
	k_sem_give(&sem);
	CHECK_NOTES("a");
	k_sem_give(&sem);
	CHECK_NOTES("c");
	CHECK(is_left());
}

/* Who was told and has not run yet is in the object's list still: others are told past it. */
TEST(poll_told_in_an_isr_is_passed_by_who_comes_later)
{
	static const int numbers[] = {0, 1, 2};
	int which = 0;

	begin();
	(void)start(poll_sem, (void *)&numbers[0], MAIN_PRIO + 1);
	(void)start(poll_sem, (void *)&numbers[2], MAIN_PRIO + 2);
	k_sleep(K_TICKS(1)); /* they poll */
	in_isr(put_first_of, &which);
	CHECK_EQ(k_sem_take(&sem, K_NO_WAIT), 0);
	(void)start(poll_sem, (void *)&numbers[1], MAIN_PRIO - 1);
	in_isr(put_first_of, &which);
	CHECK_NOTES("b");
	CHECK_EQ(k_sem_take(&sem, K_NO_WAIT), 0);
	in_isr(put_first_of, &which);
	CHECK(is_left() || sem.pollers->next == sem.pollers); /* of one that was told at most */
	k_sleep(K_TICKS(1));
	CHECK_NOTES("ac");
	CHECK(is_left());
}

TEST(poll_of_a_thread_that_ends_leaves_nothing_behind)
{
	k_tid_t thread;

	begin();
	thread = start(poll_all, "p", MAIN_PRIO - 1);
	CHECK(!is_left());
	k_thread_abort(thread);
	CHECK(is_left());
	put_in(0);
	CHECK_NOTES("");
}

TEST(poll_signals_stay_until_they_are_reset)
{
	unsigned int is_raised = 0;
	int number = 0;

	begin();
	k_poll_signal_check(&polled_signal, &is_raised, &number);
	CHECK_EQ(is_raised, 0);
	CHECK_EQ(k_poll_signal_raise(&polled_signal, -3), 0);
	k_poll_signal_check(&polled_signal, &is_raised, &number);
	CHECK_EQ(is_raised, 1);
	CHECK_EQ(number, -3);
	CHECK_EQ(k_poll(events, EVENTS, K_NO_WAIT), 0);
	CHECK_EQ(k_poll(events, EVENTS, K_NO_WAIT), 0);
	k_poll_signal_reset(&polled_signal);
	CHECK_EQ(k_poll(events, EVENTS, K_NO_WAIT), -EAGAIN);
}

/* ---- work items ---- */

static struct k_work_poll polled_work;

static void note_result(struct k_work *work)
{
	note(CONTAINER_OF(work, struct k_work_poll, work)->poll_result == 0 ? 'r' : 'T');
}

TEST(poll_of_work_submits_it_when_an_event_has_come)
{
	begin();
	work_queue_begin(MAIN_PRIO - 1);
	k_work_poll_init(&polled_work, note_result);
	CHECK_EQ(k_work_poll_cancel(&polled_work), -EINVAL);
	CHECK_EQ(k_work_poll_submit_to_queue(&work_queue, &polled_work, events, EVENTS, K_FOREVER),
		 0);
	CHECK_EQ(k_work_poll_submit(&polled_work, events, EVENTS, K_FOREVER), -EADDRINUSE);
	CHECK_NOTES("");
	put_in(2);
	CHECK_NOTES("r");
	CHECK(is_left());
	states_back(); /* and the message is there still */
	CHECK_EQ(k_work_poll_submit_to_queue(&work_queue, &polled_work, events, EVENTS, K_FOREVER),
		 0);
	CHECK_NOTES("r");
	work_queue_end();
}

TEST(poll_of_work_tells_all_that_came_before_its_handler)
{
	begin();
	work_queue_begin(MAIN_PRIO + 1);
	k_work_poll_init(&polled_work, note_result);
	CHECK_EQ(k_work_poll_submit_to_queue(&work_queue, &polled_work, events, EVENTS, K_FOREVER),
		 0);
	put_in(3);
	put_in(2);
	CHECK_NOTES("");
	k_sleep(K_TICKS(1));
	CHECK_NOTES("r");
	CHECK_EQ(events[3].state, K_POLL_STATE_SIGNALED);
	CHECK_EQ(events[2].state, K_POLL_STATE_MSGQ_DATA_AVAILABLE);
	CHECK_EQ(events[0].state, K_POLL_STATE_NOT_READY);
	work_queue_end();
}

TEST(poll_of_work_that_is_none_cannot_be_cancelled)
{
	CHECK_EQ(k_work_poll_cancel(NULL), -EINVAL);
}

/* A type may be any expression, in C and in C++ (samples/zephyr/controller). */
TEST(poll_events_types_are_expressions)
{
	const uint32_t types[] = {K_POLL_TYPE_SIGNAL, K_POLL_TYPE_SEM_AVAILABLE};
	static struct k_poll_event one = K_POLL_EVENT_STATIC_INITIALIZER(
		(true ? K_POLL_TYPE_SEM_AVAILABLE : 0), K_POLL_MODE_NOTIFY_ONLY, &sem, 3);
	struct k_poll_event other = K_POLL_EVENT_INITIALIZER(types[0], K_POLL_MODE_NOTIFY_ONLY,
							     &polled_signal);

	begin();
	put_in(0);
	CHECK_EQ(k_poll(&one, 1, K_NO_WAIT), 0);
	CHECK_EQ(one.tag, 3);
	CHECK_EQ(k_poll(&other, 1, K_NO_WAIT), -EAGAIN);
	put_in(3);
	CHECK_EQ(k_poll(&other, 1, K_NO_WAIT), 0);
}

TEST(poll_of_work_ends_with_its_time_or_by_cancelling)
{
	begin();
	work_queue_begin(MAIN_PRIO - 1);
	k_work_poll_init(&polled_work, note_result);
	CHECK_EQ(k_work_poll_submit_to_queue(&work_queue, &polled_work, events, EVENTS, K_NO_WAIT),
		 0);
	CHECK_NOTES("T");
	CHECK_EQ(k_work_poll_submit_to_queue(&work_queue, &polled_work, events, EVENTS, K_TICKS(2)),
		 0);
	k_sleep(K_TICKS(5));
	CHECK_NOTES("T");
	CHECK(is_left());
	CHECK_EQ(k_work_poll_submit_to_queue(&work_queue, &polled_work, events, EVENTS, K_TICKS(2)),
		 0);
	CHECK_EQ(k_work_poll_cancel(&polled_work), 0);
	CHECK(is_left());
	k_sleep(K_TICKS(5));
	put_in(0);
	CHECK_NOTES("");
	CHECK_EQ(k_work_poll_submit(&polled_work, events, EVENTS, K_FOREVER), 0);
	k_sleep(K_TICKS(1));
	CHECK_NOTES("r");
	work_queue_end();
}

#endif

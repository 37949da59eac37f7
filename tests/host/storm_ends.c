/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the threads of storm_restart.c wait for beside its own objects, to be ended in the middle of that: pipes, mailboxes,
 * the end of work, futexes, and several things at once. Bytes and messages are constant: who has ended has left its stack.
 */
#include <string.h>

#include "model.h"
#include "storm.h"

#define PIPE_BYTES 8
#define ROOMS_USED 4

static struct k_pipe pipe;
static uint8_t pipe_buffer[PIPE_BYTES];
static uint8_t read_bytes[STORM_HOLDERS + 1][2 * PIPE_BYTES];
static uint8_t constant[2 * PIPE_BYTES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static struct k_mbox mbox;
static struct k_mbox async_mbox; /* whose receivers live on: who has ended takes no data */
static int num_async; /* begun, since that one was empty: never so many that others wait for room */
static struct k_futex futex;
static struct k_work_q queue;
static K_THREAD_STACK_DEFINE(queue_stack, 8192);
static struct k_work_delayable work;
static struct k_work_sync sync;
#ifdef CONFIG_POLL
static struct k_poll_signal signal;
static struct k_sem polled_sem;
#endif

static void handler(struct k_work *item)
{
	if (one_in(2)) {
		(void)k_sleep(K_TICKS(1));
	}
}

void storm_ends_init(void)
{
	k_pipe_init(&pipe, pipe_buffer, sizeof(pipe_buffer));
	k_mbox_init(&mbox);
	k_mbox_init(&async_mbox);
	k_work_init_delayable(&work, handler);
	k_work_queue_start(&queue, queue_stack, K_THREAD_STACK_SIZEOF(queue_stack), 1, NULL);
#ifdef CONFIG_POLL
	k_poll_signal_init(&signal);
	(void)k_sem_init(&polled_sem, 0, 3);
#endif
}

static void use_mbox(void)
{
	struct k_mbox_msg tx_msg = {
		.size = PIPE_BYTES, .tx_data = constant, .tx_target_thread = K_ANY};
	struct k_mbox_msg rx_msg = {.size = PIPE_BYTES, .rx_source_thread = K_ANY};
	uint8_t bytes[PIPE_BYTES];

	switch (random_below(6)) {
	case 0:
		(void)k_mbox_put(&mbox, &tx_msg, storm_timeout());
		break;
	case 1:
		if (num_async < ROOMS_USED) {
			num_async++;
			k_mbox_async_put(&async_mbox, &tx_msg, NULL);
		}
		break;
	default:
		if (k_mbox_get(&mbox, &rx_msg, NULL, storm_timeout()) == 0) {
			k_yield(); /* here it may end, with a message whose data nobody takes */
			k_mbox_data_get(&rx_msg, bytes);
			CHECK(memcmp(bytes, constant, rx_msg.size) == 0);
		}
		break;
	}
}

static void use_work(void)
{
	switch (random_below(5)) {
	case 0:
		(void)k_work_flush_delayable(&work, &sync);
		break;
	case 1:
		(void)k_work_cancel_delayable_sync(&work, &sync);
		break;
	case 2:
		(void)k_work_queue_drain(&queue, false);
		break;
	case 3:
		(void)k_work_schedule_for_queue(&queue, &work, storm_timeout());
		break;
	default:
		(void)k_work_submit_to_queue(&queue, &work.work);
		break;
	}
}

static void use_poll(void)
{
#ifdef CONFIG_POLL
	struct k_poll_event events[2];

	k_poll_event_init(&events[0], K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &signal);
	k_poll_event_init(&events[1], K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY,
			  &polled_sem);
	(void)k_poll(events, 2, storm_timeout());
	(void)k_sem_take(&polled_sem, K_NO_WAIT);
	k_poll_signal_reset(&signal);
#endif
}

/* The first of a row of bytes that two threads wrote at once is as good as another. */
static void use_pipe(int self)
{
	if (one_in(2)) {
		(void)k_pipe_write(&pipe, constant, 1 + random_below(sizeof(constant)),
				   storm_timeout());
	} else {
		(void)k_pipe_read(&pipe, read_bytes[self], 1 + random_below(sizeof(constant)),
				  storm_timeout());
	}
}

void storm_ends_use(int self)
{
	switch (random_below(5)) {
	case 0:
		use_mbox();
		break;
	case 1:
		use_work();
		break;
	case 2:
		use_poll();
		break;
	case 3:
		use_pipe(self);
		break;
	default:
		(void)k_futex_wait(&futex, 0, storm_timeout());
		break;
	}
}

static int receive_async(void)
{
	struct k_mbox_msg msg = {.size = 0, .rx_source_thread = K_ANY};

	return k_mbox_get(&async_mbox, &msg, NULL, K_NO_WAIT);
}

void storm_ends_serve(void)
{
	if (receive_async() != 0) {
		num_async = 0;
	}
}

void storm_ends_in_isr(void)
{
	switch (random_below(5)) {
	case 0:
		(void)k_futex_wake(&futex, one_in(2));
		break;
	case 1:
		(void)k_work_cancel_delayable(&work);
		break;
	case 2:
		(void)k_pipe_read(&pipe, read_bytes[STORM_HOLDERS], 3, K_NO_WAIT);
		break;
	case 3:
#ifdef CONFIG_POLL
		(void)k_poll_signal_raise(&signal, 1);
		k_sem_give(&polled_sem);
#endif
		break;
	default:
		(void)k_work_submit_to_queue(&queue, &work.work);
		break;
	}
}

void storm_ends_at_rest(void)
{
	(void)storm_check_waiters(&pipe.readers);
	(void)storm_check_waiters(&pipe.writers);
	(void)storm_check_waiters(&mbox.senders);
	(void)storm_check_waiters(&mbox.receivers);
#ifdef CONFIG_POLL
	storm_check_pollers(&signal.pollers);
	storm_check_pollers(&polled_sem.pollers);
#endif
}

/* Nobody waits in vain, and no room was taken along. */
void storm_ends_end(void)
{
	struct k_mbox_msg tx_msg = {.tx_target_thread = K_ANY};
	int rooms = 0;

	CHECK(pipe.readers.head == NULL && pipe.writers.head == NULL);
	CHECK(mbox.senders.head == NULL && mbox.receivers.head == NULL);
	CHECK(k_futex_wake(&futex, true) == 0);
#ifdef CONFIG_POLL
	CHECK(signal.pollers == NULL && polled_sem.pollers == NULL);
#endif
	(void)k_work_cancel_delayable_sync(&work, &sync);
	CHECK((k_work_delayable_busy_get(&work) & ~K_WORK_FLUSHING) == 0);
	while (receive_async() == 0) {
	}
	/* Where one was taken along this waits for ever. */
	for (; rooms < CONFIG_NUM_MBOX_ASYNC_MSGS; rooms++) {
		k_mbox_async_put(&async_mbox, &tx_msg, NULL);
	}
	while (receive_async() == 0) {
		rooms--;
	}
	CHECK(rooms == 0);
	(void)k_work_queue_drain(&queue, true);
	CHECK(k_work_queue_stop(&queue, K_FOREVER) == 0);
}

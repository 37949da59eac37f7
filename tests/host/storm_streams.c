/* SPDX-License-Identifier: Apache-2.0 */
/* Storms over pipes, with k_poll() where there is one, and over work queues. */
#include "model.h"
#include "storm.h"

/* ---- pipes: what was written was read, or is in the pipe ---- */

#define PIPE_BYTES  16
#define CHUNK_BYTES 100

static struct k_pipe pipe;
static uint8_t pipe_buffer[PIPE_BYTES];
static uint64_t sum_written, sum_read; /* of the bytes' values, each above 0 */

static void pipe_init_job(void)
{
	k_pipe_init(&pipe, pipe_buffer, sizeof(pipe_buffer));
}

static void add_up(uint64_t *sum, const uint8_t *bytes, int count)
{
	unsigned int key = irq_lock();

	for (int i = 0; i < count; i++) {
		CHECK(bytes[i] != 0);
		*sum += bytes[i];
	}
	irq_unlock(key);
}

static void pipe_write_some(k_timeout_t timeout)
{
	uint8_t bytes[CHUNK_BYTES];
	size_t count = 1U + random_below(CHUNK_BYTES);

	for (size_t i = 0; i < count; i++) {
		bytes[i] = (uint8_t)(1U + random_below(255));
	}
	add_up(&sum_written, bytes, k_pipe_write(&pipe, bytes, count, timeout));
}

static void pipe_read_some(k_timeout_t timeout)
{
	uint8_t bytes[CHUNK_BYTES] = {0};

	add_up(&sum_read, bytes,
	       k_pipe_read(&pipe, bytes, 1U + random_below(CHUNK_BYTES), timeout));
}

/* Told or not: whoever comes first takes it. */
static void pipe_poll(void)
{
#ifdef CONFIG_POLL
	struct k_poll_event event;

	k_poll_event_init(&event, K_POLL_TYPE_PIPE_DATA_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &pipe);
	(void)k_poll(&event, 1, storm_timeout());
#endif
	pipe_read_some(K_NO_WAIT);
}

static void pipe_in_thread(int self)
{
	switch (random_below(4)) {
	case 0:
		pipe_poll();
		break;
	case 1:
		pipe_read_some(storm_timeout());
		break;
	default:
		pipe_write_some(storm_timeout());
		break;
	}
}

static void pipe_in_isr(void)
{
	if (one_in(2)) {
		pipe_write_some(K_NO_WAIT);
	} else {
		pipe_read_some(K_NO_WAIT);
	}
}

static void pipe_at_rest(void)
{
	CHECK(pipe.used <= PIPE_BYTES);
	(void)storm_check_waiters(&pipe.writers);
	CHECK(storm_check_waiters(&pipe.readers) == 0 || pipe.used == 0);
}

static void pipe_end(void)
{
	while (pipe.used != 0) {
		pipe_read_some(K_NO_WAIT);
	}
	CHECK(sum_written == sum_read);
#ifdef CONFIG_POLL
	CHECK(pipe.pollers == NULL);
#endif
}

const struct storm_job storm_pipe = {
	"pipe", pipe_init_job, pipe_in_thread, pipe_in_isr, pipe_at_rest, pipe_end,
};

/* ---- work: what was accepted ran, was taken back, or is still to be done ---- */

#define ITEMS 4

static struct k_work_q queue;
static K_THREAD_STACK_DEFINE(queue_stack, 8192);
static struct k_work_delayable items[ITEMS];
static struct {
	uint32_t accepted, taken_back, runs;
	bool runs_now;
} counts[ITEMS];

static void count_run(struct k_work *work)
{
	int i = (int)(k_work_delayable_from_work(work) - items);

	CHECK(!counts[i].runs_now);
	counts[i].runs_now = true;
	counts[i].runs++;
	counts[i].runs_now = false;
}

static void work_init_job(void)
{
	for (int i = 0; i < ITEMS; i++) {
		k_work_init_delayable(&items[i], count_run);
	}
	k_work_queue_start(&queue, queue_stack, K_THREAD_STACK_SIZEOF(queue_stack), 1, NULL);
}

/* The first half is delayed, the other submitted: so an item is queued or delayed, never both. */
static void submit(int i)
{
	unsigned int key = irq_lock();
	int result = i < ITEMS / 2 ? k_work_schedule_for_queue(&queue, &items[i], storm_timeout())
				   : k_work_submit_to_queue(&queue, &items[i].work);

	CHECK(result == -EBUSY || (result >= 0 && result <= 2));
	counts[i].accepted += result > 0;
	irq_unlock(key);
}

static void take_back(int i)
{
	const int waits = K_WORK_QUEUED | K_WORK_DELAYED;
	unsigned int key = irq_lock();

	counts[i].taken_back += (k_work_delayable_busy_get(&items[i]) & waits) != 0;
	CHECK((k_work_cancel_delayable(&items[i]) & waits) == 0);
	irq_unlock(key);
}

static void work_in_thread(int self)
{
	struct k_work_sync sync;
	int i = (int)random_below(ITEMS);

	switch (random_below(6)) {
	case 0:
		take_back(i);
		break;
	case 1:
		(void)k_work_flush(&items[i].work, &sync);
		break;
	case 2:
		take_back(i);
		(void)k_work_flush(&items[i].work, &sync);
		break;
	default:
		submit(i);
		break;
	}
}

static void work_in_isr(void)
{
	int i = (int)random_below(ITEMS);

	if (one_in(4)) {
		take_back(i);
	} else {
		submit(i);
	}
}

static void work_at_rest(void)
{
	(void)storm_check_waiters(&queue.syncs);
	CHECK(queue.head == NULL || queue.head->link == &queue.head);
}

static void work_end(void)
{
	(void)k_work_queue_drain(&queue, true);
	for (int i = 0; i < ITEMS; i++) {
		take_back(i); /* what is delayed still */
		CHECK(counts[i].accepted == counts[i].runs + counts[i].taken_back);
	}
	CHECK(k_work_queue_stop(&queue, K_FOREVER) == 0);
}

const struct storm_job storm_work = {
	"work", work_init_job, work_in_thread, work_in_isr, work_at_rest, work_end,
};

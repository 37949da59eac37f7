/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes. */
#include "test.h"

#define SIZE 8

K_PIPE_DEFINE(defined_pipe, SIZE, 4);
static struct k_pipe pipe;
static uint8_t buffer[SIZE];
static uint8_t got[200];
static uint8_t sent[200];
static int read_result, write_result;

static void begin(size_t size)
{
	k_pipe_init(&pipe, buffer, size);
	for (unsigned int i = 0; i < sizeof(sent); i++) {
		sent[i] = (uint8_t)(i * 7 + 1);
		got[i] = 0;
	}
}

static int first_difference(int bytes)
{
	int at = 0;

	while (at < bytes && got[at] == sent[at]) {
		at++;
	}
	return at;
}

static void read_some(void *bytes)
{
	read_result = k_pipe_read(&pipe, got, *(const size_t *)bytes, K_TICKS(20));
	note('r');
}

static void write_some(void *bytes)
{
	write_result = k_pipe_write(&pipe, sent, *(const size_t *)bytes, K_TICKS(20));
	note('w');
}

static size_t five = 5, hundred = 150;

TEST(pipe_holds_as_many_bytes_as_it_is_large)
{
	begin(SIZE);
	CHECK_EQ(k_pipe_read(&pipe, got, 1, K_NO_WAIT), -EAGAIN);
	CHECK_EQ(k_pipe_write(&pipe, sent, 5, K_NO_WAIT), 5);
	CHECK_EQ(k_pipe_write(&pipe, sent + 5, 5, K_NO_WAIT), 3);
	CHECK_EQ(k_pipe_write(&pipe, sent, 1, K_NO_WAIT), -EAGAIN);
	CHECK_EQ(k_pipe_write(&pipe, sent, 0, K_NO_WAIT), 0);
	CHECK_EQ(k_pipe_read(&pipe, got, 3, K_NO_WAIT), 3);
	CHECK_EQ(k_pipe_write(&pipe, sent + 8, 3, K_NO_WAIT), 3); /* round the end */
	CHECK_EQ(k_pipe_read(&pipe, got + 3, 20, K_NO_WAIT), 8);
	CHECK_EQ(first_difference(11), 11);
	CHECK_EQ(k_pipe_write(&defined_pipe, sent, SIZE + 1, K_NO_WAIT), SIZE);
	CHECK_EQ(k_pipe_read(&defined_pipe, got, SIZE, K_FOREVER), SIZE);
}

TEST(pipe_reader_waits_for_all_it_wants)
{
	begin(SIZE);
	(void)start(read_some, &five, MAIN_PRIO - 1);
	CHECK_EQ(k_pipe_write(&pipe, sent, 2, K_NO_WAIT), 2);
	CHECK_NOTES("");
	CHECK_EQ(k_pipe_write(&pipe, sent + 2, 5, K_NO_WAIT), 5);
	CHECK_NOTES("r");
	CHECK_EQ(read_result, 5);
	CHECK_EQ(first_difference(5), 5);
	CHECK_EQ(k_pipe_read(&pipe, got + 5, 2, K_NO_WAIT), 2);
	CHECK_EQ(first_difference(7), 7);
}

TEST(pipe_time_over_gives_what_there_was)
{
	begin(SIZE);
	CHECK_EQ(k_pipe_read(&pipe, got, 4, K_TICKS(2)), -EAGAIN);
	(void)k_pipe_write(&pipe, sent, 3, K_NO_WAIT);
	CHECK_EQ(k_pipe_read(&pipe, got, 4, K_TICKS(2)), 3);
	CHECK_EQ(first_difference(3), 3);
	CHECK_EQ(k_pipe_write(&pipe, sent, 10, K_TICKS(2)), SIZE);
	CHECK_EQ(k_pipe_write(&pipe, sent, 10, K_TICKS(2)), -EAGAIN);
}

/* More than it holds, through it, either one first, and with a buffer or without. */
TEST(pipe_passes_on_more_than_it_holds)
{
	for (size_t size = 0; size <= SIZE; size += SIZE) {
		begin(size);
		(void)start(read_some, &hundred, MAIN_PRIO - 1);
		CHECK_EQ(k_pipe_write(&pipe, sent, hundred, K_FOREVER), (int)hundred);
		CHECK_NOTES("r");
		CHECK_EQ(read_result, (int)hundred);
		CHECK_EQ(first_difference((int)hundred), (int)hundred);
		begin(size);
		(void)start(write_some, &hundred, MAIN_PRIO - 1);
		CHECK_NOTES("");
		CHECK_EQ(k_pipe_read(&pipe, got, hundred, K_FOREVER), (int)hundred);
		CHECK_NOTES("w");
		CHECK_EQ(write_result, (int)hundred);
		CHECK_EQ(first_difference((int)hundred), (int)hundred);
	}
}

TEST(pipe_without_a_buffer_takes_nothing_at_once)
{
	begin(0);
	CHECK_EQ(k_pipe_write(&pipe, sent, 1, K_NO_WAIT), -EAGAIN);
	CHECK_EQ(k_pipe_read(&pipe, got, 1, K_NO_WAIT), -EAGAIN);
	(void)start(read_some, &five, MAIN_PRIO - 1);
	CHECK_EQ(k_pipe_write(&pipe, sent, 7, K_NO_WAIT), 5);
	CHECK_NOTES("r");
}

TEST(pipe_reset_ends_waits_and_drops_what_is_in_it)
{
	begin(SIZE);
	(void)start(read_some, &five, MAIN_PRIO - 1);
	k_pipe_reset(&pipe);
	CHECK_NOTES("r");
	CHECK_EQ(read_result, -ECANCELED);
	(void)start(write_some, &hundred, MAIN_PRIO - 1);
	k_pipe_reset(&pipe);
	CHECK_NOTES("w");
	CHECK_EQ(write_result, -ECANCELED);
	CHECK_EQ(k_pipe_read(&pipe, got, 1, K_NO_WAIT), -EAGAIN);
}

TEST(pipe_closed_gives_what_is_left)
{
	begin(SIZE);
	(void)start(write_some, &hundred, MAIN_PRIO - 1);
	k_pipe_close(&pipe);
	CHECK_NOTES("w");
	CHECK_EQ(write_result, -EPIPE);
	CHECK_EQ(k_pipe_write(&pipe, sent, 1, K_FOREVER), -EPIPE);
	CHECK_EQ(k_pipe_read(&pipe, got, 20, K_FOREVER), SIZE);
	CHECK_EQ(k_pipe_read(&pipe, got, 1, K_FOREVER), -EPIPE);
	begin(SIZE);
	(void)start(read_some, &five, MAIN_PRIO - 1);
	k_pipe_close(&pipe);
	CHECK_NOTES("r");
	CHECK_EQ(read_result, -EPIPE);
}

static void write_in_isr(void *arg)
{
	ARG_UNUSED(arg);
	write_result = k_pipe_write(&pipe, sent, 5, K_NO_WAIT);
}

TEST(pipe_written_in_an_isr)
{
	begin(SIZE);
	in_isr(write_in_isr, NULL);
	CHECK_EQ(write_result, 5);
	CHECK_EQ(k_pipe_read(&pipe, got, 5, K_NO_WAIT), 5);
	(void)start(read_some, &five, MAIN_PRIO - 1);
	in_isr(write_in_isr, NULL);
	CHECK_NOTES("r");
	CHECK_EQ(first_difference(5), 5);
}

TEST(pipe_reader_that_is_aborted_takes_nothing)
{
	k_tid_t reader;

	begin(SIZE);
	reader = start(read_some, &hundred, MAIN_PRIO - 1);
	k_thread_abort(reader);
	CHECK_EQ(k_pipe_write(&pipe, sent, 5, K_NO_WAIT), 5);
	CHECK_EQ(k_pipe_read(&pipe, got, 5, K_NO_WAIT), 5);
}

#ifdef CONFIG_PIPES
K_HEAP_DEFINE(pool, 64);

TEST(pipe_calls_of_before)
{
	size_t bytes = 9;

	k_thread_heap_assign(k_current_get(), &pool);
	CHECK_EQ(k_pipe_alloc_init(&pipe, 1000), -ENOMEM);
	CHECK_EQ(k_pipe_alloc_init(&pipe, SIZE), 0);
	CHECK_EQ(k_pipe_get(&pipe, got, 4, &bytes, 5, K_NO_WAIT), -EINVAL);
	CHECK_EQ(k_pipe_get(&pipe, got, 4, &bytes, 1, K_NO_WAIT), -EIO);
	CHECK_EQ(bytes, 0);
	CHECK_EQ(k_pipe_get(&pipe, got, 4, &bytes, 0, K_NO_WAIT), 0);
	CHECK_EQ(k_pipe_put(&pipe, sent, 10, &bytes, 3, K_FOREVER), 0);
	CHECK_EQ(bytes, SIZE);
	CHECK_EQ(k_pipe_put(&pipe, sent, 10, &bytes, 3, K_NO_WAIT), -EIO);
	CHECK_EQ(k_pipe_put(&pipe, sent, 2, &bytes, 3, K_NO_WAIT), -EINVAL);
	CHECK_EQ(k_pipe_put(&pipe, sent, 10, &bytes, 3, K_TICKS(1)), -EAGAIN);
	CHECK_EQ(k_pipe_read_avail(&pipe), SIZE);
	CHECK_EQ(k_pipe_get(&pipe, got, 20, &bytes, 3, K_FOREVER), 0);
	CHECK_EQ(bytes, SIZE);
	CHECK_EQ(first_difference(SIZE), SIZE);
	CHECK_EQ(k_pipe_write_avail(&pipe), SIZE);
	CHECK_EQ(k_pipe_get(&pipe, got, 20, &bytes, 3, K_TICKS(1)), -EAGAIN);
	(void)start(write_some, &hundred, MAIN_PRIO - 1);
	CHECK_EQ(k_pipe_cleanup(&pipe), -EAGAIN);
	k_pipe_buffer_flush(&pipe); /* it goes on */
	CHECK_NOTES("");
	k_pipe_flush(&pipe);
	CHECK_NOTES("w");
	CHECK_EQ(write_result, 2 * SIZE);
	(void)start(read_some, &hundred, MAIN_PRIO - 1);
	CHECK_EQ(k_pipe_cleanup(&pipe), -EAGAIN);
	k_pipe_reset(&pipe);
	CHECK_NOTES("r");
	CHECK_EQ(k_pipe_put(&pipe, sent, 3, &bytes, 0, K_NO_WAIT), 0);
	CHECK_EQ(bytes, 3);
	CHECK_EQ(k_pipe_put(&pipe, sent + 3, 2, &bytes, 2, K_NO_WAIT), 0); /* no more than that */
	CHECK_EQ(bytes, 2);
	CHECK_EQ(k_pipe_get(&pipe, got, 5, &bytes, 5, K_NO_WAIT), 0);
	CHECK_EQ(bytes, 5);
	CHECK_EQ(first_difference(5), 5);
	CHECK_EQ(k_pipe_cleanup(&pipe), 0);
	CHECK_EQ(k_pipe_cleanup(&pipe), 0); /* nothing is given back twice */
	CHECK_EQ(k_pipe_alloc_init(&pipe, 0), 0);
	CHECK_EQ(k_pipe_put(&pipe, sent, 1, &bytes, 0, K_NO_WAIT),
		 0); /* none, and that is enough */
	CHECK_EQ(bytes, 0);
	CHECK_EQ(k_pipe_cleanup(&pipe), 0);
	k_thread_heap_assign(k_current_get(), NULL);
	CHECK_EQ(k_pipe_alloc_init(&pipe, SIZE), -ENOMEM);
}

/* Who waits for less gets it, and no more is written than that. */
TEST(pipe_put_to_a_reader_of_less_without_waiting)
{
	size_t bytes;

	for (size_t least = 5; least <= 7; least += 2) {
		begin(0);
		(void)start(read_some, &five, MAIN_PRIO - 1);
		CHECK_EQ(k_pipe_put(&pipe, sent, 8, &bytes, least, K_NO_WAIT),
			 least == 5 ? 0 : -EAGAIN);
		CHECK_EQ(bytes, 5);
		CHECK_NOTES("r");
		CHECK_EQ(read_result, 5);
		CHECK_EQ(first_difference(5), 5);
		CHECK_EQ(k_pipe_put(&pipe, sent, 8, &bytes, least, K_NO_WAIT), -EIO);
		CHECK_EQ(bytes, 0);
	}
}
#endif

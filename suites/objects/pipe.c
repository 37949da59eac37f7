/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes, by four bytes; into the buffer, and from hand to hand. */
#include "objects.h"

K_PIPE_DEFINE(pipe, 16, 4);
static MEASURE_SHARED uint32_t sent, got;

MEASURE_WINDOW(write, result = k_pipe_write(&pipe, (const uint8_t *)&sent, 4, K_NO_WAIT))
MEASURE_WINDOW(read_now, result = k_pipe_read(&pipe, (uint8_t *)&got, 4, K_NO_WAIT))
MEASURE_WINDOW(read, result = k_pipe_read(&pipe, (uint8_t *)&got, 4, K_FOREVER))
MEASURE_WINDOW(read_timed, result = k_pipe_read(&pipe, (uint8_t *)&got, 4, K_SECONDS(100)))
MEASURE_WINDOW(write_timed, result = k_pipe_write(&pipe, (const uint8_t *)&sent, 4, K_SECONDS(100)))
MEASURE_WINDOW(write_waiting, result = k_pipe_write(&pipe, (const uint8_t *)&sent, 4, K_FOREVER))

static void another(void)
{
	sent++;
}

static void written(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "written", result == 4);
}

static void received(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received", result == 4 && got == sent);
}

static void refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -EAGAIN);
}

/* Full: who writes waits, and each read makes room for it. */
static void fill(void)
{
	/* Bound: the pipe's size. */
	while (k_pipe_write(&pipe, (const uint8_t *)&sent, 4, K_NO_WAIT) == 4) {
	}
}

static void read_one(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received", result == 4);
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &pipe);
}

static void measure_users(void)
{
	measure_user_open(grant);
	measure_user_turns(&(struct measure_operation){"pipe.write.immediate.user",
						       "Write to a pipe (no ctx switch)", write,
						       another, written},
			   &(struct measure_operation){"pipe.read.immediate.user",
						       "Read from a pipe (no ctx switch)", read_now,
						       NULL, received});
	measure_user_close();
}

static void empty(void)
{
	k_pipe_reset(&pipe);
}

static void one_there(void)
{
	empty();
	(void)k_pipe_write(&pipe, (const uint8_t *)&sent, 4, K_NO_WAIT);
}

/* The next word lies in two parts. */
static void write_at_the_end(void)
{
	uint8_t bytes[14];

	empty();
	(void)k_pipe_write(&pipe, bytes, sizeof(bytes), K_NO_WAIT);
	(void)k_pipe_read(&pipe, bytes, sizeof(bytes), K_NO_WAIT);
	another();
}

static void read_at_the_end(void)
{
	write_at_the_end();
	(void)k_pipe_write(&pipe, (const uint8_t *)&sent, 4, K_NO_WAIT);
}

static void full(void)
{
	empty();
	fill();
}

static void read_once(void)
{
	uint32_t own;

	(void)k_pipe_read(&pipe, (uint8_t *)&own, 4, K_FOREVER);
}

static void write_once(void)
{
	uint32_t own = 0;

	(void)k_pipe_write(&pipe, (const uint8_t *)&own, 4, K_FOREVER);
}

static void measure_single_states(void)
{
	states_single(&(struct measure_operation){"pipe.write.immediate.kernel",
						  "Write to a pipe (no ctx switch)", write, empty,
						  written},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"pipe.write.wrapped.kernel",
						  "Write around the end of a pipe's buffer", write,
						  write_at_the_end, written},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"pipe.write.refused.kernel",
						  "Write to a full pipe, not waiting", write, full,
						  refused},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"pipe.read.immediate.kernel",
						  "Read from a pipe (no ctx switch)", read_now,
						  one_there, received},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"pipe.read.wrapped.kernel",
						  "Read around the end of a pipe's buffer",
						  read_now, read_at_the_end, received},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"pipe.read.refused.kernel",
						  "Read from an empty pipe, not waiting", read_now,
						  empty, refused},
		      CALLERS_ALL);
	empty();
}

static void measure_states(void)
{
	measure_single_states();
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"pipe.read.blocking.k_to_k", "Read from a pipe (w/ ctx switch)",
				  read, NULL, received},
			 .wake = {"pipe.write.wake+ctx.k_to_k", "Write to a pipe (w/ ctx switch)",
				  write, another, written},
			 .wait_q = &pipe.readers},
		.wait_timed = read_timed,
		.wait_once = read_once,
		.no_switch_id = "pipe.write.wake.kernel",
	});
	fill();
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"pipe.write.blocking.k_to_k",
				  "Write to a full pipe (w/ ctx switch)", write_waiting, NULL,
				  written},
			 .wake = {"pipe.read.wake+ctx.k_to_k",
				  "Read from a full pipe (w/ ctx switch)", read_now, NULL,
				  read_one},
			 .wait_q = &pipe.writers},
		.wait_timed = write_timed,
		.wait_once = write_once,
		.no_switch_id = "pipe.read.wake.kernel",
	});
	empty();
}

void objects_pipe(void)
{
	measure_turns(&(struct measure_operation){"pipe.write.immediate.kernel",
						  "Write to a pipe (no ctx switch)", write, another,
						  written},
		      &(struct measure_operation){"pipe.read.immediate.kernel",
						  "Read from a pipe (no ctx switch)", read_now,
						  NULL, received});
	measure_single(&(struct measure_operation){"pipe.read.refused.kernel",
						   "Read from an empty pipe, not waiting", read_now,
						   NULL, refused});
	measure_users();
	measure_pair(&(struct measure_pair){
		.wait = {"pipe.read.blocking.k_to_k", "Read from a pipe (w/ ctx switch)", read,
			 NULL, received},
		.wake = {"pipe.write.wake+ctx.k_to_k", "Write to a pipe (w/ ctx switch)", write,
			 another, written},
		.wait_q = &pipe.readers,
	});
	fill();
	measure_pair(&(struct measure_pair){
		.wait = {"pipe.write.blocking.k_to_k", "Write to a full pipe (w/ ctx switch)",
			 write_waiting, NULL, written},
		.wake = {"pipe.read.wake+ctx.k_to_k", "Read from a full pipe (w/ ctx switch)",
			 read_now, NULL, read_one},
		.wait_q = &pipe.writers,
	});
	k_pipe_reset(&pipe);
	measure_states();
}

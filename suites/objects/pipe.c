/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes, by four bytes; into the buffer, and from hand to hand. */
#include "objects.h"

K_PIPE_DEFINE(pipe, 16, 4);
static MEASURE_SHARED uint32_t sent, got;

MEASURE_WINDOW(write, result = k_pipe_write(&pipe, (const uint8_t *)&sent, 4, K_NO_WAIT))
MEASURE_WINDOW(read_now, result = k_pipe_read(&pipe, (uint8_t *)&got, 4, K_NO_WAIT))
MEASURE_WINDOW(read, result = k_pipe_read(&pipe, (uint8_t *)&got, 4, K_FOREVER))
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
}

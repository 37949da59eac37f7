/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes' calls as of Zephyr 4.0 and before, by those of today. */
#include "kernel/objects/pipe.h"
#include "kernel/sched/sched.h"

CALLS_DIRECTLY(k_pipe_read);
CALLS_DIRECTLY(k_pipe_write);

int k_pipe_alloc_init(struct k_pipe *pipe, size_t size)
{
	return pipe_alloc_init(pipe, size);
}

int k_pipe_cleanup(struct k_pipe *pipe)
{
	if (pipe->readers.head != NULL || pipe->writers.head != NULL) {
		return -EAGAIN;
	}
	pipe_give_back(pipe);
	return 0;
}

/*
 * The least of it has been asked for, `done` bytes or an error, and `*total` says how many there
 * were.
 */
/*@ requires \valid(total);
  @ assigns *total;
  @ ensures done < 0 ==> \result == done && *total == 0;
  @ ensures done >= 0 ==> *total == done && \result == (done < min_xfer ? -EAGAIN : 0);
  @*/
static int least_of(int done, size_t min_xfer, size_t *total)
{
	*total = done < 0 ? 0U : (size_t)done;
	if (done < 0) {
		return done;
	}
	return *total < min_xfer ? -EAGAIN : 0;
}

int k_pipe_put(struct k_pipe *pipe, const void *data, size_t bytes_to_write, size_t *bytes_written,
	       size_t min_xfer, k_timeout_t timeout)
{
	int result = 0;
	int more;

	*bytes_written = 0;
	if (min_xfer > bytes_to_write) {
		return -EINVAL;
	}
	if (timeout.ticks == 0 && pipe->readers.head == NULL &&
	    k_pipe_write_avail(pipe) < min_xfer) {
		return -EIO;
	}
	if (min_xfer != 0) {
		result = least_of(k_pipe_write(pipe, data, min_xfer, timeout), min_xfer,
				  bytes_written);
	}
	if (result == 0 && bytes_to_write > min_xfer) {
		more = k_pipe_write(pipe, (const uint8_t *)data + min_xfer,
				    bytes_to_write - min_xfer, K_NO_WAIT);
		*bytes_written += more > 0 ? (size_t)more : 0U;
	}
	return result;
}

int k_pipe_get(struct k_pipe *pipe, void *data, size_t bytes_to_read, size_t *bytes_read,
	       size_t min_xfer, k_timeout_t timeout)
{
	int result = 0;
	int more;

	*bytes_read = 0;
	if (min_xfer > bytes_to_read) {
		return -EINVAL;
	}
	if (timeout.ticks == 0 && k_pipe_read_avail(pipe) < min_xfer) {
		return -EIO;
	}
	if (min_xfer != 0) {
		result = least_of(k_pipe_read(pipe, data, min_xfer, timeout), min_xfer, bytes_read);
	}
	if (result == 0 && bytes_to_read > min_xfer) {
		more = k_pipe_read(pipe, (uint8_t *)data + min_xfer, bytes_to_read - min_xfer,
				   K_NO_WAIT);
		*bytes_read += more > 0 ? (size_t)more : 0U;
	}
	return result;
}

size_t k_pipe_read_avail(struct k_pipe *pipe)
{
	return *(volatile size_t *)&pipe->used;
}

size_t k_pipe_write_avail(struct k_pipe *pipe)
{
	return pipe->size - k_pipe_read_avail(pipe);
}

static void drop(struct k_pipe *pipe, int told)
{
	unsigned int key = arch_irq_lock();

	pipe->first = 0;
	pipe->used = 0;
	(void)sched_wake_all(&pipe->writers, told, key);
	sched_traversal_end(key);
}

void k_pipe_buffer_flush(struct k_pipe *pipe)
{
	drop(pipe, 0);
}

void k_pipe_flush(struct k_pipe *pipe)
{
	drop(pipe, -EBUSY); /* as if its time were over */
}

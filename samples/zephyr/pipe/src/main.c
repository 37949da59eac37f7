/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream of bytes from one thread to another: whatever sizes they are written and read in, they
 * come in order. The pipe is small, so each side waits for the other; when the producer has closed
 * it, the consumer reads what is left, and then is told.
 */
#include <errno.h>
#include <stdlib.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#define BYTES      1000
#define STACK_SIZE 1024

K_PIPE_DEFINE(stream, 48, 4);

static uint32_t sum_written;
static uint32_t sum_read;
static int total_read;
static int out_of_order;
static int last_result;

static void produce(void *p1, void *p2, void *p3)
{
	uint8_t chunk[37];
	int written = 0;

	ARG_UNUSED(p1);
	ARG_UNUSED(p2);
	ARG_UNUSED(p3);
	for (size_t size = 1; written < BYTES; size = size % sizeof(chunk) + 5) {
		size_t wanted = CLAMP((size_t)(BYTES - written), 1, MIN(size, sizeof(chunk)));
		size_t done = 0;

		for (size_t i = 0; i < wanted; i++) {
			chunk[i] = (uint8_t)(written + (int)i);
			sum_written += chunk[i];
		}
		while (done < wanted) { /* a write may be done in part */
			int result = k_pipe_write(&stream, &chunk[done], wanted - done, K_FOREVER);

			if (result < 0) {
				return;
			}
			done += (size_t)result;
		}
		written += (int)wanted;
	}
	k_pipe_close(&stream);
}

static void consume(void *p1, void *p2, void *p3)
{
	uint8_t chunk[23];

	ARG_UNUSED(p1);
	ARG_UNUSED(p2);
	ARG_UNUSED(p3);
	while ((last_result = k_pipe_read(&stream, chunk, sizeof(chunk), K_FOREVER)) > 0) {
		for (int i = 0; i < last_result; i++) {
			sum_read += chunk[i];
			out_of_order += chunk[i] != (uint8_t)total_read;
			total_read++;
		}
	}
}

K_THREAD_DEFINE(producer, STACK_SIZE, produce, NULL, NULL, NULL, 7, 0, 0);
K_THREAD_DEFINE(consumer, STACK_SIZE, consume, NULL, NULL, NULL, 6, 0, 0);

int main(void)
{
	k_thread_join(producer, K_FOREVER);
	k_thread_join(consumer, K_FOREVER);
	printk("%d bytes read, %d out of order, sums %u and %u, then %s\n", total_read,
	       out_of_order, sum_written, sum_read, last_result == -EPIPE ? "closed" : "?");
	exit(total_read == BYTES && out_of_order == 0 && sum_read == sum_written &&
			     last_result == -EPIPE
		     ? 0
		     : 1);
}

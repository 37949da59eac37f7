/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that copy bytes for those who wait: message queues, pipes, messages between threads. */
#include "interference.h"

#define BYTES 4096
#define LONG  1024 /* bytes of a message */

K_APP_BMEM(attack_memory) static uint8_t from[BYTES], to[BYTES];
static struct k_pipe pipe;
static struct k_msgq msgq;
static char msgq_ring[4];
static struct k_msgq long_msgq;
static char long_ring[LONG];
static K_IPC_ENDPOINT_DEFINE(endpoint);
static K_IPC_GATE_DEFINE(gate, &endpoint, 1);

/* ---- what waits ---- */

static void put(int helper)
{
	for (;;) {
		(void)k_msgq_put(&msgq, from, K_FOREVER);
	}
}

static void write_byte(int helper)
{
	for (;;) {
		(void)k_pipe_write(&pipe, from, 1, K_FOREVER);
	}
}

/* One reads all; the others have nothing to do. */
static void read_all(int helper)
{
	for (;;) {
		if (helper == 0) {
			(void)k_pipe_read(&pipe, to, BYTES, K_FOREVER);
		} else {
			attack_rest();
		}
	}
}

static void get_long(int helper)
{
	for (;;) {
		if (helper == 0) {
			(void)k_msgq_get(&long_msgq, to, K_FOREVER);
		} else {
			attack_rest();
		}
	}
}

static void put_long(int helper)
{
	for (;;) {
		(void)k_msgq_put(&long_msgq, from, K_FOREVER);
	}
}

/* One serves, and answers with as many bytes; the others queue. */
static void serve(int helper)
{
	struct k_ipc_message message = {.data = to, .size = LONG, .capacity = LONG};

	for (;;) {
		if (helper == 0) {
			message.size = LONG;
			(void)k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
		} else {
			attack_rest();
		}
	}
}

static void call_server(int helper)
{
	for (;;) {
		struct k_ipc_message message = {.data = from, .size = LONG, .capacity = 0};

		(void)k_ipc_send(&gate, &message, K_FOREVER);
	}
}

/* ---- the calls ---- */

static void purge(void)
{
	k_msgq_purge(&msgq);
}

static void fill_msgq(void)
{
	(void)k_msgq_put(&msgq, from, K_NO_WAIT);
}

static void write_all(void)
{
	(void)k_pipe_write(&pipe, from, BYTES, K_FOREVER);
}

static void read_byte(void)
{
	(void)k_pipe_read(&pipe, to, 1, K_FOREVER);
}

static void close_pipe(void)
{
	k_pipe_reset(&pipe);
}

static void put_message(void)
{
	(void)k_msgq_put(&long_msgq, from, K_FOREVER);
}

static void put_message_in_front(void)
{
	(void)k_msgq_put_front(&long_msgq, from);
}

static void get_message(void)
{
	(void)k_msgq_get(&long_msgq, to, K_NO_WAIT);
}

static void peek_message(void)
{
	(void)k_msgq_peek(&long_msgq, to);
}

static void purge_messages(void)
{
	k_msgq_purge(&long_msgq);
}

static void call_with_bytes(void)
{
	struct k_ipc_message message = {.data = from, .size = LONG, .capacity = LONG};

	(void)k_ipc_call(&gate, &message, K_FOREVER);
}

static void receive_bytes(void)
{
	struct k_ipc_message message = {.data = to, .size = 0, .capacity = LONG};

	(void)k_ipc_receive(&endpoint, &message, K_NO_WAIT);
}

/* ---- in the kernel ---- */

static void no_buffer(void)
{
	k_pipe_init(&pipe, NULL, 0);
}

static void empty_msgq(void)
{
	k_msgq_purge(&long_msgq);
}

static void admit(k_tid_t thread)
{
	k_thread_access_grant(thread, &pipe, &msgq, &long_msgq, &endpoint, &gate);
}

static void begin(void)
{
	k_msgq_init(&msgq, msgq_ring, sizeof(msgq_ring), 1);
	k_msgq_init(&long_msgq, long_ring, LONG, 1);
}

static const struct attack attacks[] = {
	{"interference.msgq.purge", "k_msgq_purge(), 24 wait to put", NULL, put, fill_msgq, purge},
	{"interference.pipe.write", "4096 bytes from user memory to user memory by a pipe",
	 no_buffer, read_all, NULL, write_all},
	{"interference.pipe.read", "k_pipe_read(), 24 wait to write", no_buffer, write_byte, NULL,
	 read_byte},
	{"interference.pipe.reset", "k_pipe_reset(), 24 wait to write", no_buffer, write_byte, NULL,
	 close_pipe},
	{"interference.msgq.put", "k_msgq_put() of 1024 bytes to who waits for them", empty_msgq,
	 get_long, NULL, put_message},
	{"interference.msgq.front", "k_msgq_put_front() of 1024 bytes", empty_msgq, NULL,
	 purge_messages, put_message_in_front},
	{"interference.msgq.get", "k_msgq_get() of 1024 bytes, 24 wait to put", empty_msgq,
	 put_long, NULL, get_message},
	{"interference.msgq.peek", "k_msgq_peek() of 1024 bytes", empty_msgq, put_long, NULL,
	 peek_message},
	{"interference.ipc.call", "k_ipc_call() with 1024 bytes, and as many back", NULL, serve,
	 NULL, call_with_bytes},
	{"interference.ipc.receive", "k_ipc_receive() of 1024 bytes, 24 have sent", NULL,
	 call_server, NULL, receive_bytes},
};
const struct attack_group attacks_bytes = {attacks, ARRAY_SIZE(attacks), begin, admit};

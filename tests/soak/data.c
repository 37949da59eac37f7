/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that move data: each byte comes once, whole, in its order. */
#include "soak.h"

/* ---- message queue: a thread and a handler put, one gets ---- */

struct note {
	uint32_t from;
	uint32_t number;
	uint32_t check;
};

K_MSGQ_DEFINE(notes, sizeof(struct note), 7, 4);
static uint32_t put[2], got[2];

static bool note_put(uint32_t from, k_timeout_t timeout)
{
	struct note note = {from, put[from], ~put[from] ^ from};

	if (k_msgq_put(&notes, &note, timeout) != 0) {
		return false;
	}
	put[from]++;
	return true;
}

static void note_of_timer(struct k_timer *timer)
{
	(void)note_put(1, K_NO_WAIT);
}

static K_TIMER_DEFINE(note_timer, note_of_timer, NULL);

static void msgq_putter(void *p1, void *p2, void *p3)
{
	uint32_t state = 1;

	while (!soak_ends) {
		(void)note_put(0, random_wait(&state));
		random_pause(&state);
	}
}

static void msgq_getter(void *p1, void *p2, void *p3)
{
	uint32_t state = 2;
	struct note note;

	while (!soak_ends || k_msgq_num_used_get(&notes) != 0) {
		if (k_msgq_get(&notes, &note, random_wait(&state)) == 0) {
			HOLDS(note.from < 2 && note.number == got[note.from]);
			HOLDS(note.check == (~note.number ^ note.from));
			got[note.from]++;
			load_msgq.done++;
		}
		random_pause(&state);
	}
}

static void msgq_begin(void)
{
	soak_start(msgq_putter, NULL, 6);
	soak_start(msgq_getter, NULL, 5);
	k_timer_start(&note_timer, K_TICKS(2), K_TICKS(2));
}

static void msgq_end(void)
{
	struct note note;

	k_timer_stop(&note_timer);
	while (k_msgq_get(&notes, &note, K_NO_WAIT) == 0) {
		got[note.from]++; /* of the timer, behind the getter's end */
	}
	HOLDS(put[0] == got[0] && put[1] == got[1] && put[1] != 0);
}

struct load load_msgq = {"msgq", msgq_begin, NULL, msgq_end, 0};

/* ---- pipe ---- */

K_PIPE_DEFINE(pipe, 37, 4);
static uint32_t written, read;

static void pipe_writer(void *p1, void *p2, void *p3)
{
	uint32_t state = 3;
	uint8_t bytes[60];

	while (!soak_ends) {
		size_t length = 1 + random_next(&state) % sizeof(bytes);
		int done;

		for (size_t i = 0; i < length; i++) {
			bytes[i] = (uint8_t)((written + i) * 7U);
		}
		done = k_pipe_write(&pipe, bytes, length, random_wait(&state));
		written += done > 0 ? (uint32_t)done : 0U;
		random_pause(&state);
	}
}

static void pipe_reader(void *p1, void *p2, void *p3)
{
	uint32_t state = 4;
	uint8_t bytes[50];

	while (!soak_ends || read != written) {
		int done = k_pipe_read(&pipe, bytes, 1 + random_next(&state) % sizeof(bytes),
				       random_wait(&state));

		for (int i = 0; i < done; i++) {
			HOLDS(bytes[i] == (uint8_t)(read * 7U));
			read++;
		}
		load_pipe.done += done > 0;
		random_pause(&state);
	}
}

static void pipe_begin(void)
{
	soak_start(pipe_writer, NULL, 5);
	soak_start(pipe_reader, NULL, 6);
}

static void pipe_end(void)
{
	HOLDS(read == written && read != 0);
}

struct load load_pipe = {"pipe", pipe_begin, NULL, pipe_end, 0};

/* ---- queue: items of a heap ---- */

struct item {
	void *link;
	uint32_t number;
};

K_FIFO_DEFINE(items);
static uint32_t appended, taken;

static void queue_putter(void *p1, void *p2, void *p3)
{
	uint32_t state = 5;

	while (!soak_ends) {
		struct item *item = k_malloc(sizeof(*item));

		if (item != NULL && appended - taken < 20U) {
			item->number = appended++;
			k_fifo_put(&items, item);
		} else {
			k_free(item);
		}
		random_pause(&state);
	}
}

static void queue_getter(void *p1, void *p2, void *p3)
{
	uint32_t state = 6;

	while (!soak_ends || taken != appended) {
		struct item *item = k_fifo_get(&items, random_wait(&state));

		if (item != NULL) {
			HOLDS(item->number == taken);
			taken++;
			load_queue.done++;
			k_free(item);
		}
	}
}

static void queue_begin(void)
{
	soak_start(queue_putter, NULL, 7);
	soak_start(queue_getter, NULL, 6);
}

static void queue_end(void)
{
	HOLDS(taken == appended && k_fifo_is_empty(&items));
}

struct load load_queue = {"queue", queue_begin, NULL, queue_end, 0};

/* ---- mailbox ---- */

K_MBOX_DEFINE(mbox);
static uint32_t mails, mails_read;

static void mbox_putter(void *p1, void *p2, void *p3)
{
	uint32_t state = 7;

	while (!soak_ends) {
		uint32_t words[8];
		struct k_mbox_msg mail = {
			.size = sizeof(words),
			.info = mails,
			.tx_data = words,
		};

		for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
			words[i] = mails * 8U + (uint32_t)i;
		}
		mails += k_mbox_put(&mbox, &mail, random_wait(&state)) == 0;
		random_pause(&state);
	}
}

static void mbox_getter(void *p1, void *p2, void *p3)
{
	uint32_t state = 8;

	while (!soak_ends) {
		uint32_t words[8];
		struct k_mbox_msg mail = {.size = sizeof(words)};

		if (k_mbox_get(&mbox, &mail, words, random_wait(&state)) == 0) {
			HOLDS(mail.size == sizeof(words) && mail.info == mails_read);
			HOLDS(words[0] == mails_read * 8U && words[7] == mails_read * 8U + 7U);
			mails_read++;
			load_mbox.done++;
		}
	}
}

static void mbox_begin(void)
{
	soak_start(mbox_putter, NULL, 6);
	soak_start(mbox_getter, NULL, 4);
}

static void mbox_end(void)
{
	HOLDS(mails == mails_read);
}

struct load load_mbox = {"mbox", mbox_begin, NULL, mbox_end, 0};

/* ---- messages between threads ---- */

K_IPC_ENDPOINT_DEFINE(endpoint);
K_IPC_GATE_DEFINE(gate, &endpoint, 0x50a);
static uint32_t calls, answers;

static void ipc_server(void *p1, void *p2, void *p3)
{
	uint32_t state = 9;
	uint8_t bytes[16];

	while (!soak_ends) {
		struct k_ipc_message message = {.data = bytes, .capacity = sizeof(bytes)};

		if (k_ipc_receive(&endpoint, &message, random_wait(&state)) != 0) {
			continue;
		}
		HOLDS(message.badge == 0x50a && message.words[1] == ~message.words[0]);
		HOLDS(message.size <= 16 &&
		      (message.size == 0 || bytes[0] == (uint8_t)message.size));
		random_pause(&state);
		message.words[2] = message.words[0] + 1U;
		answers += k_ipc_reply(&message) == 0;
	}
}

static void ipc_client(void *p1, void *p2, void *p3)
{
	uint32_t state = 10U + (uint32_t)(uintptr_t)p1;
	uint8_t bytes[16];

	while (!soak_ends) {
		uint32_t number = random_next(&state);
		struct k_ipc_message message = {
			.words = {number, ~(uintptr_t)number},
			.data = bytes,
			.size = number % 17U,
			.capacity = sizeof(bytes),
		};

		bytes[0] = (uint8_t)message.size;
		if (k_ipc_call(&gate, &message, random_wait(&state)) == 0) {
			unsigned int key = irq_lock();

			HOLDS(message.words[2] == (uintptr_t)number + 1U);
			calls++;
			irq_unlock(key);
			load_ipc.done++;
		}
		random_pause(&state);
	}
}

static void ipc_begin(void)
{
	soak_start(ipc_server, NULL, 6);
	soak_start(ipc_client, (void *)0, 7);
	soak_start(ipc_client, (void *)1, 5);
}

static void ipc_end(void)
{
	HOLDS(calls == answers);
}

struct load load_ipc = {"ipc", ipc_begin, NULL, ipc_end, 0};

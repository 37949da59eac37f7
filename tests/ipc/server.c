/* SPDX-License-Identifier: Apache-2.0 */
/* The server of most tests: see server.h. */
#include "server.h"
#ifdef CONFIG_HOSTED
#include <host.h>
#endif

K_IPC_ENDPOINT_DEFINE(endpoint);
K_IPC_GATE_DEFINE(gate, &endpoint, GATE_BADGE);
K_IPC_GATE_DEFINE(other_gate, &endpoint, OTHER_BADGE);

volatile int seen_order[SEEN_MAX];
volatile unsigned int seen;

void begin(void)
{
	k_ipc_endpoint_init(&endpoint);
	seen = 0;
}

void adds_one(void *unused)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	while (message.words[0] != UINTPTR_MAX) {
		message.words[0]++;
		message.words[1]++;
		message.words[2]++;
		message.words[3] = message.badge;
		CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, K_FOREVER), 0);
	}
}

struct k_ipc_message message_of(uintptr_t first)
{
	return (struct k_ipc_message){.words = {first, first + 1, first + 2, first + 3}};
}

bool is_answer(const struct k_ipc_message *message, uintptr_t first, uintptr_t badge)
{
	return message->words[0] == first + 1 && message->words[1] == first + 2 &&
	       message->words[2] == first + 3 && message->words[3] == badge &&
	       message->badge == 0 && message->size == 0;
}

/* ---- interrupts ---- */

static void (*comes_now)(void);

#ifdef CONFIG_HOSTED
#define LINE 9

static k_tid_t disturbed;
static int places_left;

static void handler(const void *unused)
{
	comes_now();
}

static void at_place(void)
{
	if (k_cpu.current == disturbed && !arch_in_isr() && --places_left == 0) {
		host_cpu.before_lock = NULL;
		host_irq_raise(LINE);
	}
}

void come_between(k_tid_t who, int n, void (*comes)(void))
{
	IRQ_CONNECT(LINE, 0, handler, NULL, 0);
	irq_enable(LINE);
	comes_now = comes;
	disturbed = who;
	places_left = n + 1;
	host_cpu.before_lock = at_place;
}

void come_no_more(void)
{
	host_cpu.before_lock = NULL;
}
#else
static void handler(struct k_timer *unused)
{
	comes_now();
}

static K_TIMER_DEFINE(timer, handler, NULL);

void come_between(k_tid_t who, int n, void (*comes)(void))
{
	comes_now = comes;
	k_timer_start(&timer, K_TICKS(1), K_NO_WAIT);
	/* Another step each time, and another part of what both do with a message. */
	for (volatile int i = 0; i < 10 * n + 240 * (n % 10); i++) {
	}
}

void come_no_more(void)
{
	k_timer_stop(&timer);
}
#endif

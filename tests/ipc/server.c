/* SPDX-License-Identifier: Apache-2.0 */
/* The server of most tests: see server.h. */
#include "server.h"

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

/* SPDX-License-Identifier: Apache-2.0 */
/* User mode: what an attacker sends and where it receives, mostly its own memory; and what may have come of it. */
#include "fuzz.h"

void message_make(struct k_ipc_message *message)
{
	uint8_t size = input_byte();
	uint8_t room = input_byte();

	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		message->words[i] = size + i;
	}
	message->badge = 0;
	message->data = (void *)argument_next(WRITTEN_BUFFER);
	message->size = size < 96 ? 0 : size < 224 ? size - 96U : argument_next(NUMBER);
	message->capacity = room < 96 ? 0 : room < 224 ? room - 96U : argument_next(NUMBER);
}

/* A size of 0 is no buffer, whatever its address. */
bool message_may_touch(const struct k_ipc_message *message, bool sends, bool receives)
{
	return (!sends || message->size == 0 ||
		host_user_may(message->data, message->size, false)) &&
	       (!receives || message->capacity == 0 ||
		host_user_may(message->data, message->capacity, true));
}

void message_judge(const struct k_ipc_message *sent, const struct k_ipc_message *came)
{
	bool is_known = came->badge == 0 || came->badge == BADGE || came->badge == BADGE + 1U;

	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		if (came->words[i] == SECRET) {
			hole("a secret in a message");
		}
	}
	if (!is_known) {
		hole("a message through a gate that nobody was granted");
	}
	if (came->size > came->capacity || came->data != sent->data ||
	    came->capacity != sent->capacity) {
		hole("a message that is longer than its room, or whose room is another one");
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of any size that say who they are, and show it when they are torn. */
#ifndef TESTS_HOST_MESSAGES_H
#define TESTS_HOST_MESSAGES_H

#include "check.h"

#define MESSAGE_BYTES_MAX 4096
#define MESSAGE_BLANK     0 /* the number of none */

struct message {
	uint32_t number;
	unsigned char rest[MESSAGE_BYTES_MAX - sizeof(uint32_t)];
};

/* How much of a message travels. */
static size_t message_bytes;

static inline unsigned char message_byte(uint32_t number, size_t at)
{
	return (unsigned char)(number * 37 + at * 11 + at / 256);
}

static inline void message_write(struct message *message, uint32_t number)
{
	message->number = number;
	for (size_t i = 0; i < message_bytes - sizeof(number); i++) {
		message->rest[i] = message_byte(number, i);
	}
}

static inline bool message_is_whole(const struct message *message)
{
	size_t i = 0;

	while (i < message_bytes - sizeof(message->number) &&
	       message->rest[i] == message_byte(message->number, i)) {
		i++;
	}
	return i == message_bytes - sizeof(message->number);
}

static inline void message_check(const struct message *message)
{
	CHECK(message_is_whole(message)); /* else it is torn */
}

#endif /* TESTS_HOST_MESSAGES_H */

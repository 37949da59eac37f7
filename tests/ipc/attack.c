/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two user threads of two domains call with anything, wait for as long as they like, and are ended in the middle; some
 * end themselves by what they name. Meanwhile two others must go on undisturbed, the kernel's memory is
 * neither read nor written, and no priority that nobody gave is left. Drawn from a fixed seed: each run is the same.
 */
#include <string.h>
#include "users.h"

#define ROUNDS       80
#define SECRET       0x5ec7e75eU
#define SECRET_WORDS (BYTES / sizeof(uint32_t))

static uint32_t secret[SECRET_WORDS];
K_IPC_ENDPOINT_DEFINE(attacked);
K_IPC_GATE_DEFINE(attacked_gate, &attacked, 21);
K_IPC_ENDPOINT_DEFINE(attacked_too);
K_IPC_GATE_DEFINE(attacked_gate_too, &attacked_too, 22);

/* Each attacker's, at the beginning of its bytes. */
struct attacker {
	uint32_t seed;
	uint32_t made; /* calls */
	uint32_t came_back;
	bool has_seen_secret;
};

BUILD_ASSERT(sizeof(struct attacker) <= 16, "the bytes behind are for messages");

static uint32_t draw(struct attacker *self, uint32_t n)
{
	self->seed = self->seed * 1664525U + 1013904223U;
	return (self->seed >> 16) % n;
}

static void *draw_object(struct attacker *self)
{
	void *const objects[] = {&attacked, &attacked_gate, &attacked_too, &attacked_gate_too,
				 &attacked, &attacked_gate, &attacked_too, &attacked_gate_too};
	void *const forged[] = {NULL, self, &endpoint, &gate, secret, (char *)&attacked_gate + 4};

	return draw(self, 24) == 0 ? forged[draw(self, ARRAY_SIZE(forged))]
				   : objects[draw(self, ARRAY_SIZE(objects))];
}

static void *draw_bytes(struct attacker *self)
{
	void *const others[] = {NULL, secret, clients.bytes, servers.bytes, (void *)UINTPTR_MAX};

	return draw(self, 24) == 0 ? others[draw(self, ARRAY_SIZE(others))] : (char *)self + 16;
}

static k_timeout_t draw_timeout(struct attacker *self)
{
	uint32_t luck = draw(self, 8);

	return luck == 0 ? K_FOREVER : luck < 4 ? K_NO_WAIT : K_TICKS(luck - 3U);
}

static void make_call(struct attacker *self)
{
	static const uint16_t sizes[] = {
		0, 0, 0, 0, 1, 24, 64, 65, BYTES - 16, BYTES, CONFIG_IPC_MESSAGE_MAX + 1};
	struct k_ipc_message message = {
		.words = {self->seed, self->seed, self->seed, self->seed},
		.data = draw_bytes(self),
		.size = sizes[draw(self, ARRAY_SIZE(sizes))],
		.capacity = sizes[draw(self, ARRAY_SIZE(sizes))],
	};
	void *object = draw_object(self);
	k_timeout_t timeout = draw_timeout(self);

	self->made++;
	switch (draw(self, 6)) {
	case 0:
	case 1:
		(void)k_ipc_call(object, &message, timeout);
		break;
	case 2:
		(void)k_ipc_send(object, &message, timeout);
		break;
	case 3:
		(void)k_ipc_receive(object, &message, timeout);
		break;
	case 4:
		(void)k_ipc_reply(&message);
		break;
	default:
		(void)k_ipc_reply_receive(object, &message, timeout);
		break;
	}
	self->came_back++;
	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		if ((uint32_t)message.words[i] == SECRET) {
			self->has_seen_secret = true;
		}
	}
}

static void attacks(void *self, void *unused_2, void *unused_3)
{
	for (;;) {
		make_call(self);
	}
}

static void start_attacker(bool is_client, uint32_t seed)
{
	struct side *side = is_client ? &clients : &servers;
	struct k_thread *thread = is_client ? &client : &server;
	struct attacker *self = (struct attacker *)(void *)side->bytes;

	if (is_client) {
		prepare_client(attacks, self, NULL);
	} else {
		prepare_server(attacks, self, NULL);
	}
	k_thread_priority_set(thread, MAIN_PRIO + 1);
	*self = (struct attacker){.seed = seed};
	k_thread_access_grant(thread, &attacked, &attacked_gate, &attacked_too, &attacked_gate_too);
	if (seed % 3 == 0) {
		(void)k_ipc_fault_gate_set(thread, &attacked_gate, K_TICKS(2));
	}
	k_thread_start(thread);
}

static void check_side(struct side *side, const struct k_thread *thread)
{
	const struct attacker *self = (const struct attacker *)(const void *)side->bytes;

	CHECK(!self->has_seen_secret);
	CHECK(thread->prio >= MAIN_PRIO + 1);
	for (size_t i = 16; i + 4 <= BYTES; i += 4) {
		uint32_t word;

		memcpy(&word, &side->bytes[i], sizeof(word));
		CHECK(word != SECRET);
	}
	for (unsigned int i = 0; i < SECRET_WORDS; i++) {
		CHECK_EQ(secret[i], SECRET);
	}
}

TEST(ipc_attackers_change_nothing_that_they_may_not)
{
	uint32_t made = 0;
	uint32_t came_back = 0;

	begin();
	k_ipc_endpoint_init(&attacked);
	k_ipc_endpoint_init(&attacked_too);
	for (unsigned int i = 0; i < SECRET_WORDS; i++) {
		secret[i] = SECRET;
	}
	(void)start(adds_one, NULL, MAIN_PRIO - 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct k_ipc_message message = message_of(round);
		bool is_client = round % 2 == 0;
		struct side *side = is_client ? &clients : &servers;

		start_attacker(is_client, round * 7919U + 1U);
		k_sleep(K_TICKS(1 + round % 3));
		CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
		CHECK(is_answer(&message, round, GATE_BADGE));
		check_side(side, is_client ? &client : &server);
		made += ((struct attacker *)(void *)side->bytes)->made;
		came_back += ((struct attacker *)(void *)side->bytes)->came_back;
		k_thread_abort(is_client ? &server : &client); /* in the middle, perhaps */
	}
	CHECK_EQ(k_ipc_call(&gate, &(struct k_ipc_message){.words = {UINTPTR_MAX}}, TIMEOUT),
		 -EOWNERDEAD);
	end_both();
	CHECK(attacked.callers.wait_q.head == NULL && attacked.receivers.head == NULL);
	CHECK(attacked_too.callers.wait_q.head == NULL && attacked_too.receivers.head == NULL);
	CHECK(made > ROUNDS && came_back > ROUNDS / 2 && came_back < made);
}

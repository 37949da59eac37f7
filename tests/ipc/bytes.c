/* SPDX-License-Identifier: Apache-2.0 */
/* Messages with bytes: every length around a step's, both ways, too long ones, ones that change hands by a queue. */
#include "server.h"

#define LONGEST CONFIG_IPC_MESSAGE_MAX

static char out[LONGEST + 1], in[LONGEST + 1], servers[LONGEST];

static void fill(char *bytes, size_t size, int first)
{
	for (size_t i = 0; i < size; i++) {
		bytes[i] = (char)(first + (int)i);
	}
}

static bool is_filled(const char *bytes, size_t size, int first)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] != (char)(first + (int)i)) {
			return false;
		}
	}
	return true;
}

/* Answers with as many bytes, each one more. */
static void echoes(void *unused)
{
	struct k_ipc_message message = {.data = servers, .capacity = LONGEST};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	for (;;) {
		for (size_t i = 0; i < message.size; i++) {
			servers[i]++;
		}
		CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, K_FOREVER), 0);
	}
}

TEST(ipc_bytes_of_any_length_arrive_and_no_more)
{
	static const size_t sizes[] = {0, 1, 3, 24, 63, 64, 65, 127, 128, 200, LONGEST};
	static const int prios[] = {MAIN_PRIO - 1, MAIN_PRIO + 1};

	for (unsigned int p = 0; p < ARRAY_SIZE(prios); p++) {
		k_tid_t server;

		begin();
		server = start(echoes, NULL, prios[p]);
		for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
			size_t size = sizes[i];
			struct k_ipc_message message = {
				.data = out, .size = size, .capacity = LONGEST};

			fill(out, LONGEST + 1, (int)size);
			CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
			CHECK_EQ(message.size, size);
			CHECK(is_filled(out, size, (int)size + 1));
			CHECK(is_filled(out + size, LONGEST + 1 - size, (int)(size + size)));
		}
		k_thread_abort(server);
	}
}

TEST(ipc_more_bytes_than_a_message_has_are_refused)
{
	struct k_ipc_message message = {.data = out, .size = LONGEST + 1, .capacity = LONGEST};

	begin();
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), -EINVAL);
	CHECK_EQ(k_ipc_send(&gate, &message, K_FOREVER), -EINVAL);
	CHECK_EQ(k_ipc_reply(&message), -EINVAL);
	CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, K_NO_WAIT), -EINVAL);
	message.size = SIZE_MAX;
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), -EINVAL);
}

static void sends(void *size)
{
	struct k_ipc_message message = {.data = out, .size = (size_t)size};

	see(k_ipc_send(&gate, &message, K_FOREVER));
}

static void calls(void *size)
{
	struct k_ipc_message message = {.data = out, .size = (size_t)size, .capacity = 10};

	see(k_ipc_call(&gate, &message, K_FOREVER));
	see((int)message.size);
}

static void receives(void *room)
{
	struct k_ipc_message message = {.data = in, .capacity = (size_t)room};

	see(k_ipc_receive(&endpoint, &message, K_FOREVER));
	see((int)message.size);
}

/* Who sends is told, and who receives goes on waiting. */
TEST(ipc_what_is_longer_than_the_room_is_refused_to_who_sends_it)
{
	struct k_ipc_message message = {.data = out, .size = 65};

	begin();
	fill(out, LONGEST, 1);
	(void)start(receives, (void *)64, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_send(&gate, &message, K_FOREVER), -ENOSPC);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), -ENOSPC);
	CHECK_EQ(seen, 0);
	message.size = 64;
	CHECK_EQ(k_ipc_send(&gate, &message, K_FOREVER), 0);
	CHECK_EQ(seen, 2);
	CHECK_EQ(seen_order[1], 64);
	CHECK(is_filled(in, 64, 1));
}

/* Of two that queue the first is too long: the second is what is received. */
TEST(ipc_who_queues_with_too_much_is_refused_and_the_next_is_received)
{
	struct k_ipc_message message = {.data = in, .capacity = 100};

	begin();
	fill(out, LONGEST, 9);
	(void)start(sends, (void *)101, MAIN_PRIO - 2);
	(void)start(sends, (void *)100, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), 0);
	CHECK_EQ(message.size, 100);
	CHECK(is_filled(in, 100, 9));
	CHECK_EQ(seen, 2);
	CHECK_EQ(seen_order[0], -ENOSPC);
	CHECK_EQ(seen_order[1], 0);
	(void)start(sends, (void *)101, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
	CHECK_EQ(seen_order[2], -ENOSPC);
}

TEST(ipc_an_answer_longer_than_the_room_is_refused_to_both)
{
	struct k_ipc_message message = {.data = in, .capacity = LONGEST};

	begin();
	(void)start(calls, (void *)3, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	CHECK_EQ(message.size, 3);
	message.size = 11;
	CHECK_EQ(k_ipc_reply(&message), -ENOSPC);
	CHECK_EQ(seen_order[0], -ENOSPC);
	CHECK_EQ(k_ipc_reply(&message), -ESRCH);
	(void)start(calls, (void *)65, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	message.size = 10;
	CHECK_EQ(k_ipc_reply(&message), 0);
	CHECK_EQ(seen_order[2], 0);
	CHECK_EQ(seen_order[3], 10);
}

/* ---- ended by an interrupt while it is copied ---- */

static struct k_thread victim;
static K_THREAD_STACK_DEFINE(victim_stack, STACK_SIZE);
static volatile bool is_aborted;

static void aborts(void)
{
	k_thread_abort(&victim);
	is_aborted = true;
}

static void receives_long(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.data = in, .capacity = LONGEST};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	CHECK_EQ(message.size, LONGEST);
	CHECK(is_filled(in, LONGEST, (int)message.words[0]));
}

static void start_victim(void)
{
	(void)k_thread_create(&victim, victim_stack, K_THREAD_STACK_SIZEOF(victim_stack),
			      receives_long, NULL, NULL, NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
}

/* Wherever in a copy the interrupt comes: a message is received whole or by nobody. */
TEST(ipc_who_is_aborted_while_it_receives_has_received_nothing)
{
	struct k_ipc_message message = {.data = out, .size = LONGEST};

	for (int round = 0; round < 20; round++) {
		begin();
		fill(out, LONGEST, round);
		message.words[0] = (uintptr_t)round;
		start_victim();
		is_aborted = false;
		come_between(k_current_get(), round, aborts);
		/* A tick at most, where time goes on by itself. */
		for (int n = 0; n < 10000 && !is_aborted; n++) {
			if (k_ipc_send(&gate, &message, K_NO_WAIT) == 0 && !is_aborted) {
				start_victim();
			}
		}
		come_no_more();
		CHECK(endpoint.callers.wait_q.head == NULL);
		k_thread_abort(&victim);
		CHECK(endpoint.receivers.head == NULL);
	}
}

/* ---- the same of who is called: whoever waits behind it serves the call ---- */

static volatile unsigned int by_victim, by_other;

static void serves_once(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.data = in, .capacity = LONGEST};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	by_victim++;
	message.size = 0;
	CHECK_EQ(k_ipc_reply(&message), 0);
}

static void serves_behind(void *unused)
{
	struct k_ipc_message message = {.data = in, .capacity = LONGEST};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	for (;;) {
		CHECK_EQ(message.size, LONGEST);
		CHECK(is_filled(in, LONGEST, (int)message.words[0]));
		by_other++;
		message.size = 0;
		message.capacity = LONGEST;
		CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, K_FOREVER), 0);
	}
}

static void call_until_aborted(int round)
{
	for (int n = 0; n < 10000 && !is_aborted; n++) {
		struct k_ipc_message message = {.data = out, .size = LONGEST};
		int result;

		message.words[0] = (uintptr_t)round;
		(void)k_thread_create(&victim, victim_stack, K_THREAD_STACK_SIZEOF(victim_stack),
				      serves_once, NULL, NULL, NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
		result = k_ipc_call(&gate, &message, TIMEOUT);
		CHECK(result == 0 || (is_aborted && result == -EOWNERDEAD));
		k_thread_abort(&victim);
	}
}

TEST(ipc_who_is_aborted_while_it_receives_leaves_the_call_to_the_next)
{
	begin();
	by_victim = 0;
	by_other = 0;
	(void)start(serves_behind, NULL, MAIN_PRIO + 1);
	k_sleep(K_TICKS(1));
	for (int round = 0; round < 40; round++) {
		fill(out, LONGEST, round);
		is_aborted = false;
		come_between(k_current_get(), round, aborts);
		call_until_aborted(round);
		come_no_more();
	}
	CHECK(by_victim > 0);
	CHECK(by_other > 0);
}

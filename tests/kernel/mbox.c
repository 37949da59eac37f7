/* SPDX-License-Identifier: Apache-2.0 */
/* Mailboxes. */
#include "forged.h"

K_MBOX_DEFINE(defined_mbox);
static struct k_mbox mbox;
static K_SEM_DEFINE(taken, 0, 20);
static struct k_mbox_msg sent_msg;
static char text[] = "abcdefgh";
static char got[16];
static int result;

static void put(void *target)
{
	sent_msg = (struct k_mbox_msg){
		.size = 8, .info = 11, .tx_data = text, .tx_target_thread = target};
	result = k_mbox_put(&mbox, &sent_msg, K_TICKS(20));
	note('s');
}

static struct k_mbox_msg any_message(size_t size)
{
	return (struct k_mbox_msg){.size = size, .info = 22, .rx_source_thread = K_ANY};
}

static bool got_text(size_t bytes)
{
	size_t at = 0;

	while (at < bytes && got[at] == text[at]) {
		at++;
	}
	return at == bytes;
}

static void get(void *size)
{
	struct k_mbox_msg msg = any_message(*(const size_t *)size);

	result = k_mbox_get(&mbox, &msg, got, K_TICKS(20));
	note('r');
}

TEST(mbox_sender_waits_until_the_data_is_taken)
{
	struct k_mbox_msg msg = any_message(16);
	k_tid_t sender;

	k_mbox_init(&mbox);
	CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_NO_WAIT), -ENOMSG);
	sender = start(put, K_ANY, MAIN_PRIO - 1);
	CHECK_NOTES("");
	CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_NO_WAIT), 0);
	CHECK_NOTES("s");
	CHECK_EQ(result, 0);
	CHECK_EQ(msg.size, 8);
	CHECK_EQ(msg.info, 11);
	CHECK(msg.rx_source_thread == sender && got_text(8));
	CHECK_EQ(sent_msg.info, 22);
	CHECK_EQ(sent_msg.size, 8);
	CHECK(sent_msg.tx_target_thread == k_current_get());
}

TEST(mbox_receiver_that_waits_gets_what_it_takes)
{
	size_t three = 3;
	struct k_mbox_msg msg = {.size = 8, .tx_data = text, .tx_target_thread = K_ANY};

	k_mbox_init(&mbox);
	CHECK_EQ(k_mbox_put(&mbox, &msg, K_NO_WAIT), -ENOMSG);
	CHECK_EQ(k_mbox_put(&mbox, &msg, K_TICKS(1)), -EAGAIN);
	(void)start(get, &three, MAIN_PRIO - 1);
	CHECK_EQ(k_mbox_put(&mbox, &msg, K_NO_WAIT), 0);
	CHECK_NOTES("r");
	CHECK_EQ(msg.size, 3);
	CHECK(got_text(3));
	(void)start(get, &three, MAIN_PRIO - 1);
	k_sleep(K_TICKS(25));
	CHECK_NOTES("r");
	CHECK_EQ(result, -EAGAIN);
}

TEST(mbox_data_is_taken_later)
{
	struct k_mbox_msg msg = any_message(16);

	k_mbox_init(&mbox);
	(void)start(put, K_ANY, MAIN_PRIO - 1);
	CHECK_EQ(k_mbox_get(&mbox, &msg, NULL, K_FOREVER), 0);
	CHECK_EQ(msg.size, 8);
	k_sleep(K_TICKS(30)); /* its time-out was for a receiver */
	CHECK_NOTES("");
	got[0] = 0;
	k_mbox_data_get(&msg, got);
	CHECK_NOTES("s");
	CHECK(result == 0 && got_text(8));
	msg = any_message(16);
	(void)start(put, K_ANY, MAIN_PRIO - 1);
	CHECK_EQ(k_mbox_get(&mbox, &msg, NULL, K_FOREVER), 0);
	k_mbox_data_get(&msg, NULL); /* without it */
	CHECK_NOTES("s");
	CHECK_EQ(sent_msg.size, 0);
}

TEST(mbox_messages_are_for_and_from_somebody)
{
	struct k_mbox_msg msg = any_message(16);
	k_tid_t first, second;

	k_mbox_init(&mbox);
	first = start(put, k_current_get(), MAIN_PRIO - 1);
	second = prepare(put, first, MAIN_PRIO - 2);
	msg.rx_source_thread = second;
	CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_NO_WAIT), -ENOMSG);
	k_thread_start(second); /* for the first: not for here */
	msg.rx_source_thread = second;
	CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_NO_WAIT), -ENOMSG);
	k_thread_abort(first);
	k_thread_abort(second);
	msg.rx_source_thread = K_ANY;
	CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_NO_WAIT), -ENOMSG);
}

TEST(mbox_sender_that_is_aborted_is_forgotten)
{
	struct k_mbox_msg msg = any_message(16);
	k_tid_t sender;

	k_mbox_init(&mbox);
	sender = start(put, K_ANY, MAIN_PRIO - 1);
	CHECK_EQ(k_mbox_get(&mbox, &msg, NULL, K_FOREVER), 0);
	k_thread_abort(sender);
	k_mbox_data_get(&msg, NULL);
	CHECK_NOTES("");
}

static struct k_thread sender;
static K_THREAD_STACK_DEFINE(sender_stack, STACK_SIZE);

static void puts_as_thread(void *p1, void *p2, void *p3)
{
	put(K_ANY);
}

/* Neither what it offered is read, nor what lies in its block by now believed. */
TEST(mbox_data_of_a_sender_whose_block_is_something_else_by_now)
{
	static struct forged forged;
	struct k_mbox_msg msg = any_message(16);

	k_mbox_init(&mbox);
	(void)k_thread_create(&sender, sender_stack, K_THREAD_STACK_SIZEOF(sender_stack),
			      puts_as_thread, NULL, NULL, NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
	CHECK_EQ(k_mbox_get(&mbox, &msg, NULL, K_FOREVER), 0);
	CHECK_EQ(msg.size, 8);
	k_thread_abort(&sender);
	forged_fill(&forged, &sender, msg.generation, K_THREAD_PENDING);
	got[0] = 0x5A;
	k_mbox_data_get(&msg, got);
	CHECK_EQ(msg.size, 0);
	CHECK_EQ(got[0], 0x5A);
	CHECK(forged_holds(&forged, &sender));
	CHECK_NOTES("");
}

TEST(mbox_async_messages_keep_their_order)
{
	struct k_mbox_msg msg;

	k_mbox_init(&mbox);
	for (uint32_t i = 1; i <= 3; i++) {
		msg = (struct k_mbox_msg){.size = i, .info = i, .tx_data = text};
		k_mbox_async_put(&mbox, &msg, &taken);
	}
	(void)start(put, K_ANY, MAIN_PRIO - 1); /* more urgent: first */
	CHECK_EQ(k_sem_count_get(&taken), 0);
	msg = any_message(16);
	CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_NO_WAIT), 0);
	CHECK_EQ(msg.info, 11);
	CHECK_NOTES("s");
	for (uint32_t i = 1; i <= 3; i++) {
		msg = any_message(16);
		CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_NO_WAIT), 0);
		CHECK_EQ(msg.info, i);
		CHECK_EQ(msg.size, i);
		CHECK_EQ(k_sem_count_get(&taken), i);
	}
	k_sem_reset(&taken);
}

static void put_many(void *arg)
{
	ARG_UNUSED(arg);
	for (uint32_t i = 0; i <= CONFIG_NUM_MBOX_ASYNC_MSGS; i++) {
		struct k_mbox_msg msg = {.info = i};

		k_mbox_async_put(&defined_mbox, &msg, NULL);
	}
	note('a');
}

TEST(mbox_async_messages_wait_for_room)
{
	(void)start(put_many, NULL, MAIN_PRIO - 1);
	CHECK_NOTES("");
	for (uint32_t i = 0; i <= CONFIG_NUM_MBOX_ASYNC_MSGS; i++) {
		struct k_mbox_msg msg = any_message(0);

		CHECK_EQ(k_mbox_get(&defined_mbox, &msg, NULL, K_NO_WAIT), 0);
		CHECK_EQ(msg.info, i);
	}
	CHECK_NOTES("a");
}

TEST(mbox_that_nobody_comes_to_is_left_in_time)
{
	struct k_mbox_msg msg = any_message(16);
	uint32_t began;

	k_mbox_init(&mbox);
	sent_msg = (struct k_mbox_msg){.tx_target_thread = K_ANY};
	CHECK_EQ(k_mbox_put(&mbox, &sent_msg, K_NO_WAIT), -ENOMSG);
	next_tick();
	began = tick();
	CHECK_EQ(k_mbox_put(&mbox, &sent_msg, K_TICKS(2)), -EAGAIN);
	CHECK_EQ(tick() - began, 3);
	CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_TICKS(2)), -EAGAIN);
	CHECK_EQ(tick() - began, 6);
}

static void call_in_isr(void *arg)
{
	struct k_mbox_msg msg = any_message(16);

	sent_msg = (struct k_mbox_msg){.size = 8, .tx_data = text, .tx_target_thread = K_ANY};
	CHECK_EQ(k_mbox_put(&mbox, &sent_msg, K_FOREVER), -EAGAIN);
	CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_FOREVER), -EAGAIN);
	k_mbox_async_put(&mbox, &sent_msg, &taken);
}

TEST(mbox_takes_and_gives_nothing_in_an_isr)
{
	struct k_mbox_msg msg = any_message(16);

	if (ASSERTIONS) {
		return;
	}
	k_mbox_init(&mbox);
	in_isr(call_in_isr, NULL);
	CHECK_EQ(k_mbox_get(&mbox, &msg, got, K_NO_WAIT), -ENOMSG); /* nobody sends */
	CHECK_EQ(k_mbox_put(&mbox, &sent_msg, K_NO_WAIT), -ENOMSG); /* nor waits */
	CHECK_EQ(k_sem_count_get(&taken), 0);
}

/* A message of bytes that are nowhere, and one of none; and the same message taken twice. */
TEST(mbox_data_that_is_none_is_not_copied)
{
	struct k_mbox_msg msg, twice;

	k_mbox_init(&mbox);
	for (int has_size = 0; has_size < 2; has_size++) {
		(void)start(put, K_ANY, MAIN_PRIO - 1);
		sent_msg.tx_data = has_size ? NULL : text;
		sent_msg.size = has_size ? 8 : 0;
		msg = any_message(16);
		CHECK_EQ(k_mbox_get(&mbox, &msg, NULL, K_FOREVER), 0);
		CHECK_EQ(msg.size, has_size ? 8 : 0);
		got[0] = '?';
		if (has_size) {
			twice = msg;
			k_mbox_data_get(&msg, got);
			CHECK_NOTES("s");
			k_mbox_data_get(&twice, got); /* its sender waits for nothing more */
		}
		CHECK_EQ(got[0], '?');
		CHECK_NOTES(has_size ? "" : "s");
	}
}

TEST(mbox_messages_come_by_priority_then_first_come)
{
	struct k_mbox_msg msg;
	k_tid_t senders[3];

	k_mbox_init(&mbox);
	senders[0] = start(put, K_ANY, MAIN_PRIO - 1);
	senders[1] = start(put, K_ANY, MAIN_PRIO - 2);
	senders[2] = start(put, K_ANY, MAIN_PRIO - 1);
	for (int i = 0; i < 3; i++) {
		msg = any_message(0);
		CHECK_EQ(k_mbox_get(&mbox, &msg, NULL, K_NO_WAIT), 0);
		CHECK(msg.rx_source_thread == senders[i == 0 ? 1 : i == 1 ? 0 : 2]);
	}
	CHECK_NOTES("sss");
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A more urgent thread comes between two steps of a message's bytes, and uses the same endpoint, or ends, or suspends, who
 * copies: each message is whole, and received once; and whoever lent a priority has it back.
 */
#ifdef CONFIG_HOSTED
#include <host.h>
#endif
#include "kernel/sched/sched.h"
#include "kernel/time/clock.h"
#include "kernel/time/timeout.h"
#include "server.h"

#define LONGEST     CONFIG_IPC_MESSAGE_MAX
#define STACK_SIZE  1024
/* The fake machine has so many places in a copy; elsewhere the time is where chance has it. */
#define ROUNDS      (IS_ENABLED(CONFIG_HOSTED) ? 96 : 48)
#define HELPER_PRIO (MAIN_PRIO - 2) /* so it waits when the copier comes */
#define COPIER_PRIO (MAIN_PRIO - 1)

static char out[LONGEST], in[LONGEST];
static struct k_thread copier, urgent, helper;
static K_THREAD_STACK_DEFINE(copier_stack, STACK_SIZE);
static K_THREAD_STACK_DEFINE(urgent_stack, STACK_SIZE);
static K_THREAD_STACK_DEFINE(helper_stack, STACK_SIZE);
static K_SEM_DEFINE(turn, 0, 1);
static void (*act)(void);
static volatile bool has_acted;
static volatile unsigned int in_the_middle, received, last_word;

static void comes(void)
{
	k_sem_give(&turn);
}

static void be_urgent(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(&turn, K_FOREVER);
	if ((copier.wait_flags & TRAVERSAL_FLAG_CEILING) != 0 &&
	    (copier.state & (K_THREAD_PENDING | K_THREAD_DEAD)) == 0) {
		in_the_middle++;
	}
	act();
	has_acted = true;
}

/* Each byte is the message's first word's. */
static struct k_ipc_message message_from(char *bytes, uintptr_t word)
{
	struct k_ipc_message message = {.data = bytes, .size = LONGEST, .words = {word}};

	for (size_t i = 0; i < LONGEST; i++) {
		bytes[i] = (char)word;
	}
	return message;
}

static void check_received(const struct k_ipc_message *message)
{
	size_t same = 0;

	while (same < message->size && in[same] == (char)message->words[0]) {
		same++;
	}
	CHECK_EQ(same, message->size);
	last_word = (unsigned int)message->words[0];
	received++;
}

static void receives_all(void *p1, void *p2, void *p3)
{
	for (;;) {
		struct k_ipc_message message = {.data = in, .capacity = LONGEST};

		CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
		check_received(&message);
	}
}

/* A tick at most, where time goes on by itself. */
static void sends(void *p1, void *p2, void *p3)
{
	for (int n = 0; n < 1000 && !has_acted; n++) {
		struct k_ipc_message message = message_from(out, 1);

		(void)k_ipc_send(&gate, &message, K_FOREVER);
	}
}

static void receives(void *p1, void *p2, void *p3)
{
	for (int n = 0; n < 1000 && !has_acted; n++) {
		struct k_ipc_message message = {.data = in, .capacity = LONGEST};

		if (k_ipc_receive(&endpoint, &message, K_FOREVER) == 0) {
			check_received(&message);
		}
	}
}

static void queues(void *p1, void *p2, void *p3)
{
	for (;;) {
		struct k_ipc_message message = message_from(out, 1);

		(void)k_ipc_send(&gate, &message, K_FOREVER);
	}
}

static void answers(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};
	int result = k_ipc_receive(&endpoint, &message, K_FOREVER);

	for (int n = 0; n < 1000 && !has_acted && result == 0; n++) {
		message = message_from(out, 1);
		result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static void asks(void *p1, void *p2, void *p3)
{
	for (;;) {
		struct k_ipc_message message = {.data = in, .capacity = LONGEST};

		if (k_ipc_call(&gate, &message, K_FOREVER) == 0) {
			check_received(&message);
		}
	}
}

/* Words alone, with a time-out, so that it is the slow path; one more than what was asked. */
static void answers_words(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	(void)k_ipc_receive(&endpoint, &message, K_TICKS(20));
	for (int n = 0; n < 1000 && !has_acted; n++) {
		message.words[0]++;
		(void)k_ipc_reply_receive(&endpoint, &message, K_TICKS(20));
	}
}

static void asks_words(void *p1, void *p2, void *p3)
{
	for (uintptr_t n = 0;; n += 2) {
		struct k_ipc_message message = {.words = {n}};

		if (k_ipc_call(&gate, &message, K_TICKS(20)) == 0) {
			CHECK_EQ(message.words[0], n + 1);
		}
	}
}

/* ---- what the urgent one does ---- */

static void calls_words(void)
{
	struct k_ipc_message message = {.words = {100}};

	CHECK_EQ(k_ipc_call(&gate, &message, K_TICKS(20)), 0);
	CHECK_EQ(message.words[0], 101);
}

static void sends_words(void)
{
	struct k_ipc_message message = {.words = {2}};
	const unsigned int before = received;

	CHECK_EQ(k_ipc_send(&gate, &message, K_FOREVER), 0);
	k_sleep(K_TICKS(1));
	CHECK(received > before);
}

static void receives_too(void)
{
	struct k_ipc_message message = {.data = NULL};

	(void)k_ipc_receive(&endpoint, &message, K_NO_WAIT);
}

static void aborts(void)
{
	k_thread_abort(&copier);
	CHECK((copier.state & K_THREAD_DEAD) != 0);
}

static void aborts_the_other(void)
{
	k_thread_abort(&helper);
	CHECK((helper.state & K_THREAD_DEAD) != 0);
}

static void suspends(void)
{
	k_thread_suspend(&copier);
	k_sleep(K_TICKS(1));
	CHECK((copier.wait_flags & TRAVERSAL_FLAG_CEILING) == 0 ||
	      (copier.state & K_THREAD_PENDING));
	k_thread_resume(&copier);
}

/* ---- wherever in the copy it comes ---- */

static void begin_thread(struct k_thread *thread, k_thread_stack_t *stack, k_thread_entry_t entry,
			 int prio, k_timeout_t delay)
{
	(void)k_thread_create(thread, stack, STACK_SIZE, entry, NULL, NULL, NULL, prio, 0, delay);
}

static void round_of(int round, k_thread_entry_t copies, k_thread_entry_t other)
{
	begin();
	has_acted = false;
	begin_thread(&helper, helper_stack, other, HELPER_PRIO, K_NO_WAIT);
	begin_thread(&urgent, urgent_stack, be_urgent, MAIN_PRIO - 3, K_NO_WAIT);
	begin_thread(&copier, copier_stack, copies, COPIER_PRIO, K_FOREVER);
	come_between(&copier, round, comes);
	k_thread_start(&copier);
	while (!has_acted) {
		k_sleep(K_TICKS(1));
	}
	CHECK_EQ(urgent.prio, MAIN_PRIO - 3);
	CHECK((copier.state & K_THREAD_DEAD) != 0 || copier.base_prio == COPIER_PRIO);
	k_thread_abort(&copier);
	k_thread_abort(&urgent);
	if (other == receives_all &&
	    act != aborts_the_other) { /* it waits still, and gets the next one whole */
		struct k_ipc_message message = message_from(out, 3);

		CHECK_EQ(k_ipc_send(&gate, &message, K_TICKS(20)), 0);
		k_sleep(K_TICKS(1));
		CHECK_EQ(last_word, 3);
		CHECK_EQ(helper.prio, HELPER_PRIO);
	}
	k_thread_abort(&helper);
	CHECK(endpoint.receivers.head == NULL && endpoint.callers.wait_q.head == NULL);
}

static void check_between(void (*action)(void), k_thread_entry_t copies, k_thread_entry_t other)
{
	act = action;
	in_the_middle = 0;
	/* Where the code lies, says how many it takes until one comes into the middle. */
	for (int round = 0; round < ROUNDS || (in_the_middle == 0 && round < 4 * ROUNDS); round++) {
		round_of(round, copies, other);
	}
	CHECK(in_the_middle != 0);
}

TEST(ipc_a_message_between_two_steps_of_another)
{
	check_between(sends_words, sends, receives_all);
}

TEST(ipc_a_receipt_between_two_steps_of_another)
{
	check_between(receives_too, receives, queues);
}

TEST(ipc_a_sender_that_is_aborted_between_two_steps)
{
	check_between(aborts, sends, receives_all);
}

TEST(ipc_a_receiver_that_is_aborted_between_two_steps)
{
	check_between(aborts, receives, queues);
}

TEST(ipc_the_other_side_is_aborted_between_two_steps)
{
	check_between(aborts_the_other, sends, receives_all);
	check_between(aborts_the_other, receives, queues);
	check_between(aborts_the_other, answers, asks);
}

TEST(ipc_who_answers_is_aborted_between_two_steps)
{
	check_between(aborts, answers, asks);
}

TEST(ipc_words_are_answered_between_two_steps)
{
	check_between(calls_words, answers_words, asks_words);
	check_between(aborts, answers_words, asks_words);
	check_between(aborts_the_other, answers_words, asks_words);
	check_between(suspends, answers_words, asks_words);
	check_between(receives_too, answers_words, asks_words);
}

TEST(ipc_who_copies_is_suspended_between_two_steps)
{
	check_between(suspends, answers, asks);
	check_between(suspends, sends, receives_all);
	check_between(suspends, receives, queues);
}

/* ---- the time of who calls is over, wherever on its way into the queue ---- */

#define OWNER_PRIO  (MAIN_PRIO + 3)
#define SERVER_PRIO (MAIN_PRIO + 1)

K_MUTEX_DEFINE(row);
static int in_vain;

/* It received last, and waits for its mutex: two who have to be lent to, before there is a wait. */
static void receives_and_locks(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	(void)k_mutex_lock(&row, K_FOREVER);
	(void)k_mutex_unlock(&row);
}

static void calls_in_vain(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	in_vain = k_ipc_call(&gate, &message, K_TICKS(3));
}

static void sends_in_vain(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	in_vain = k_ipc_send(&gate, &message, K_TICKS(3));
}

static void time_runs_out(void)
{
#ifdef CONFIG_HOSTED
	unsigned int key = irq_lock();

	if ((copier.state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&copier.timeout);
		timeout_add(&copier.timeout, clock_ticks() + 1U);
	}
	irq_unlock(key);
	host_advance(2 * (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC));
#endif
}

static void check_in_vain(k_thread_entry_t calls)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct k_ipc_message message = {.capacity = 0};

		begin();
		CHECK_EQ(k_mutex_lock(&row, K_FOREVER), 0);
		begin_thread(&helper, helper_stack, receives_and_locks, SERVER_PRIO, K_NO_WAIT);
		k_thread_priority_set(k_current_get(), OWNER_PRIO);
		CHECK_EQ(k_ipc_send(&gate, &message, K_FOREVER), 0);
		CHECK_EQ(k_thread_priority_get(k_current_get()), SERVER_PRIO);
		begin_thread(&copier, copier_stack, calls, COPIER_PRIO, K_FOREVER);
		come_between(&copier, round, time_runs_out);
		k_thread_start(&copier);
		CHECK_EQ(k_thread_join(&copier, K_TICKS(20)), 0);
		come_no_more();
		CHECK_EQ(in_vain, -EAGAIN);
		CHECK_EQ(helper.prio, SERVER_PRIO);
		CHECK_EQ(k_thread_priority_get(k_current_get()), SERVER_PRIO);
		CHECK_EQ(k_mutex_unlock(&row), 0);
		k_thread_priority_set(k_current_get(), MAIN_PRIO);
		CHECK_EQ(k_thread_join(&helper, K_TICKS(20)), 0);
	}
}

TEST(ipc_nobody_stays_raised_by_who_called_in_vain)
{
	check_in_vain(calls_in_vain);
	check_in_vain(sends_in_vain);
}

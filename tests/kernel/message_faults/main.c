/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message buffers that are no memory: whose fault it is, and what becomes of the others. The
 * handler returns, so a thread that faults ends. Short messages and long ones, for which
 * interrupts are open; what has to be printed at the end is checked by test_message_faults.py.
 */
#include "../nowhere.h"
#include "test.h"

#define LONG_SIZE 200

struct message {
	unsigned char byte[LONG_SIZE];
};

static struct k_msgq queue;
static char buffer[2 * LONG_SIZE];
static size_t message_size;
static k_tid_t blamed;
static unsigned int faults;

void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	CHECK_EQ(reason, K_ERR_CPU_EXCEPTION);
	blamed = k_current_get();
	faults++;
}

static void *nowhere(void)
{
	uintptr_t address = NOWHERE;

	__asm__("" : "+r"(address));
	return (void *)address;
}

/* A queue of two messages; the test's letters travel in it. */
static void begin(size_t size)
{
	message_size = size;
	k_msgq_init(&queue, buffer, size, 2);
	blamed = NULL;
	faults = 0;
	notes_clear();
}

static void for_both_sizes(void (*test)(void))
{
	begin(4);
	test();
	begin(LONG_SIZE);
	test();
}

static struct message write_message(char letter)
{
	struct message message;

	for (size_t i = 0; i < sizeof(message); i++) {
		message.byte[i] = (unsigned char)(letter + (int)i);
	}
	return message;
}

static void note_message(const struct message *message)
{
	struct message expected = write_message((char)message->byte[0]);

	for (size_t i = 0; i < message_size; i++) {
		CHECK_EQ(message->byte[i], expected.byte[i]);
	}
	note((char)message->byte[0]);
}

static void put(char letter)
{
	struct message message = write_message(letter);

	CHECK_EQ(k_msgq_put(&queue, &message, K_NO_WAIT), 0);
}

static void put_letter(void *letter)
{
	struct message message = write_message(*(const char *)letter);

	CHECK_EQ(k_msgq_put(&queue, &message, K_FOREVER), 0);
	note('p');
}

static void get_letter(void *arg)
{
	struct message message;

	CHECK_EQ(k_msgq_get(&queue, &message, K_FOREVER), 0);
	note_message(&message);
}

static void put_nowhere(void *arg)
{
	(void)k_msgq_put(&queue, nowhere(), K_FOREVER);
	note('!');
}

static void put_nowhere_in_front(void *arg)
{
	(void)k_msgq_put_front(&queue, nowhere());
	note('!');
}

static void get_nowhere(void *arg)
{
	(void)k_msgq_get(&queue, nowhere(), K_FOREVER);
	note('!');
}

static void peek_nowhere(void *arg)
{
	(void)k_msgq_peek(&queue, nowhere());
	note('!');
}

static bool has_ended(k_tid_t thread)
{
	return k_thread_join(thread, K_NO_WAIT) == 0;
}

static void note_rest(void)
{
	struct message message;

	while (k_msgq_get(&queue, &message, K_NO_WAIT) == 0) {
		note_message(&message);
	}
	CHECK_EQ(k_msgq_num_free_get(&queue), 2);
}

/* ---- of one that waits ---- */

static void bad_writer_waits(void)
{
	struct message message;
	k_tid_t bad;

	put('a');
	put('b');
	bad = start(put_nowhere, NULL, 3);
	(void)start(put_letter, (void *)"c", 4);
	CHECK_EQ(k_msgq_get(&queue, &message, K_NO_WAIT), 0);
	note_message(&message);
	CHECK_EQ(faults, 1);
	CHECK(blamed == bad && has_ended(bad));
	CHECK_EQ(k_msgq_num_used_get(&queue), 2);
	note_rest();
	CHECK_NOTES("pabc");
}

TEST(faults_a_writer_that_waits_is_blamed_and_the_next_is_admitted)
{
	for_both_sizes(bad_writer_waits);
}

/* The writer is less urgent than the reader: the reader is done before the fault happens. */
static void bad_writer_of_low_priority(void)
{
	struct message message;
	k_tid_t bad;

	put('a');
	put('b');
	bad = start(put_nowhere, NULL, MAIN_PRIO + 1);
	k_sleep(K_TICKS(1)); /* it waits */
	CHECK_EQ(k_msgq_get(&queue, &message, K_FOREVER), 0);
	note_message(&message);
	CHECK_EQ(faults, 0);
	CHECK_EQ(k_msgq_num_free_get(&queue), 1);
	(void)k_thread_join(bad, K_FOREVER);
	CHECK_EQ(faults, 1);
	CHECK(blamed == bad);
	note_rest();
	CHECK_NOTES("ab");
}

TEST(faults_a_writer_has_its_own_when_it_runs)
{
	for_both_sizes(bad_writer_of_low_priority);
}

static void bad_readers_wait(void)
{
	k_tid_t bad = start(get_nowhere, NULL, 3);
	k_tid_t bad_too = start(get_nowhere, NULL, 4);

	(void)start(get_letter, NULL, 5);
	put('a');
	CHECK_EQ(faults, 2);
	CHECK(blamed == bad_too && has_ended(bad) && has_ended(bad_too));
	CHECK_NOTES("a");
	CHECK_EQ(k_msgq_num_used_get(&queue), 0);
}

TEST(faults_of_readers_that_wait_leave_the_message_to_the_next)
{
	for_both_sizes(bad_readers_wait);
}

static void bad_reader_alone(void)
{
	k_tid_t bad = start(get_nowhere, NULL, 3);

	put('a');
	CHECK_EQ(faults, 1);
	CHECK(blamed == bad && has_ended(bad));
	CHECK_EQ(k_msgq_num_used_get(&queue), 1);
	note_rest();
	CHECK_NOTES("a");
}

TEST(faults_of_the_only_reader_leave_the_message_in_the_queue)
{
	for_both_sizes(bad_reader_alone);
}

static void put_in_handler(void *letter)
{
	put(*(const char *)letter);
	CHECK_EQ(faults, 0);
	note('i');
}

static void bad_reader_and_handler(void)
{
	k_tid_t bad = start(get_nowhere, NULL, 3);

	(void)start(get_letter, NULL, 4);
	in_isr(put_in_handler, (void *)"a");
	CHECK_EQ(faults, 1);
	CHECK(blamed == bad && has_ended(bad));
	CHECK_NOTES("ia");
}

TEST(faults_of_a_reader_are_not_the_handlers_that_puts)
{
	for_both_sizes(bad_reader_and_handler);
}

/* ---- of the caller ---- */

static void bad_caller(void (*call)(void *arg))
{
	k_tid_t bad;

	put('a');
	bad = start(call, NULL, 3);
	CHECK_EQ(faults, 1);
	CHECK(blamed == bad && has_ended(bad));
	CHECK_EQ(k_msgq_num_used_get(&queue), 1);
	CHECK_EQ(k_msgq_num_free_get(&queue), 1);
	put('b');
	note_rest();
	CHECK_NOTES("ab");
	begin(message_size);
}

static void bad_callers(void)
{
	bad_caller(put_nowhere);
	bad_caller(put_nowhere_in_front);
	bad_caller(get_nowhere);
	bad_caller(peek_nowhere);
}

TEST(faults_of_the_caller_change_nothing)
{
	for_both_sizes(bad_callers);
}

static void bad_caller_and_reader(void)
{
	k_tid_t bad;

	(void)start(get_letter, NULL, 4);
	bad = start(put_nowhere, NULL, 3);
	CHECK_EQ(faults, 1);
	CHECK(blamed == bad && has_ended(bad));
	CHECK_NOTES("");
	put('a');
	CHECK_NOTES("a");
}

TEST(faults_of_the_caller_leave_the_reader_waiting)
{
	for_both_sizes(bad_caller_and_reader);
}

static void bad_caller_and_writer(void)
{
	k_tid_t bad;

	put('a');
	put('b');
	(void)start(put_letter, (void *)"c", 4);
	bad = start(get_nowhere, NULL, 3);
	CHECK_EQ(faults, 1);
	CHECK(blamed == bad && has_ended(bad));
	CHECK_NOTES("");
	note_rest();
	CHECK_NOTES("pabc");
}

TEST(faults_of_the_caller_leave_the_writer_waiting)
{
	for_both_sizes(bad_caller_and_writer);
}

/* ---- who polls is told of a message only ---- */

static void poll_queue(void *arg)
{
	struct k_poll_event event = K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_MSGQ_DATA_AVAILABLE,
							     K_POLL_MODE_NOTIFY_ONLY, &queue);

	CHECK_EQ(k_poll(&event, 1, K_FOREVER), 0);
	note('!');
}

static void bad_caller_and_poller(void)
{
	(void)start(poll_queue, NULL, 4);
	(void)start(put_nowhere, NULL, 3);
	CHECK_EQ(faults, 1);
	CHECK_NOTES("");
	put('a');
	CHECK_NOTES("!");
	note_rest();
	CHECK_NOTES("a");
}

TEST(faults_are_nothing_to_be_told_of)
{
	for_both_sizes(bad_caller_and_poller);
}

/* ---- of pipes, a few bytes at once and many in steps ---- */

static struct k_pipe pipe;
static uint8_t pipe_buffer[LONG_SIZE + 3];
static size_t pipe_bytes;

static void read_pipe(void *where)
{
	CHECK_EQ(k_pipe_read(&pipe, where, pipe_bytes, K_FOREVER), (int)pipe_bytes);
	note('r');
}

static void write_pipe(void *from)
{
	CHECK_EQ(k_pipe_write(&pipe, from, pipe_bytes, K_FOREVER), (int)pipe_bytes);
	note('w');
}

static void begin_pipe(size_t bytes)
{
	begin(4);
	pipe_bytes = bytes;
	k_pipe_init(&pipe, pipe_buffer, sizeof(pipe_buffer));
}

/* Nobody has read, or written, what was there before goes on, and the next one has it. */
static void bad_ends_of_a_pipe(size_t bytes)
{
	static uint8_t sent[LONG_SIZE], got[LONG_SIZE];
	k_tid_t bad;

	begin_pipe(bytes);
	for (size_t i = 0; i < bytes; i++) {
		sent[i] = (uint8_t)(i + 3);
		got[i] = 0;
	}
	bad = start(write_pipe, nowhere(), 3);
	CHECK(faults == 1 && blamed == bad && has_ended(bad));
	(void)start(write_pipe, sent, 3);
	bad = start(read_pipe, nowhere(), 3);
	CHECK(faults == 2 && blamed == bad && has_ended(bad));
	(void)start(read_pipe, got, 3);
	CHECK_NOTES("wr");
	for (size_t i = 0; i < bytes; i++) {
		CHECK_EQ(got[i], sent[i]);
	}
	/* Who waits is blamed for its own, and the writer's bytes are the next one's. */
	bad = start(read_pipe, nowhere(), 3);
	(void)start(read_pipe, got, 4);
	write_pipe(sent);
	CHECK(faults == 3 && blamed == bad && has_ended(bad));
	CHECK_NOTES("rw");
}

TEST(faults_of_a_pipes_ends_are_their_own)
{
	bad_ends_of_a_pipe(4);
}

TEST(faults_of_a_pipes_ends_are_their_own_in_steps_too)
{
	bad_ends_of_a_pipe(LONG_SIZE);
}

TEST(zz_faults_in_a_handler_end_the_run)
{
#ifdef CONFIG_FAULT_IN_ISR
	begin(LONG_SIZE);
	in_isr(put_nowhere, NULL);
#endif
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Message queues. */
#include "test.h"

/* Three bytes: neither a word nor a power of two. */
struct message {
	char text[3];
};

K_MSGQ_DEFINE(msgq, sizeof(struct message), 2, 4);

static const struct message one = {{'1', '1', '1'}};
static const struct message two = {{'2', '2', '2'}};
static const struct message three = {{'3', '3', '3'}};

static void note_message(const struct message *m)
{
	CHECK(m->text[0] == m->text[1] && m->text[1] == m->text[2]);
	note(m->text[0]);
}

static void get_and_note(void *letter)
{
	struct message m;

	CHECK_EQ(k_msgq_get(&msgq, &m, K_FOREVER), 0);
	note(*(const char *)letter);
	note_message(&m);
}

TEST_SHARED static int put_result;

static void put_and_note(void *m)
{
	put_result = k_msgq_put(&msgq, m, K_FOREVER);
	note('p');
}

static void put_at_once(void *m)
{
	put_result = k_msgq_put(&msgq, m, K_NO_WAIT);
}

static void note_all(void)
{
	struct message m;

	while (k_msgq_get(&msgq, &m, K_NO_WAIT) == 0) {
		note_message(&m);
	}
}

TEST_USER(msgq_keeps_the_order)
{
	struct message m;
	struct k_msgq_attrs attrs;

	CHECK_EQ(k_msgq_get(&msgq, &m, K_NO_WAIT), -ENOMSG);
	CHECK_EQ(k_msgq_peek(&msgq, &m), -ENOMSG);
	for (int round = 0; round < 3; round++) { /* over the end of the ring */
		CHECK_EQ(k_msgq_put(&msgq, &one, K_NO_WAIT), 0);
		CHECK_EQ(k_msgq_put(&msgq, &two, K_FOREVER), 0);
		CHECK_EQ(k_msgq_put(&msgq, &three, K_NO_WAIT), -ENOMSG);
		CHECK_EQ(k_msgq_num_used_get(&msgq), 2);
		CHECK_EQ(k_msgq_num_free_get(&msgq), 0);
		CHECK_EQ(k_msgq_get(&msgq, &m, K_NO_WAIT), 0);
		note_message(&m);
		CHECK_EQ(k_msgq_put_front(&msgq, &three), 0);
		CHECK_EQ(k_msgq_put_front(&msgq, &three), -ENOMSG);
		CHECK_EQ(k_msgq_peek_at(&msgq, &m, 1), 0);
		note_message(&m);
		CHECK_EQ(k_msgq_peek_at(&msgq, &m, 2), -ENOMSG);
		CHECK_EQ(k_msgq_peek(&msgq, &m), 0);
		note_message(&m);
		note_all();
		CHECK_NOTES("12332");
	}
	k_msgq_get_attrs(&msgq, &attrs);
	CHECK_EQ(attrs.msg_size, 3);
	CHECK_EQ(attrs.max_msgs, 2);
	CHECK_EQ(attrs.used_msgs, 0);
}

TEST_USER(msgq_readers_by_priority_then_first_come)
{
	start(get_and_note, "a", 5);
	start(get_and_note, "b", 4);
	start(get_and_note, "c", 5);
	(void)k_msgq_put(&msgq, &one, K_NO_WAIT);
	(void)k_msgq_put_front(&msgq, &two);
	in_isr(put_at_once, (void *)&three);
	CHECK_NOTES("b1a2c3");
	CHECK_EQ(put_result, 0);
}

TEST_USER(msgq_writers_keep_their_order)
{
	struct message m;

	(void)k_msgq_put(&msgq, &one, K_NO_WAIT);
	(void)k_msgq_put(&msgq, &one, K_NO_WAIT);
	start(put_and_note, (void *)&two, 5);
	start(put_and_note, (void *)&three, 4);
	CHECK_EQ(k_msgq_get(&msgq, &m, K_NO_WAIT), 0);
	CHECK_EQ(k_msgq_num_used_get(&msgq), 2);
	CHECK_NOTES("p");
	CHECK_EQ(put_result, 0);
	note_all();
	CHECK_NOTES("p132");
}

TEST_USER(msgq_purge_sends_writers_away)
{
	(void)k_msgq_put(&msgq, &one, K_NO_WAIT);
	(void)k_msgq_put(&msgq, &one, K_NO_WAIT);
	start(put_and_note, (void *)&two, 5);
	k_msgq_purge(&msgq);
	CHECK_NOTES("p");
	CHECK_EQ(put_result, -ENOMSG);
	CHECK_EQ(k_msgq_num_used_get(&msgq), 0);
}

TEST_USER(msgq_timeouts_are_exact)
{
	struct message m;
	uint32_t begin;

	next_tick();
	begin = tick();
	CHECK_EQ(k_msgq_get(&msgq, &m, K_TICKS(3)), -EAGAIN);
	CHECK_EQ(tick() - begin, 4);
	(void)k_msgq_put(&msgq, &one, K_NO_WAIT);
	(void)k_msgq_put(&msgq, &one, K_NO_WAIT);
	CHECK_EQ(k_msgq_put(&msgq, &two, K_TICKS(2)), -EAGAIN);
	CHECK_EQ(tick() - begin, 7);
	k_msgq_purge(&msgq);
}

static void get_from(void *q)
{
	struct message m;

	CHECK_EQ(k_msgq_get(q, &m, K_FOREVER), 0);
	note_message(&m);
}

TEST(msgq_with_a_buffer_from_the_heap)
{
	static struct k_msgq q; /* it stays in the list of objects */
	struct k_heap *pool = k_current_get()->resource_pool;
	struct message m;
	k_tid_t reader;

	k_thread_system_pool_assign(k_current_get());
	CHECK_EQ(k_msgq_alloc_init(&q, SIZE_MAX / 2, 3), -EINVAL);
	CHECK_EQ(k_msgq_alloc_init(&q, 0, 3), -EINVAL);
	CHECK_EQ(k_msgq_alloc_init(&q, 1 << 20, 1), -ENOMEM);
	CHECK_EQ(k_msgq_alloc_init(&q, sizeof(m), 4), 0);
	CHECK_EQ(k_msgq_put(&q, &two, K_NO_WAIT), 0);
	CHECK_EQ(k_msgq_get(&q, &m, K_NO_WAIT), 0);
	note_message(&m);
	CHECK_NOTES("2");
	reader = start(get_from, &q, 5);
	CHECK_EQ(k_msgq_cleanup(&q), -EBUSY);
	CHECK_EQ(k_msgq_put(&q, &three, K_NO_WAIT), 0);
	CHECK_NOTES("3");
	CHECK_EQ(k_thread_join(reader, K_NO_WAIT), 0);
	CHECK_EQ(k_msgq_cleanup(&q), 0);
	CHECK_EQ(k_msgq_cleanup(&q), 0); /* nothing is given back twice */
	k_thread_heap_assign(k_current_get(), NULL);
	CHECK_EQ(k_msgq_alloc_init(&q, sizeof(m), 4), -ENOMEM);
	k_thread_heap_assign(k_current_get(), pool);
}

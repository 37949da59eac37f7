/* SPDX-License-Identifier: Apache-2.0 */
/* Queues, fifos and lifos. */
#include "test.h"
#include <zephyr/sys/slist.h>

K_FIFO_DEFINE(fifo);
K_LIFO_DEFINE(lifo);
K_QUEUE_DEFINE(queue);

struct item {
	uintptr_t link;
	char letter;
};

TEST_SHARED static struct item items[4] = {{0, 'A'}, {0, 'B'}, {0, 'C'}, {0, 'D'}};

static char letter_of(const struct item *item)
{
	return item == NULL ? '-' : item->letter;
}

static void get_and_note(void *letter)
{
	const struct item *item = k_fifo_get(&fifo, K_FOREVER);

	note(*(const char *)letter);
	note(letter_of(item));
}

static void put(void *item)
{
	k_fifo_put(&fifo, item);
}

static void note_all_of(struct k_queue *q)
{
	for (int i = 0; i < 8 && k_queue_is_empty(q) == 0; i++) {
		note(letter_of(k_queue_get(q, K_NO_WAIT)));
	}
}

TEST(fifo_first_in_first_out)
{
	CHECK(k_fifo_is_empty(&fifo) != 0);
	CHECK(k_fifo_get(&fifo, K_NO_WAIT) == NULL);
	CHECK(k_fifo_peek_head(&fifo) == NULL);
	CHECK(k_fifo_peek_tail(&fifo) == NULL);
	for (int i = 0; i < 3; i++) {
		k_fifo_put(&fifo, &items[i]);
	}
	CHECK(k_fifo_is_empty(&fifo) == 0);
	CHECK(k_fifo_peek_head(&fifo) == &items[0]);
	CHECK(k_fifo_peek_tail(&fifo) == &items[2]);
	note_all_of(&fifo._queue);
	CHECK_NOTES("ABC");
}

TEST(lifo_last_in_first_out)
{
	for (int i = 0; i < 3; i++) {
		k_lifo_put(&lifo, &items[i]);
	}
	note_all_of(&lifo._queue);
	CHECK_NOTES("CBA");
	CHECK(k_lifo_get(&lifo, K_NO_WAIT) == NULL);
}

TEST(fifo_waiters_by_priority_then_first_come)
{
	start(get_and_note, "a", 5);
	start(get_and_note, "b", 4);
	start(get_and_note, "c", 5);
	for (int i = 0; i < 3; i++) {
		k_fifo_put(&fifo, &items[i]);
		note('.');
	}
	CHECK_NOTES("bA.aB.cC.");
	CHECK(k_fifo_is_empty(&fifo) != 0);
}

TEST(fifo_an_item_put_is_the_waiters)
{
	start(get_and_note, "w", MAIN_PRIO + 1);
	k_sleep(K_TICKS(1));
	k_fifo_put(&fifo, &items[0]);
	CHECK(k_fifo_get(&fifo, K_NO_WAIT) == NULL);
	k_sleep(K_TICKS(1));
	CHECK_NOTES("wA");
}

TEST_USER(fifo_put_in_an_isr)
{
	start(get_and_note, "w", 4);
	in_isr(put, &items[2]);
	note('m');
	CHECK_NOTES("wCm");
}

TEST_USER(fifo_timeout_is_exact)
{
	uint32_t begin;

	next_tick();
	begin = tick();
	CHECK(k_fifo_get(&fifo, K_TICKS(4)) == NULL);
	CHECK_EQ(tick() - begin, 5);
}

TEST(fifo_list_serves_waiters_first)
{
	items[0].link = (uintptr_t)&items[1];
	items[1].link = (uintptr_t)&items[2];
	items[2].link = 0;
	start(get_and_note, "a", 5);
	start(get_and_note, "b", 4);
	CHECK_EQ(k_fifo_put_list(&fifo, &items[0], &items[2]), 0);
	note_all_of(&fifo._queue);
	CHECK_NOTES("bAaBC");
	CHECK_EQ(k_fifo_put_list(&fifo, NULL, NULL), -EINVAL);
}

TEST_USER(fifo_cancel_wait)
{
	start(get_and_note, "a", 5);
	start(get_and_note, "b", 4);
	k_fifo_cancel_wait(&fifo);
	CHECK_NOTES("b-");
	k_fifo_cancel_wait(&fifo);
	CHECK_NOTES("a-");
	k_fifo_cancel_wait(&fifo);
	CHECK_NOTES("");
}

TEST(queue_in_the_middle)
{
	k_queue_append(&queue, &items[0]);
	k_queue_append(&queue, &items[1]);
	k_queue_insert(&queue, &items[0], &items[2]);
	k_queue_insert(&queue, NULL, &items[3]);
	note_all_of(&queue);
	CHECK_NOTES("DACB");
	for (int i = 0; i < 3; i++) {
		k_queue_append(&queue, &items[i]);
	}
	CHECK(!k_queue_unique_append(&queue, &items[1]));
	CHECK(k_queue_unique_append(&queue, &items[3]));
	CHECK(k_queue_remove(&queue, &items[1]));
	CHECK(!k_queue_remove(&queue, &items[1]));
	CHECK(k_queue_remove(&queue, &items[3]));
	k_queue_append(&queue, &items[1]);
	note_all_of(&queue);
	CHECK_NOTES("ACB");
}

TEST(queue_any_pointer_in_containers)
{
	k_thread_system_pool_assign(k_current_get());
	CHECK_EQ(k_queue_alloc_append(&queue, &items[0]), 0);
	CHECK_EQ(k_queue_alloc_append(&queue, &items[0]), 0); /* twice: it is not linked */
	k_queue_append(&queue, &items[1]);
	CHECK_EQ(k_queue_alloc_prepend(&queue, &items[2]), 0);
	CHECK(k_queue_peek_head(&queue) == &items[2]);
	CHECK(k_queue_peek_tail(&queue) == &items[1]);
	note_all_of(&queue);
	CHECK_NOTES("CAAB");
}

TEST(queue_containers_need_a_pool_with_room)
{
	int count = 0;

	k_thread_heap_assign(k_current_get(), NULL);
	CHECK_EQ(k_queue_alloc_append(&queue, &items[0]), -ENOMEM);
	k_thread_system_pool_assign(k_current_get());
	while (k_queue_alloc_append(&queue, &items[0]) == 0) {
		count++;
	}
	CHECK(count > 10);
	CHECK_EQ(k_queue_alloc_prepend(&queue, &items[0]), -ENOMEM);
	for (int i = 0; i < count; i++) {
		CHECK(k_queue_get(&queue, K_NO_WAIT) == &items[0]);
	}
	CHECK(k_queue_is_empty(&queue) != 0);
}

static void get_contained(void *arg)
{
	note(letter_of(k_queue_get(&queue, K_FOREVER)));
}

TEST(queue_a_waiter_needs_no_container)
{
	start(get_contained, NULL, 4);
	k_thread_heap_assign(k_current_get(), NULL);
	CHECK_EQ(k_queue_alloc_append(&queue, &items[3]), 0);
	CHECK_NOTES("D");
	k_thread_system_pool_assign(k_current_get());
}

TEST(queue_takes_a_whole_list)
{
	static struct k_fifo listed;
	static sys_snode_t nodes[3];
	sys_slist_t list;

	k_fifo_init(&listed);
	sys_slist_init(&list);
	CHECK_EQ(k_fifo_put_slist(&listed, &list), -EINVAL);
	for (int i = 0; i < 3; i++) {
		sys_slist_append(&list, &nodes[i]);
	}
	CHECK_EQ(k_fifo_put_slist(&listed, &list), 0);
	CHECK(sys_slist_is_empty(&list));
	for (int i = 0; i < 3; i++) {
		CHECK(k_fifo_get(&listed, K_NO_WAIT) == &nodes[i]);
	}
	CHECK_EQ(k_queue_merge_slist(&listed._queue, &list), -EINVAL);
	CHECK_EQ(k_queue_append_list(&listed._queue, &nodes[0], NULL), -EINVAL);
	CHECK_EQ(k_queue_append_list(&listed._queue, NULL, &nodes[0]), -EINVAL);
	CHECK(k_fifo_get(&listed, K_NO_WAIT) == NULL);
}

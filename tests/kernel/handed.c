/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a waker leaves with a thread that waits is stored by that thread, when it runs: not if
 * it was ended before, not while it is suspended, not if its time was over.
 */
#include "test.h"

#define UNTOUCHED 0x5a5a5a5aUL
#define HANDED    0x1234UL

static struct k_stack stack;
TEST_SHARED static stack_data_t entries[2];
static struct k_mem_slab slab;
static char blocks[32] __aligned(8);
static struct k_msgq msgq;
static char ring[sizeof(uintptr_t)];
TEST_SHARED static void *block;
TEST_SHARED static uintptr_t target;
TEST_SHARED static k_timeout_t patience;
TEST_SHARED static int result;

static void pop(void *arg)
{
	result = k_stack_pop(&stack, (stack_data_t *)&target, patience);
}

static void push(void)
{
	CHECK_EQ(k_stack_push(&stack, HANDED), 0);
}

static void get(void *arg)
{
	result = k_msgq_get(&msgq, &target, patience);
}

static void put(void)
{
	uintptr_t message = HANDED;

	CHECK_EQ(k_msgq_put(&msgq, &message, K_NO_WAIT), 0);
}

/* The block's address goes to `target` only by a success: a failure stores NULL at once. */
static void alloc(void *arg)
{
	void *mem = (void *)UNTOUCHED;

	result = k_mem_slab_alloc(&slab, &mem, patience);
	target = result == 0 ? HANDED : mem == NULL ? UNTOUCHED : 0;
	CHECK(result != 0 || mem == block);
}

static void free_block(void)
{
	k_mem_slab_free(&slab, block);
}

static k_tid_t begin(void (*wait)(void *arg), k_timeout_t timeout)
{
	k_tid_t waiter;

	k_stack_init(&stack, entries, ARRAY_SIZE(entries));
	k_msgq_init(&msgq, ring, sizeof(ring), 1);
	CHECK_EQ(k_mem_slab_init(&slab, blocks, sizeof(blocks), 1), 0);
	CHECK_EQ(k_mem_slab_alloc(&slab, &block, K_NO_WAIT), 0);
	target = UNTOUCHED;
	result = 1;
	patience = timeout;
	waiter = start(wait, NULL, MAIN_PRIO + 1);
	k_sleep(K_TICKS(1)); /* it waits */
	CHECK_EQ(result, 1);
	return waiter;
}

/* A message is copied by the one that puts it: it may be there before its thread runs. */
static void check_handing(void (*wait)(void *arg), void (*give)(void), bool copied_at_once)
{
	k_tid_t waiter = begin(wait, K_FOREVER);

	give();
	k_thread_suspend(waiter);
	k_sleep(K_TICKS(1));
	CHECK_EQ(result, 1);
	CHECK(copied_at_once || target == UNTOUCHED);
	k_thread_resume(waiter);
	CHECK_EQ(k_thread_join(waiter, K_TICKS(5)), 0);
	CHECK_EQ(result, 0);
	CHECK_EQ(target, HANDED);

	waiter = begin(wait, K_FOREVER);
	give();
	k_thread_abort(waiter);
	k_sleep(K_TICKS(1));
	CHECK_EQ(result, 1);
	CHECK(copied_at_once || target == UNTOUCHED);

	waiter = begin(wait, K_TICKS(2));
	CHECK_EQ(k_thread_join(waiter, K_TICKS(9)), 0);
	CHECK_EQ(result, -EAGAIN);
	CHECK_EQ(target, UNTOUCHED);
}

TEST(handed_words_are_stored_by_the_thread_that_waited)
{
	check_handing(pop, push, false);
}

TEST(handed_blocks_are_stored_by_the_thread_that_waited)
{
	check_handing(alloc, free_block, false);
}

TEST(handed_messages_are_whole_or_not_there)
{
	check_handing(get, put, true);
}

TEST(handed_nothing_by_a_queue_of_no_messages)
{
	char message[1];

	if (ASSERTIONS) {
		return; /* msgq-of-nothing */
	}
	k_msgq_init(&msgq, ring, 1, 0);
	CHECK_EQ(k_msgq_put(&msgq, "a", K_NO_WAIT), -ENOMSG);
	CHECK_EQ(k_msgq_put_front(&msgq, "a"), -ENOMSG);
	CHECK_EQ(k_msgq_get(&msgq, message, K_NO_WAIT), -ENOMSG);
	CHECK_EQ(k_msgq_put(&msgq, "a", K_TICKS(1)), -EAGAIN);
	k_msgq_init(&msgq, ring, 0, 2); /* of no bytes: they are counted */
	CHECK_EQ(k_msgq_put(&msgq, "", K_NO_WAIT), 0);
	CHECK_EQ(k_msgq_put(&msgq, "", K_NO_WAIT), 0);
	CHECK_EQ(k_msgq_put(&msgq, "", K_NO_WAIT), -ENOMSG);
	CHECK_EQ(k_msgq_get(&msgq, message, K_NO_WAIT), 0);
	CHECK_EQ(k_msgq_num_used_get(&msgq), 1);
}

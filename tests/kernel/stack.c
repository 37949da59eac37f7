/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of words. */
#include "test.h"

K_STACK_DEFINE(stack, 3);

static void pop_and_note(void *letter)
{
	stack_data_t word;

	CHECK_EQ(k_stack_pop(&stack, &word, K_FOREVER), 0);
	note(*(const char *)letter);
	note((char)word);
}

static void push(void *word)
{
	CHECK_EQ(k_stack_push(&stack, *(stack_data_t *)word), 0);
}

TEST_USER(stack_last_in_first_out)
{
	stack_data_t word;

	CHECK_EQ(k_stack_pop(&stack, &word, K_NO_WAIT), -EBUSY);
	for (stack_data_t i = 1; i <= 3; i++) {
		CHECK_EQ(k_stack_push(&stack, i * 100), 0);
	}
	CHECK_EQ(k_stack_push(&stack, 4), -ENOMEM);
	for (stack_data_t i = 3; i >= 1; i--) {
		CHECK_EQ(k_stack_pop(&stack, &word, K_FOREVER), 0);
		CHECK_EQ(word, i * 100);
	}
}

TEST_USER(stack_waiters_by_priority_then_first_come)
{
	start(pop_and_note, "a", 5);
	start(pop_and_note, "b", 4);
	start(pop_and_note, "c", 5);
	for (stack_data_t i = '1'; i <= '3'; i++) {
		push(&i);
	}
	CHECK_NOTES("b1a2c3");
}

TEST_USER(stack_pushed_in_an_isr)
{
	stack_data_t word = 'x';

	start(pop_and_note, "w", 4);
	in_isr(push, &word);
	note('m');
	CHECK_NOTES("wxm");
}

TEST_USER(stack_timeout_is_exact)
{
	stack_data_t word;
	uint32_t begin;

	next_tick();
	begin = tick();
	CHECK_EQ(k_stack_pop(&stack, &word, K_TICKS(3)), -EAGAIN);
	CHECK_EQ(tick() - begin, 4);
}

static void pop_from(void *s)
{
	stack_data_t word;

	CHECK_EQ(k_stack_pop(s, &word, K_FOREVER), 0);
	note((char)word);
}

TEST(stack_with_a_buffer_from_the_heap)
{
	static struct k_stack s;
	struct k_heap *pool = k_current_get()->resource_pool;
	stack_data_t word;

	k_thread_system_pool_assign(k_current_get());
	CHECK_EQ(k_stack_alloc_init(&s, UINT32_MAX), -ENOMEM);
	CHECK_EQ(k_stack_alloc_init(&s, 2), 0);
	CHECK_EQ(k_stack_push(&s, 7), 0);
	CHECK_EQ(k_stack_push(&s, 8), 0);
	CHECK_EQ(k_stack_push(&s, 9), -ENOMEM);
	CHECK_EQ(k_stack_pop(&s, &word, K_NO_WAIT), 0);
	CHECK_EQ(word, 8);
	CHECK_EQ(k_stack_pop(&s, &word, K_NO_WAIT), 0);
	start(pop_from, &s, 5);
	CHECK_EQ(k_stack_cleanup(&s), -EAGAIN);
	CHECK_EQ(k_stack_push(&s, 'x'), 0);
	CHECK_NOTES("x");
	CHECK_EQ(k_stack_cleanup(&s), 0);
	CHECK_EQ(k_stack_cleanup(&s), 0); /* nothing is given back twice */
	k_thread_heap_assign(k_current_get(), NULL);
	CHECK_EQ(k_stack_alloc_init(&s, 2), -ENOMEM);
	k_thread_heap_assign(k_current_get(), pool);
}

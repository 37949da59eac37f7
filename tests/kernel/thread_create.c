/* SPDX-License-Identifier: Apache-2.0 */
/* What can't be a thread is refused, and any memory can become one. */
#include <arch_inline.h>
#include <limits.h>

#include "lib/string.h"
#include "test.h"

static struct k_thread thread;
static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
static const int out_of_range[] = {
	K_IDLE_PRIO,
	K_LOWEST_THREAD_PRIO + 1,
	K_HIGHEST_THREAD_PRIO - 1,
	INT8_MAX,
	INT8_MIN,
	INT_MAX,
	INT_MIN,
	UINT8_MAX + 6, /* 5, of which a byte is kept */
};
static unsigned int runs;

static void count_run(void *p1, void *p2, void *p3)
{
	runs++;
}

static k_tid_t create(size_t size, int prio)
{
	return k_thread_create(&thread, stack, size, count_run, NULL, NULL, NULL, prio, 0,
			       K_NO_WAIT);
}

static void must_be_refused(size_t size, int prio)
{
	memset(&thread, 0xA5, sizeof(thread));
	CHECK(create(size, prio) == NULL);
	for (size_t i = 0; i < sizeof(thread); i++) {
		CHECK_EQ(((const uint8_t *)&thread)[i], 0xA5);
	}
	CHECK_EQ(runs, 0);
}

TEST(thread_create_with_a_priority_that_none_may_have)
{
	runs = 0;
	for (size_t i = 0; i < ARRAY_SIZE(out_of_range) && !ASSERTIONS; i++) {
		must_be_refused(K_THREAD_STACK_SIZEOF(stack), out_of_range[i]);
	}
}

TEST(thread_create_with_too_small_a_stack)
{
	runs = 0;
	if (!ASSERTIONS) {
		must_be_refused(0, 5);
		must_be_refused(ARCH_STACK_MIN - 1U, 5);
	}
}

TEST(thread_create_with_the_outermost_priorities)
{
	runs = 0;
	memset(&thread, 0xA5, sizeof(thread));
	CHECK(create(K_THREAD_STACK_SIZEOF(stack), K_HIGHEST_APPLICATION_THREAD_PRIO) == &thread);
	CHECK_EQ(runs, 1);
	CHECK(create(K_THREAD_STACK_SIZEOF(stack), K_LOWEST_APPLICATION_THREAD_PRIO) == &thread);
	CHECK_EQ(runs, 1);
	k_sleep(K_TICKS(2));
	CHECK_EQ(runs, 2);
}

/* A thread of uninitialised memory, of all ones, and where one has ended in each way. */
TEST(thread_create_in_any_memory_that_is_no_thread)
{
	static const uint8_t fills[] = {0x00, 0x01, 0xA5, 0xFF};

	runs = 0;
	for (size_t i = 0; i < ARRAY_SIZE(fills); i++) {
		memset(&thread, fills[i], sizeof(thread));
		CHECK(create(K_THREAD_STACK_SIZEOF(stack), MAIN_PRIO - 1) == &thread);
		CHECK_EQ(runs, 2 * i + 1);
		CHECK(create(K_THREAD_STACK_SIZEOF(stack), MAIN_PRIO + 1) == &thread);
		k_thread_abort(&thread); /* ready */
		CHECK(create(K_THREAD_STACK_SIZEOF(stack), MAIN_PRIO - 1) == &thread);
		CHECK_EQ(runs, 2 * i + 2);
		CHECK_EQ(k_thread_join(&thread, K_NO_WAIT), 0);
	}
}

TEST(thread_priority_set_out_of_range_has_no_effect)
{
	if (ASSERTIONS) {
		return;
	}
	(void)create(K_THREAD_STACK_SIZEOF(stack), MAIN_PRIO + 1);
	for (size_t i = 0; i < ARRAY_SIZE(out_of_range); i++) {
		k_thread_priority_set(k_current_get(), out_of_range[i]);
		CHECK_EQ(k_thread_priority_get(k_current_get()), MAIN_PRIO);
		k_thread_priority_set(&thread, out_of_range[i]);
		CHECK_EQ(k_thread_priority_get(&thread), MAIN_PRIO + 1);
	}
	k_sleep(K_TICKS(2));
	CHECK_EQ(k_thread_join(&thread, K_NO_WAIT), 0);
}

TEST(thread_create_on_a_stack_of_the_pool)
{
#ifdef CONFIG_DYNAMIC_THREAD
	k_thread_stack_t *stacks[CONFIG_DYNAMIC_THREAD_POOL_SIZE];

	runs = 0;
	CHECK(k_thread_stack_alloc(0, 0) == NULL);
	CHECK(k_thread_stack_alloc(CONFIG_DYNAMIC_THREAD_STACK_SIZE + 1, 0) == NULL);
	for (int i = 0; i < CONFIG_DYNAMIC_THREAD_POOL_SIZE; i++) {
		stacks[i] = k_thread_stack_alloc(CONFIG_DYNAMIC_THREAD_STACK_SIZE, 0);
		CHECK(stacks[i] != NULL);
		CHECK(i == 0 || stacks[i] != stacks[i - 1]);
		(void)k_thread_create(&thread, stacks[i], CONFIG_DYNAMIC_THREAD_STACK_SIZE,
				      count_run, NULL, NULL, NULL, MAIN_PRIO, 0, K_NO_WAIT);
		CHECK_EQ(k_thread_join(&thread, K_FOREVER), 0);
	}
	CHECK_EQ(runs, CONFIG_DYNAMIC_THREAD_POOL_SIZE);
	CHECK(k_thread_stack_alloc(1, 0) == NULL);
	CHECK_EQ(k_thread_stack_free(stacks[1] + 8), -EINVAL);
	CHECK_EQ(k_thread_stack_free(NULL), -EINVAL);
	for (int i = 0; i < CONFIG_DYNAMIC_THREAD_POOL_SIZE; i++) {
		CHECK_EQ(k_thread_stack_free(stacks[i]), 0);
		CHECK_EQ(k_thread_stack_free(stacks[i]), -EINVAL);
	}
	CHECK(k_thread_stack_alloc(1, 0) == stacks[0]);
	CHECK_EQ(k_thread_stack_free(stacks[0]), 0);
#else
	CHECK(k_thread_stack_alloc(STACK_SIZE, 0) == NULL);
	CHECK_EQ(k_thread_stack_free(stack), -ENOTSUP);
#endif
}

#ifdef CONFIG_ERRNO
static int errno_of_another;

static void set_errno(void *value)
{
	errno_of_another = errno;
	errno = (int)(intptr_t)value;
	k_sleep(K_TICKS(1));
	CHECK_EQ(errno, (int)(intptr_t)value);
}

static void errno_in_isr(void *unused)
{
	errno_of_another = errno;
}

TEST(thread_errno_is_its_own)
{
	errno = EIO;
	start(set_errno, (void *)EDOM, 1);
	start(set_errno, (void *)ERANGE, 2);
	CHECK_EQ(errno_of_another, 0);
	CHECK_EQ(errno, EIO);
	k_sleep(K_TICKS(4));
	CHECK_EQ(errno, EIO);
	in_isr(errno_in_isr, NULL);
	CHECK_EQ(errno_of_another, EIO);
}
#endif

TEST(thread_create_begins_without_a_signal_of_its_own)
{
#ifdef CONFIG_TRACE
	k_tid_t made = prepare(give_sem, NULL, 5);

	CHECK_EQ(made->trace_levels, K_SIGNAL_THREAD_ANY);
	k_trace_thread_signal_set(made, K_SIGNAL_THREADS - 1);
	CHECK_EQ(made->trace_levels, K_SIGNAL_THREAD_ANY | K_SIGNAL_THREAD(K_SIGNAL_THREADS - 1));
	k_trace_thread_signal_set(made, 0);
	CHECK_EQ(made->trace_levels, K_SIGNAL_THREAD_ANY | K_SIGNAL_THREAD(0));
	k_trace_thread_signal_set(made, K_SIGNAL_THREADS); /* none again */
	CHECK_EQ(made->trace_levels, K_SIGNAL_THREAD_ANY);
#endif
}

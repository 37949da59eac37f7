/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's calls in an ISR: where no assertion stops them they return at once, nobody waits, and whom the
 * interrupt came to goes on as before. tests/kernel/misuse has the assertions.
 */
#include "test.h"

static K_SEM_DEFINE(empty, 0, 1);
K_MSGQ_DEFINE(full, 4, 1, 4);
K_STACK_DEFINE(no_words, 2);
static K_QUEUE_DEFINE(no_items);
static K_EVENT_DEFINE(no_events);
static K_MUTEX_DEFINE(held);
K_HEAP_DEFINE(small_heap, 128);
static struct k_futex futex;
#ifdef CONFIG_PERIODIC
static volatile uint32_t reg;
static K_FLAGS_DEFINE(flags, &reg, 0);
#endif
#ifdef CONFIG_POLL
static struct k_poll_event event;
#endif
static k_tid_t waiter;

static void wait_for_ever(void *arg)
{
	CHECK_EQ(k_mutex_lock(&held, K_FOREVER), 0);
	(void)k_sem_take(&empty, K_FOREVER);
}

static void wait_in_isr(void *arg)
{
	static uint32_t message, got;
	stack_data_t word;

	CHECK_EQ(k_sem_take(&empty, K_TICKS(3)), -EWOULDBLOCK);
	CHECK_EQ(k_sem_take(&empty, K_FOREVER), -EWOULDBLOCK);
	CHECK_EQ(k_sem_take(&empty, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_mutex_lock(&held, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_mutex_lock(&held, K_FOREVER), -EWOULDBLOCK);
	CHECK_EQ(k_msgq_put(&full, &message, K_FOREVER), -EWOULDBLOCK);
	CHECK_EQ(k_msgq_get(&full, &got, K_NO_WAIT), 0);
	CHECK_EQ(got, 7);
	CHECK_EQ(k_msgq_get(&full, &got, K_TICKS(2)), -EWOULDBLOCK);
	CHECK_EQ(k_stack_pop(&no_words, &word, K_FOREVER), -EWOULDBLOCK);
	CHECK(k_queue_get(&no_items, K_FOREVER) == NULL);
	CHECK_EQ(k_event_wait(&no_events, 1, false, K_FOREVER), 0);
	CHECK(k_heap_alloc(&small_heap, 100, K_FOREVER) == NULL);
	CHECK_EQ(k_thread_join(waiter, K_FOREVER), -EWOULDBLOCK);
	CHECK_EQ(k_thread_join(waiter, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_futex_wait(&futex, 0, K_FOREVER), -EWOULDBLOCK);
#ifdef CONFIG_PERIODIC
	CHECK_EQ(k_flags_await(&flags, 1, 1, K_TICKS(2)), -EWOULDBLOCK);
	CHECK(flags.wait_q.head == NULL);
#endif
#ifdef CONFIG_POLL
	k_poll_event_init(&event, K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &empty);
	CHECK_EQ(k_poll(&event, 1, K_FOREVER), -EAGAIN);
#endif
}

static void check_nobody_waits(void)
{
	CHECK(empty.wait_q.head == waiter && waiter->next == waiter);
	CHECK(full.wait_q.head == NULL && no_words.wait_q.head == NULL);
	CHECK(no_items.wait_q.head == NULL && no_events.wait_q.head == NULL);
	CHECK(held.wait_q.head == NULL && small_heap.wait_q.head == NULL);
	CHECK(waiter->joiners.head == NULL);
	CHECK_EQ(k_futex_wake(&futex, true), 0);
}

TEST(irq_calls_that_would_wait_return_at_once)
{
	uint32_t message = 7;
	void *block;

	if (ASSERTIONS) {
		return;
	}
	waiter = start(wait_for_ever, NULL, MAIN_PRIO - 1);
	CHECK_EQ(k_msgq_put(&full, &message, K_NO_WAIT), 0);
	block = k_heap_alloc(&small_heap, 80, K_NO_WAIT);
	CHECK(block != NULL);
	in_isr(wait_in_isr, NULL);
	check_nobody_waits();
	k_heap_free(&small_heap, block);
	CHECK_EQ(k_stack_push(&no_words, 1), 0); /* its limit is not a waiter's */
	CHECK_EQ(k_stack_push(&no_words, 2), 0);
	k_stack_init(&no_words, no_words.base, 2);
	k_sleep(K_TICKS(5)); /* no time-out has been left behind */
	check_nobody_waits();
	k_thread_abort(waiter);
	k_mutex_init(&held);
}

static void ask_in_isr(void *arg)
{
	CHECK_EQ(k_is_preempt_thread(), 0);
	CHECK(!k_can_yield());
}

TEST(irq_a_handler_is_no_thread_that_may_be_preempted)
{
	CHECK(k_is_preempt_thread() != 0);
	CHECK(k_can_yield());
	in_isr(ask_in_isr, NULL);
	k_sched_lock();
	CHECK_EQ(k_is_preempt_thread(), 0);
	k_sched_unlock();
	k_thread_priority_set(k_current_get(), -1);
	CHECK_EQ(k_is_preempt_thread(), 0);
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	CHECK(k_is_preempt_thread() != 0);
}

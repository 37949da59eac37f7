/* SPDX-License-Identifier: Apache-2.0 */
/* Every object does in user mode what it does in kernel mode; and bad buffers are refused. */
#include "lib/string.h"
#include "user.h"

static K_SEM_DEFINE(sem, 0, 3);
static K_MUTEX_DEFINE(mutex);
static K_SEM_DEFINE(goes_on, 0, 1);
static K_CONDVAR_DEFINE(condvar);
static K_EVENT_DEFINE(event);
static K_TIMER_DEFINE(timer, NULL, NULL);
static K_FIFO_DEFINE(fifo);
static K_LIFO_DEFINE(lifo);
K_STACK_DEFINE(call_words, 4);
K_MSGQ_DEFINE(messages, 8, 4, 4);

/* The partner of kernel mode, which outranks the user thread as often as not. */
static void gives_later(void *arg)
{
	k_sleep(K_TICKS(2));
	k_sem_give(arg);
}

static void uses_sem(void *p1, void *p2, void *p3)
{
	seen[0] = k_sem_take(&sem, K_NO_WAIT);
	k_sem_give(&sem);
	k_sem_give(&sem);
	seen[1] = (intptr_t)k_sem_count_get(&sem);
	seen[2] = k_sem_take(&sem, K_FOREVER);
	k_sem_reset(&sem);
	seen[3] = k_sem_take(&sem, K_TICKS(1));
	seen[4] = k_sem_take(&sem, K_FOREVER); /* given by a kernel thread */
	seen[5] = k_sem_take(&sem, (k_timeout_t){0x80000000U}) ==
		  -EAGAIN; /* no timeout of the API's */
}

static void aborts_later(void *arg)
{
	k_sleep(K_TICKS(10));
	k_thread_abort(arg);
}

TEST(calls_semaphore)
{
	k_sem_reset(&sem);
	k_thread_access_grant(user_prepare(uses_sem, NULL, NULL, NULL), &sem);
	(void)start(gives_later, &sem, USER_PRIO - 1);
	(void)start(aborts_later, &user_thread, USER_PRIO - 1);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EBUSY);
	CHECK_EQ(seen[1], 2);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], -EAGAIN);
	CHECK_EQ(seen[4], 0);
	CHECK_EQ(seen[5], 0);
}

static void uses_mutex(void *p1, void *p2, void *p3)
{
	seen[0] = k_mutex_unlock(&mutex);
	seen[1] = k_mutex_lock(&mutex, K_FOREVER);
	seen[2] = k_mutex_lock(&mutex, K_NO_WAIT);
	seen[3] = k_mutex_unlock(&mutex);
	seen[4] = k_mutex_unlock(&mutex);
	seen[5] = k_condvar_wait(&condvar, &mutex, K_TICKS(1)); /* which it does not hold */
	seen[6] = k_mutex_lock(&mutex, K_FOREVER);
	seen[7] = k_condvar_wait(&condvar, &mutex, K_TICKS(100));
	(void)k_mutex_unlock(&mutex);
}

static void signals_later(void *arg)
{
	k_sleep(K_TICKS(2));
	(void)k_condvar_signal(arg);
}

TEST(calls_mutex_and_condition_variable)
{
	k_thread_access_grant(user_prepare(uses_mutex, NULL, NULL, NULL), &mutex, &condvar);
	(void)start(signals_later, &condvar, USER_PRIO - 1);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EINVAL);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(seen[4], 0);
	CHECK_EQ(seen[5], -EPERM);
	CHECK_EQ(seen[6], 0);
	CHECK_EQ(seen[7], 0);
	CHECK_EQ(k_mutex_lock(&mutex, K_NO_WAIT), 0);
	(void)k_mutex_unlock(&mutex);
}

static void locks_and_waits(void *p1, void *p2, void *p3)
{
	seen[0] = k_condvar_wait(&condvar, &mutex, K_FOREVER); /* which it does not hold */
	seen[1] = k_mutex_lock(&mutex, K_NO_WAIT);
	(void)k_sem_take(&goes_on, K_FOREVER);
	seen[2] = k_mutex_lock(&mutex, K_NO_WAIT);
	seen[3] = k_mutex_lock(&mutex, K_FOREVER);
	seen[4] = 1;
	(void)k_sem_take(&goes_on, K_FOREVER);
	seen[5] = k_mutex_unlock(&mutex);
}

/* Of 2^32 locks the last is in nobody's reach but a kernel thread's. */
TEST(calls_a_mutex_is_locked_as_often_as_it_counts_and_no_oftener)
{
	k_thread_access_grant(user_prepare(locks_and_waits, NULL, NULL, NULL), &mutex, &condvar,
			      &goes_on);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(1));
	CHECK_EQ(seen[0], -EPERM);
	CHECK_EQ(seen[1], 0);
	mutex.lock_count = UINT32_MAX;
	k_sem_give(&goes_on);
	k_sleep(K_TICKS(1));
	CHECK_EQ(seen[2], -EINVAL);
	CHECK_EQ(seen[3], -EINVAL);
	CHECK_EQ(mutex.lock_count, UINT32_MAX);
	mutex.lock_count = 1;
	k_sem_give(&goes_on);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[5], 0);
	CHECK_EQ(fatal_count, 0);
	k_object_free(&goes_on); /* the table has room for so many */
}

static struct k_sem again;
static int waited, polled;

static void waits_for_again(void *arg)
{
	waited = k_sem_take(&again, K_FOREVER);
}

static void polls_again(void *arg)
{
	struct k_poll_event told = K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SEM_AVAILABLE,
							    K_POLL_MODE_NOTIFY_ONLY, &again);

	polled = k_poll(&told, 1, K_TICKS(5));
}

static void initialises_again(void *initial, void *p2, void *p3)
{
	seen[0] = k_sem_init(&again, (unsigned int)(uintptr_t)initial, 3);
	seen[1] = k_sem_count_get(&again);
}

/* Who waits is sent away, and who polls is told of what there is from then on, if there is any. */
TEST(calls_that_initialise_a_semaphore_again_end_all_waits)
{
	for (uintptr_t initial = 0; initial < 5; initial += 2) {
		(void)k_sem_init(&again, 0, 1);
		waited = 1;
		polled = 1;
		(void)start(waits_for_again, NULL, MAIN_PRIO - 1);
		(void)start(polls_again, NULL, MAIN_PRIO - 1);
		k_thread_access_grant(user_prepare(initialises_again, (void *)initial, NULL, NULL),
				      &again);
		CHECK(user_finish());
		CHECK_EQ(seen[0], initial > 3 ? -EINVAL : 0);
		CHECK_EQ(seen[1], initial > 3 ? 0 : (intptr_t)initial);
		CHECK_EQ(waited, initial > 3 ? 1 : -EAGAIN);
		k_sleep(K_TICKS(7));
		CHECK_EQ(polled, initial == 2 ? 0 : -EAGAIN);
		k_object_free(&again);
	}
}

static void unlocks(void *p1, void *p2, void *p3)
{
	seen[0] = k_mutex_unlock(&mutex);
	seen[1] = k_mutex_lock(&mutex, K_NO_WAIT);
	seen[2] = k_condvar_signal(&condvar);
	seen[3] = k_condvar_broadcast(&condvar);
}

TEST(calls_a_mutex_of_somebody_elses)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	k_thread_access_grant(user_prepare(unlocks, NULL, NULL, NULL), &mutex, &condvar);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EPERM);
	CHECK_EQ(seen[1], -EBUSY);
	CHECK_EQ(k_mutex_unlock(&mutex), 0);
}

static void uses_event(void *p1, void *p2, void *p3)
{
	seen[0] = (intptr_t)k_event_post(&event, 0x5);
	seen[1] = (intptr_t)k_event_wait(&event, 0x4, false, K_NO_WAIT);
	seen[2] = (intptr_t)k_event_wait_all(&event, 0x7, false, K_TICKS(1));
	seen[3] = (intptr_t)k_event_clear(&event, 0x1);
	seen[4] = (intptr_t)k_event_set(&event, 0x30);
	seen[5] = (intptr_t)k_event_set_masked(&event, 0x1, 0x11);
	seen[6] = (intptr_t)k_event_test(&event, 0xff);
	seen[7] = (intptr_t)k_event_wait_safe(&event, 0x1, false, K_NO_WAIT) << 8 |
		  (intptr_t)k_event_wait_all_safe(&event, 0x20, false, K_NO_WAIT);
}

TEST(calls_event)
{
	k_thread_access_grant(user_prepare(uses_event, NULL, NULL, NULL), &event);
	CHECK(user_finish());
	CHECK_EQ(seen[1], 0x4);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], 0x1);
	CHECK_EQ(seen[4], 0x4);
	CHECK_EQ(seen[5], 0x10);
	CHECK_EQ(seen[6], 0x21);
	CHECK_EQ(seen[7], 0x120);
}

/* ---- events of several flags, of a user thread and a kernel thread ---- */

static volatile uint32_t woken_by;

static void waits_for_all(void *flags)
{
	woken_by = k_event_wait_all(&event, (uint32_t)(uintptr_t)flags, false, K_FOREVER);
}

static void waits_for_any(void *flags)
{
	woken_by = k_event_wait(&event, (uint32_t)(uintptr_t)flags, false, K_FOREVER);
}

static void posts(void *flags, void *p2, void *p3)
{
	seen[0] = (intptr_t)k_event_post(&event, (uint32_t)(uintptr_t)flags);
}

static void waits_for_both(void *flags, void *p2, void *p3)
{
	seen[0] = (intptr_t)k_event_wait_all(&event, (uint32_t)(uintptr_t)flags, false, K_FOREVER);
	seen[1] = 1;
}

static bool user_posts(uintptr_t flags)
{
	k_thread_access_grant(user_prepare(posts, (void *)flags, NULL, NULL), &event);
	return user_finish();
}

TEST(calls_events_wake_for_all_flags_only_with_all)
{
	(void)k_event_clear(&event, UINT32_MAX);
	woken_by = 0;
	(void)start(waits_for_all, (void *)3, USER_PRIO - 1);
	CHECK(user_posts(1));
	CHECK_EQ(woken_by, 0);
	CHECK(user_posts(4));
	CHECK_EQ(woken_by, 0);
	CHECK(user_posts(2));
	CHECK_EQ(woken_by, 3);
	woken_by = 0;
	(void)start(waits_for_any, (void *)24, USER_PRIO - 1);
	CHECK(user_posts(32));
	CHECK_EQ(woken_by, 0);
	CHECK(user_posts(16));
	CHECK_EQ(woken_by, 16);
	CHECK_EQ(k_event_test(&event, UINT32_MAX), 55);
}

TEST(calls_a_user_waits_for_all_flags_and_has_them_at_once_or_later)
{
	(void)k_event_clear(&event, UINT32_MAX);
	(void)k_event_post(&event, 3);
	k_thread_access_grant(user_prepare(waits_for_both, (void *)3, NULL, NULL), &event);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 3);
	(void)k_event_clear(&event, 2);
	k_thread_access_grant(user_prepare(waits_for_both, (void *)3, NULL, NULL), &event);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(1));
	CHECK_EQ(seen[1], 0);
	(void)k_event_post(&event, 4);
	k_sleep(K_TICKS(1));
	CHECK_EQ(seen[1], 0);
	(void)k_event_post(&event, 2);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[0], 3);
	(void)k_event_clear(&event, UINT32_MAX);
}

static void pushes_later(void *arg)
{
	k_sleep(K_TICKS(2));
	(void)k_stack_push(arg, 77);
}

static void uses_words(void *p1, void *p2, void *p3)
{
	unsigned char bytes[2 * sizeof(stack_data_t)]; /* a word that is not aligned, in them */
	stack_data_t word = 0;

	for (stack_data_t i = 0; i < 4; i++) {
		(void)k_stack_push(&call_words, i);
	}
	seen[0] = k_stack_push(&call_words, 4);
	seen[1] = k_stack_pop(&call_words, &word, K_NO_WAIT);
	seen[2] = (intptr_t)word;
	for (int i = 0; i < 3; i++) {
		(void)k_stack_pop(&call_words, &word, K_NO_WAIT);
	}
	word = 0x5eed;
	seen[3] = k_stack_pop(&call_words, &word, K_NO_WAIT);
	seen[6] = word == 0x5eed && k_stack_pop(&call_words, &word, K_TICKS(1)) == -EAGAIN &&
		  word == 0x5eed;
	memset(bytes, 0xa5, sizeof(bytes));
	seen[7] = k_stack_pop(&call_words, (stack_data_t *)(uintptr_t)&bytes[1], K_NO_WAIT);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		seen[6] &= bytes[i] == 0xa5;
	}
	seen[4] = k_stack_pop(&call_words, &word, K_FOREVER);
	seen[5] = (intptr_t)word;
}

TEST(calls_stack_of_words)
{
	k_thread_access_grant(user_prepare(uses_words, NULL, NULL, NULL), &call_words);
	(void)start(pushes_later, &call_words, USER_PRIO - 1);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -ENOMEM);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 3);
	CHECK_EQ(seen[3], -EBUSY);
	CHECK_EQ(seen[7], -EBUSY);
	CHECK_EQ(seen[6], 1); /* and nothing was written */
	CHECK_EQ(seen[4], 0);
	CHECK_EQ(seen[5], 77);
}

static void pops_to(void *address, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = k_stack_pop(&call_words, address, K_NO_WAIT);
	seen[2] = 1;
}

static volatile stack_data_t in_kernel = 5;

TEST(calls_results_go_only_where_the_thread_may_write)
{
	void *const refused[] = {NULL,
				 (void *)&in_kernel,
				 (void *)UINTPTR_MAX,
				 (void *)(UINTPTR_MAX - 2),
				 user_stack,
				 user_stack + sizeof(user_stack),
				 user_stack + sizeof(user_stack) - 2,
				 (void *)(uintptr_t)k_stack_pop,
				 other_stack + sizeof(other_stack) - 64};

	(void)k_stack_push(&call_words, 9);
	for (unsigned int i = 0; i < ARRAY_SIZE(refused); i++) {
		k_thread_access_grant(user_prepare(pops_to, refused[i], NULL, NULL), &call_words);
		CHECK(!user_finish());
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[2], 0);
	}
	CHECK_EQ(in_kernel, 5);
	k_thread_access_grant(user_prepare(pops_to, (void *)(uintptr_t)&seen[3], NULL, NULL),
			      &call_words);
	CHECK(user_finish());
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[3], 9);
}

static void uses_queues(void *p1, void *p2, void *p3)
{
	seen[0] = k_fifo_alloc_put(&fifo, (void *)1);
	seen[1] = k_fifo_alloc_put(&fifo, (void *)2);
	seen[2] = (intptr_t)k_fifo_get(&fifo, K_NO_WAIT) == 1 && !k_fifo_is_empty(&fifo) &&
		  (intptr_t)k_fifo_peek_tail(&fifo) == 2;
	seen[3] = k_lifo_alloc_put(&lifo, (void *)3);
	seen[4] = k_lifo_alloc_put(&lifo, (void *)4);
	seen[5] = (intptr_t)k_lifo_get(&lifo, K_NO_WAIT);
	seen[6] = (intptr_t)k_fifo_get(&fifo, K_TICKS(1));
	seen[7] = (intptr_t)k_fifo_get(&fifo, K_TICKS(1));
	(void)k_lifo_get(&lifo, K_NO_WAIT);
}

TEST(calls_fifo_and_lifo)
{
	k_thread_access_grant(user_prepare(uses_queues, NULL, NULL, NULL), &fifo, &lifo);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[5], 4);
	CHECK_EQ(seen[6], 2);
	CHECK_EQ(seen[7], 0);
}

static void uses_messages(void *p1, void *p2, void *p3)
{
	char message[8] = "message";
	char got[8] = "";
	struct k_msgq_attrs attrs;

	seen[0] = k_msgq_put(&messages, message, K_NO_WAIT);
	seen[1] = k_msgq_peek(&messages, got) == 0 && got[0] == 'm' && got[6] == 'e';
	got[0] = 0;
	seen[2] = (intptr_t)k_msgq_num_used_get(&messages) * 10 +
		  (intptr_t)k_msgq_num_free_get(&messages);
	seen[3] = k_msgq_get(&messages, got, K_FOREVER) == 0 && got[0] == 'm';
	seen[4] = k_msgq_get(&messages, got, K_NO_WAIT);
	k_msgq_get_attrs(&messages, &attrs);
	seen[5] = (intptr_t)(attrs.msg_size * 10 + attrs.max_msgs);
	k_msgq_purge(&messages);
	seen[7] = 1;
	(void)k_msgq_put(&messages, (void *)(uintptr_t)&in_kernel, K_NO_WAIT);
	seen[7] = 2;
}

TEST(calls_message_queue)
{
	k_thread_access_grant(user_prepare(uses_messages, NULL, NULL, NULL), &messages);
	CHECK(!user_finish()); /* at its last call */
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[2], 13);
	CHECK_EQ(seen[3], 1);
	CHECK_EQ(seen[4], -ENOMSG);
	CHECK_EQ(seen[5], 84);
	CHECK_EQ(seen[7], 1);
}

static void uses_timer(void *p1, void *p2, void *p3)
{
	k_timer_user_data_set(&timer, (void *)6);
	seen[0] = (intptr_t)k_timer_user_data_get(&timer);
	k_timer_start(&timer, K_TICKS(2), K_TICKS(2));
	seen[1] = (intptr_t)k_timer_status_sync(&timer);
	seen[2] = k_timer_remaining_ticks(&timer) <= 2 && k_timer_expires_ticks(&timer) != 0;
	k_timer_stop(&timer);
	seen[3] = (intptr_t)k_timer_remaining_get(&timer);
	seen[4] = (intptr_t)k_timer_status_get(&timer);
}

TEST(calls_timer)
{
	(void)user_prepare(uses_timer, NULL, NULL, NULL);
	CHECK_EQ(k_object_access_grant(&timer, &user_thread), 0);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 6);
	CHECK(seen[1] >= 1);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], 0);
}

static void prints(void *p1, void *p2, void *p3)
{
	printk("of user mode: %d %s\n", 12, "text");
	seen[0] = k_cycle_get_32() != 0;
	k_busy_wait(10);
	seen[1] = k_is_preempt_thread();
}

TEST(calls_console_and_clocks)
{
	CHECK(user_run(prints, NULL, NULL, NULL));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 1);
}

/* ---- what a call leaves behind ---- */

/* A stack that a thread gets holds nothing of the one that had it before. */
static void leaves_a_word(void *p1, void *p2, void *p3)
{
	volatile uintptr_t secret[16];

	for (int i = 0; i < 16; i++) {
		secret[i] = 0x5ec2e7U;
	}
	seen[0] = secret[3] == 0x5ec2e7U;
}

static void looks_for_it(void *p1, void *p2, void *p3)
{
	const volatile uintptr_t *word = (const volatile uintptr_t *)p1;
	intptr_t found = 0;

	for (unsigned int i = 0; i < USER_STACK_SIZE / sizeof(*word) - 40; i++) {
		found += word[i] != ~(uintptr_t)0 / 0xffU * 0xaaU;
	}
	seen[0] = found;
	seen[1] = 1;
}

TEST(calls_a_stack_that_is_handed_over_is_wiped)
{
	CHECK(user_run(leaves_a_word, NULL, NULL, NULL));
	CHECK_EQ(seen[0], 1);
	CHECK(user_run(looks_for_it, user_stack + ARCH_USER_STACK_RESERVED, NULL, NULL));
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 1);
}

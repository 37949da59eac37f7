/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thing of an argument that is wrong, and all else right: an object of the kind that the call wants, and that the
 * thread has a right to, but that nobody has initialised; a thread that has ended; a time-out beyond the longest.
 * Attackers seldom meet these, or do not see what comes of them.
 */
#include <zephyr/kernel.h>
#include "lib/string.h"
#include "user.h"

#define WORD(value) ((uintptr_t)(value))
#define FOREVER     WORD(K_TICKS_FOREVER)

/* A call, as if it had four words, whatever its prototype is. `which`: the one that is the object. */
struct made {
	void *call;
	const void *object;
	unsigned int which;
	uintptr_t words[4];
};

K_APP_DMEM(shared) static uintptr_t bytes[32] = {1};
K_APP_DMEM(shared) static struct k_poll_event asked;

static struct k_sem sem;
static struct k_mutex mutex;
static struct k_condvar condvar;
static struct k_event event;
static struct k_stack stack;
static struct k_queue queue;
static struct k_msgq msgq;
static struct k_pipe pipe;
static struct k_timer timer;
static struct k_poll_signal poll_signal;
static K_MUTEX_DEFINE(ready_mutex);
static K_CONDVAR_DEFINE(ready_condvar);
K_MSGQ_DEFINE(full, 4, 1, 4);
K_MSGQ_DEFINE(long_full, 80, 1, 4);
K_MSGQ_DEFINE(long_empty, 80, 1, 4);
static struct k_mutex locked;
static struct k_sem none;
static struct k_stack made_stack;
static struct k_queue made_queue;
static struct k_msgq made_msgq;
static struct k_pipe made_pipe;
static struct k_timer made_timer;
static struct k_event made_event;
static struct k_poll_signal made_signal;
static stack_data_t stack_words[2];
static char msgq_bytes[8];

/* The table has room for others' tests again. */
static void forget_all(void)
{
	void *const all[] = {&sem,       &mutex,      &condvar,    &event,       &stack,
			     &queue,     &msgq,       &pipe,       &timer,       &poll_signal,
			     &locked,    &none,       &made_stack, &made_queue,  &made_msgq,
			     &made_pipe, &made_timer, &made_event, &made_signal, &full,
			     &long_full, &long_empty};

	for (unsigned int i = 0; i < ARRAY_SIZE(all); i++) {
		k_object_free(all[i]);
	}
}

typedef intptr_t (*call_t)(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d);

static void makes(void *call, void *words, void *p3)
{
	const uintptr_t *word = words;

	(void)k_mutex_lock(&ready_mutex, K_NO_WAIT);
	seen[1] = 1;
	seen[0] = ((call_t)call)(word[0], word[1], word[2], word[3]);
	seen[2] = 1;
}

K_APP_BMEM(shared) static uintptr_t words[4];

static void prepare_call(const struct made *made, const void *object)
{
	(void)k_mutex_init(&ready_mutex); /* whoever held it has ended */
	memcpy(words, made->words, sizeof(words));
	if (object != NULL) {
		words[made->which] = (uintptr_t)object;
	}
	(void)user_prepare(makes, made->call, words, NULL);
	k_thread_access_grant(&user_thread, &ready_mutex, &ready_condvar);
	k_thread_system_pool_assign(&user_thread);
}

#define CALL(call, object, ...)              \
	{                                    \
		(void *)(call), (object), 0, \
		{                            \
			0, __VA_ARGS__       \
		}                            \
	}
#define CALL_WITH(call, object, ...)         \
	{                                    \
		(void *)(call), (object), 1, \
		{                            \
			__VA_ARGS__          \
		}                            \
	}

/* ---- nobody has initialised it ---- */

static const struct made of_objects[] = {
	CALL(k_sem_take, &sem, 0),
	CALL(k_sem_give, &sem, 0),
	CALL(k_sem_reset, &sem, 0),
	CALL(k_sem_count_get, &sem, 0),
	CALL(k_mutex_lock, &mutex, 0),
	CALL(k_mutex_unlock, &mutex, 0),
	CALL(k_condvar_wait, &condvar, WORD(&ready_mutex), 0),
	CALL(k_condvar_wait, &condvar, WORD(&ready_mutex), FOREVER),
	CALL_WITH(k_condvar_wait, &mutex, WORD(&ready_condvar), 0, 0),
	CALL(k_condvar_signal, &condvar, 0),
	CALL(k_condvar_broadcast, &condvar, 0),
	CALL(k_event_post, &event, 1),
	CALL(k_event_set, &event, 1),
	CALL(k_event_set_masked, &event, 1, 1),
	CALL(k_event_clear, &event, 1),
	CALL(k_event_test, &event, 1),
	CALL(k_event_wait, &event, 1, 0, 0),
	CALL(k_event_wait, &event, 1, 1, 0),
	CALL(k_event_wait_all, &event, 1, 0, 0),
	CALL(k_event_wait_all, &event, 1, 1, 0),
	CALL(k_event_wait_safe, &event, 1, 0, 0),
	CALL(k_event_wait_all_safe, &event, 1, 0, 0),
	CALL(k_stack_push, &stack, 1),
	CALL(k_stack_pop, &stack, WORD(bytes), 0),
	CALL(k_queue_alloc_append, &queue, 0),
	CALL(k_queue_alloc_prepend, &queue, 0),
	CALL(k_queue_get, &queue, 0),
	CALL(k_queue_get, &queue, FOREVER),
	CALL(k_queue_is_empty, &queue, 0),
	CALL(k_queue_peek_head, &queue, 0),
	CALL(k_queue_peek_tail, &queue, 0),
	CALL(k_queue_cancel_wait, &queue, 0),
	CALL(k_msgq_put, &msgq, WORD(bytes), 0),
	CALL(k_msgq_put_front, &msgq, WORD(bytes)),
	CALL(k_msgq_get, &msgq, WORD(bytes), 0),
	CALL(k_msgq_peek, &msgq, WORD(bytes)),
	CALL(k_msgq_peek_at, &msgq, WORD(bytes), 0),
	CALL(k_msgq_purge, &msgq, 0),
	CALL(k_msgq_num_free_get, &msgq, 0),
	CALL(k_msgq_num_used_get, &msgq, 0),
	CALL(k_msgq_get_attrs, &msgq, WORD(bytes)),
	CALL(k_pipe_write, &pipe, WORD(bytes), 1, 0),
	CALL(k_pipe_read, &pipe, WORD(bytes), 1, 0),
	CALL(k_pipe_reset, &pipe, 0),
	CALL(k_pipe_close, &pipe, 0),
	CALL(k_timer_start, &timer, 1, 1),
	CALL(k_timer_stop, &timer, 0),
	CALL(k_timer_status_get, &timer, 0),
	CALL(k_timer_status_sync, &timer, 0),
	CALL(k_timer_remaining_ticks, &timer, 0),
	CALL(k_timer_remaining_get, &timer, 0),
	CALL(k_timer_expires_ticks, &timer, 0),
	CALL(k_timer_user_data_set, &timer, 0),
	CALL(k_timer_user_data_get, &timer, 0),
	CALL(k_poll_signal_reset, &poll_signal, 0),
	CALL(k_poll_signal_check, &poll_signal, WORD(bytes), WORD(bytes)),
	CALL(k_poll_signal_raise, &poll_signal, 0),
};

static bool is_refused(void)
{
	return !user_finish() && fatal_reason == K_ERR_KERNEL_OOPS && seen[1] == 1 && seen[2] == 0;
}

TEST(calls_with_an_object_that_nobody_has_initialised_are_refused)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(of_objects); i++) {
		prepare_call(&of_objects[i], of_objects[i].object);
		k_thread_access_grant(&user_thread, &sem, &mutex, &condvar, &event, &stack, &queue,
				      &msgq, &pipe, &timer, &poll_signal);
		CHECK_EQ(is_refused() ? -1 : (int)i, -1);
	}
	forget_all();
}

static const struct {
	uint8_t type;
	void *object;
} polled[] = {
	{K_POLL_TYPE_SIGNAL, &poll_signal},       {K_POLL_TYPE_SEM_AVAILABLE, &sem},
	{K_POLL_TYPE_DATA_AVAILABLE, &queue},     {K_POLL_TYPE_MSGQ_DATA_AVAILABLE, &msgq},
	{K_POLL_TYPE_PIPE_DATA_AVAILABLE, &pipe},
};

TEST(polls_of_an_object_that_nobody_has_initialised_are_refused)
{
	static const struct made polls = CALL(k_poll, NULL, 1, 0);

	for (unsigned int i = 0; i < ARRAY_SIZE(polled); i++) {
		prepare_call(&polls, &asked);
		asked = (struct k_poll_event){.type = polled[i].type,
					      .mode = K_POLL_MODE_NOTIFY_ONLY,
					      .obj = polled[i].object};
		k_thread_access_grant(&user_thread, &sem, &queue, &msgq, &pipe, &poll_signal);
		CHECK_EQ(is_refused() ? -1 : (int)i, -1);
	}
	forget_all();
}

/* ---- it has been initialised already ---- */

static const struct made again[] = {
	CALL(k_stack_alloc_init, &made_stack, 1),  CALL(k_queue_init, &made_queue, 0),
	CALL(k_msgq_alloc_init, &made_msgq, 4, 2), CALL(k_pipe_init, &made_pipe, 0, 0),
	CALL(k_poll_signal_init, &made_signal, 0),
};

/* What has waiters, or memory of its own, is begun once. */
TEST(calls_that_initialise_what_is_initialised_or_another_s_are_refused)
{
	k_stack_init(&made_stack, stack_words, 2);
	k_queue_init(&made_queue);
	k_msgq_init(&made_msgq, msgq_bytes, 4, 2);
	k_pipe_init(&made_pipe, NULL, 0);
	k_timer_init(&made_timer, NULL, NULL);
	k_event_init(&made_event);
	k_poll_signal_init(&made_signal);
	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(again); i++) {
		const struct made *made = &again[i / 2];

		prepare_call(made, made->object);
		if (i % 2 != 0) {
			k_thread_access_grant(&user_thread, &made_stack, &made_queue, &made_msgq,
					      &made_pipe, &made_signal);
		}
		CHECK_EQ(is_refused() ? -1 : (int)i, -1);
	}
	forget_all();
}

static const struct made first[] = {
	CALL(k_sem_init, &sem, 1, 1),
	CALL(k_mutex_init, &mutex, 0),
	CALL(k_condvar_init, &condvar, 0),
	CALL(k_event_init, &event, 0),
	CALL(k_stack_alloc_init, &stack, 1),
	CALL(k_queue_init, &queue, 0),
	CALL(k_msgq_alloc_init, &msgq, 4, 2),
	CALL(k_pipe_init, &pipe, 0, 0),
	CALL(k_poll_signal_init, &poll_signal, 0),
};

/* Known, and not initialised, but another thread's: and of another kind. */
TEST(calls_that_initialise_an_object_of_another_kind_or_thread_are_refused)
{
	k_thread_access_grant(k_current_get(), &sem, &mutex, &condvar, &event, &stack, &queue,
			      &msgq, &pipe, &poll_signal);
	for (unsigned int i = 0; i < ARRAY_SIZE(first); i++) {
		prepare_call(&first[i], first[i].object);
		CHECK_EQ(is_refused() ? -1 : (int)i, -1);
		prepare_call(&first[i], first[(i + 1) % ARRAY_SIZE(first)].object);
		k_thread_access_grant(&user_thread, &sem, &mutex, &condvar, &event, &stack, &queue,
				      &msgq, &pipe, &poll_signal);
		CHECK_EQ(is_refused() ? -1 : (int)i, -1);
	}
	forget_all();
}

/* ---- a thread that has ended ---- */

static const struct made of_threads[] = {
	CALL(k_thread_start, &other_thread, 0),
	CALL(k_thread_suspend, &other_thread, 0),
	CALL(k_thread_resume, &other_thread, 0),
	CALL(k_thread_abort, &other_thread, 0),
	CALL(k_thread_join, &other_thread, 0),
	CALL(k_thread_priority_get, &other_thread, 0),
	CALL(k_thread_priority_set, &other_thread, USER_PRIO + 2),
	CALL(k_thread_timeout_remaining_ticks, &other_thread, 0),
	CALL(k_thread_timeout_expires_ticks, &other_thread, 0),
	CALL(k_wakeup, &other_thread, 0),
#ifdef CONFIG_THREAD_NAME /* else nothing is looked at, and -ENOSYS */
	CALL(k_thread_name_set, &other_thread, WORD("other")),
	CALL(k_thread_name_copy, &other_thread, WORD(bytes), sizeof(bytes)),
#endif
	CALL(k_thread_stack_space_get, &other_thread, WORD(bytes)),
};

static void ends_at_once(void *p1, void *p2, void *p3)
{
}

static void make_other(void)
{
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, ends_at_once, NULL, NULL,
			      NULL, USER_PRIO + 1, K_USER, K_FOREVER);
}

/* The caller goes on, and the block is as its thread has left it. */
TEST(calls_of_a_thread_that_has_ended_do_nothing)
{
	static struct k_thread before;

	for (unsigned int i = 0; i < ARRAY_SIZE(of_threads); i++) {
		make_other();
		k_thread_abort(&other_thread);
		other_thread.prio = USER_PRIO + 1; /* what a call would give back, or change */
		prepare_call(&of_threads[i], of_threads[i].object);
		k_thread_access_grant(&user_thread, &other_thread);
		before = other_thread;
		CHECK_EQ(user_finish() && seen[2] == 1 ? -1 : (int)i, -1);
		CHECK_EQ(memcmp(&before, &other_thread, sizeof(before)) == 0 ? -1 : (int)i, -1);
		if (of_threads[i].call == (void *)k_thread_priority_get) {
			CHECK_EQ(seen[0], 0);
		}
	}
	forget_all();
}

TEST(calls_of_another_s_thread_or_of_no_thread_are_refused)
{
	(void)k_sem_init(&none, 1, 1);
	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(of_threads); i++) {
		const struct made *made = &of_threads[i / 2];

		make_other();
		prepare_call(made, i % 2 == 0 ? made->object : &none);
		k_thread_access_grant(k_current_get(), &other_thread);
		k_thread_access_grant(&user_thread, &none);
		CHECK_EQ(is_refused() ? -1 : (int)i, -1);
		CHECK(other_thread.state == K_THREAD_PRESTART);
		k_thread_abort(&other_thread);
	}
	forget_all();
}

/* ---- longer than the longest ---- */

#define TOO_LONG ((uintptr_t)INT32_MAX + 1000U)

static const struct made waits[] = {
	CALL(k_sem_take, &none, TOO_LONG),
	CALL(k_mutex_lock, &locked, TOO_LONG),
	CALL(k_condvar_wait, &ready_condvar, WORD(&ready_mutex), TOO_LONG),
	CALL(k_event_wait, &made_event, 1, 0, TOO_LONG),
	CALL(k_event_wait_all, &made_event, 1, 0, TOO_LONG),
	CALL(k_event_wait_safe, &made_event, 1, 0, TOO_LONG),
	CALL(k_event_wait_all_safe, &made_event, 1, 0, TOO_LONG),
	CALL(k_stack_pop, &made_stack, WORD(bytes), TOO_LONG),
	CALL(k_queue_get, &made_queue, TOO_LONG),
	CALL(k_msgq_get, &made_msgq, WORD(bytes), TOO_LONG),
	CALL(k_pipe_write, &made_pipe, WORD(bytes), 1, TOO_LONG),
	CALL(k_pipe_read, &made_pipe, WORD(bytes), 1, TOO_LONG),
	CALL(k_thread_join, &other_thread, TOO_LONG),
	CALL(k_futex_wait, bytes, 1, TOO_LONG),
	CALL(k_poll, &asked, 1, TOO_LONG),
	CALL(k_sleep, (void *)TOO_LONG, 0),
};

static const struct made waits_with_messages[] = {
	CALL(k_msgq_get, &long_empty, WORD(bytes), TOO_LONG),
	CALL(k_msgq_put, &full, WORD(bytes), TOO_LONG),
	CALL(k_msgq_put, &long_full, WORD(bytes), TOO_LONG),
};

static void make_what_is_waited_for(void)
{
	(void)k_mutex_init(&locked);
	(void)k_mutex_lock(&locked, K_NO_WAIT);
	(void)k_sem_init(&none, 0, 1);
	make_other();
	asked = (struct k_poll_event){.type = K_POLL_TYPE_IGNORE, .mode = K_POLL_MODE_NOTIFY_ONLY};
	bytes[0] = 1;
	(void)k_msgq_put(&full, bytes, K_NO_WAIT);
	(void)k_msgq_put(&long_full, bytes, K_NO_WAIT);
}

static bool is_long(void)
{
	bool waits_on;

	k_thread_start(&user_thread);
	k_sleep(K_TICKS(3));
	waits_on = seen[1] == 1 && seen[2] == 0 &&
		   k_thread_timeout_remaining_ticks(&user_thread) > INT32_MAX / 2;
	k_thread_abort(&user_thread);
	return waits_on;
}

/* It waits for as long as there is; and not for what the number would mean if it were less than none. */
TEST(waits_longer_than_the_longest_are_that_long)
{
	if (sizeof(k_timeout_t) != sizeof(uint32_t)) {
		return;
	}
	make_what_is_waited_for();
	for (unsigned int i = 0; i < ARRAY_SIZE(waits); i++) {
		prepare_call(&waits[i], waits[i].object);
		k_thread_access_grant(&user_thread, &none, &locked, &made_event, &made_stack,
				      &made_queue, &made_msgq, &made_pipe, &other_thread);
		CHECK_EQ(is_long() ? -1 : (int)i, -1);
	}
	k_thread_abort(&other_thread);
	(void)k_mutex_unlock(&locked);
	k_event_init(&made_event);
	forget_all();
	for (unsigned int i = 0; i < ARRAY_SIZE(waits_with_messages); i++) {
		prepare_call(&waits_with_messages[i], waits_with_messages[i].object);
		k_thread_access_grant(&user_thread, &full, &long_full, &long_empty);
		CHECK_EQ(is_long() ? -1 : (int)i, -1);
	}
	forget_all();
}

/* The same of a timer, and of a thread's beginning. */
static void starts_for_long(void *with_period, void *p2, void *p3)
{
	k_timer_start(&made_timer, (k_timeout_t){with_period ? 1 : TOO_LONG},
		      (k_timeout_t){TOO_LONG});
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, ends_at_once, NULL, NULL,
			      NULL, USER_PRIO + 1, K_USER, (k_timeout_t){TOO_LONG});
	seen[2] = 1;
}

TEST(what_begins_later_than_the_longest_begins_then)
{
	if (sizeof(k_timeout_t) != sizeof(uint32_t)) {
		return;
	}
	for (uintptr_t with_period = 0; with_period < 2; with_period++) {
		make_other();
		k_thread_abort(&other_thread);
		(void)user_prepare(starts_for_long, (void *)with_period, NULL, NULL);
		k_thread_access_grant(&user_thread, &made_timer, &other_thread, other_stack);
		CHECK(user_finish());
		CHECK_EQ(seen[2], 1);
		k_sleep(K_TICKS(4));
		CHECK_EQ(k_timer_status_get(&made_timer), with_period);
		CHECK(k_timer_remaining_ticks(&made_timer) > INT32_MAX / 2);
		CHECK(k_thread_timeout_remaining_ticks(&other_thread) > INT32_MAX / 2);
		k_thread_abort(&other_thread);
		k_timer_stop(&made_timer);
	}
	forget_all();
}

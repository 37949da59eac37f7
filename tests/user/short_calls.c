/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that a port makes at once, masked, where nothing stands in their way (kernel/syscall/fast.h): with
 * an object that would let them, and that is another thread's, or a copy of one in the caller's own memory. Each is
 * refused, and the object stays as it was. Attackers seldom meet these states by luck.
 */
#include "kernel/hooks/generation.h"
#include "lib/string.h"
#include "user.h"

#define COPY_MAX ROUND_UP_CONST_((int)sizeof(struct k_thread), 16)

K_APP_BMEM(shared) static char copy[COPY_MAX] __aligned(16);
K_APP_BMEM(shared) static stack_data_t word;

static struct k_sem sem;
static struct k_mutex mutex, held;
static struct k_condvar condvar, allowed_condvar;
static struct k_event event;
static struct k_stack stack;
static stack_data_t words[2];
static struct k_queue queue;

static void takes(void *object)
{
	(void)k_sem_take(object, K_FOREVER);
}

static void gives(void *object)
{
	k_sem_give(object);
}

static void locks(void *object)
{
	(void)k_mutex_lock(object, K_FOREVER);
}

static void unlocks(void *object)
{
	(void)k_mutex_unlock(object);
}

static void posts(void *object)
{
	(void)k_event_post(object, 1);
}

static void sets(void *object)
{
	(void)k_event_set(object, 1);
}

static void waits_for_any(void *object)
{
	(void)k_event_wait(object, 2, false, K_FOREVER);
}

static void waits_for_all(void *object)
{
	(void)k_event_wait_all(object, 2, false, K_FOREVER);
}

static void resets_and_waits_for_any(void *object)
{
	(void)k_event_wait(object, 2, true, K_FOREVER);
}

static void resets_and_waits_for_all(void *object)
{
	(void)k_event_wait_all(object, 2, true, K_FOREVER);
}

static void pushes(void *object)
{
	(void)k_stack_push(object, 7);
}

static void pops(void *object)
{
	(void)k_stack_pop(object, &word, K_FOREVER);
}

static void waits_at_it(void *object)
{
	(void)k_condvar_wait(object, &held, K_FOREVER);
}

static void waits_with_it(void *object)
{
	(void)k_condvar_wait(&allowed_condvar, object, K_FOREVER);
}

static void signals(void *object)
{
	(void)k_condvar_signal(object);
}

static void appends(void *object)
{
	(void)k_queue_alloc_append(object, NULL);
}

static void prepends(void *object)
{
	(void)k_queue_alloc_prepend(object, NULL);
}

static void gets(void *object)
{
	(void)k_queue_get(object, K_FOREVER);
}

static void starts(void *object)
{
	k_thread_start(object);
}

static void suspends(void *object)
{
	k_thread_suspend(object);
}

static void resumes(void *object)
{
	k_thread_resume(object);
}

static const struct {
	void (*call)(void *object);
	void *object;
	size_t size;
} calls[] = {
	{takes, &sem, sizeof(sem)},
	{gives, &sem, sizeof(sem)},
	{locks, &mutex, sizeof(mutex)},
	{unlocks, &mutex, sizeof(mutex)},
	{posts, &event, sizeof(event)},
	{sets, &event, sizeof(event)},
	{waits_for_any, &event, sizeof(event)},
	{waits_for_all, &event, sizeof(event)},
	{resets_and_waits_for_any, &event, sizeof(event)},
	{resets_and_waits_for_all, &event, sizeof(event)},
	{pushes, &stack, sizeof(stack)},
	{pops, &stack, sizeof(stack)},
	{waits_at_it, &condvar, sizeof(condvar)},
	{waits_with_it, &mutex, sizeof(mutex)},
	{signals, &condvar, sizeof(condvar)},
	{appends, &queue, sizeof(queue)},
	{prepends, &queue, sizeof(queue)},
	{gets, &queue, sizeof(queue)},
	{starts, &other_thread, sizeof(other_thread)},
	{suspends, &other_thread, sizeof(other_thread)},
	{resumes, &other_thread, sizeof(other_thread)},
};

static void makes_a_call(void *number, void *object, void *p3)
{
	seen[1] = 1;
	calls[(uintptr_t)number].call(object);
	seen[2] = 1;
}

static void ends_at_once(void *p1, void *p2, void *p3)
{
}

/* Each in the state in which nothing stands in the call's way. */
static void make_ready(void)
{
	static bool is_made;

	if (!is_made) {
		(void)k_sem_init(&sem, 1, 5);
		(void)k_mutex_init(&mutex);
		(void)k_mutex_init(&held);
		(void)k_condvar_init(&condvar);
		(void)k_condvar_init(&allowed_condvar);
		k_event_init(&event);
		(void)k_event_post(&event, 2);
		k_stack_init(&stack, words, ARRAY_SIZE(words));
		(void)k_stack_push(&stack, 5);
		k_queue_init(&queue);
		is_made = true;
	}
	k_thread_access_grant(k_current_get(), &sem, &mutex, &condvar, &event, &stack, &queue);
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, ends_at_once, NULL, NULL,
			      NULL, USER_PRIO + 1, K_USER, K_FOREVER);
}

/* As if the user thread had locked it: also what a copy can hold of that, if it has guessed. */
static void give_to_user(struct k_mutex *to)
{
	unsigned int key = irq_lock();

	to->owner = &user_thread;
	to->generation = generation_of(&user_thread);
	to->lock_count = 1;
	irq_unlock(key);
}

static bool is_refused(unsigned int number, bool is_copy)
{
	static char before[COPY_MAX];
	void *object = is_copy ? (void *)copy : calls[number].object;
	bool refused;

	make_ready();
	k_thread_access_grant(user_prepare(makes_a_call, (void *)(uintptr_t)number, object, NULL),
			      &held, &allowed_condvar);
	give_to_user(&held);
	give_to_user(&mutex);
	memcpy(copy, calls[number].object, calls[number].size);
	memcpy(before, object, calls[number].size);
	refused = !user_finish() && fatal_reason == K_ERR_KERNEL_OOPS && seen[1] == 1 &&
		  seen[2] == 0 && other_thread.state == K_THREAD_PRESTART &&
		  (object == &other_thread || memcmp(before, object, calls[number].size) == 0);
	k_thread_abort(&other_thread);
	return refused;
}

TEST(short_calls_with_what_the_thread_may_not_use_are_refused)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		CHECK_EQ(is_refused(i, false) ? -1 : (int)i, -1);
	}
}

TEST(short_calls_with_a_copy_of_an_object_are_refused)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(calls); i++) {
		CHECK_EQ(is_refused(i, true) ? -1 : (int)i, -1);
	}
}

#define UNTOUCHED 0x1badbad

/* ---- a word that is popped ---- */

static char edge[2 * SMALL_PART] __aligned(SMALL_PART);
static struct k_mem_domain edge_domain;

static void pops_to(void *address, void *p2, void *p3)
{
	seen[1] = 1;
	seen[0] = k_stack_pop(&stack, address, K_FOREVER);
	seen[2] = 1;
}

static bool may_pop_to(void *address)
{
	k_thread_access_grant(user_prepare(pops_to, address, NULL, NULL), &stack);
	(void)k_mem_domain_add_thread(&edge_domain, &user_thread);
	return user_finish() && seen[2] == 1;
}

/* All of a word's bytes are looked at: the last that lies in a partition, and each that reaches over an end of it. */
TEST(short_calls_pop_no_word_that_reaches_over_an_end)
{
	struct k_mem_partition part = {(uintptr_t)edge, SMALL_PART, K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition *parts[] = {&part, &shared};

	CHECK_EQ(k_mem_domain_init(&edge_domain, 2, parts), 0);
	k_stack_init(&stack, words, ARRAY_SIZE(words));
	(void)k_stack_push(&stack, 5);
	CHECK(may_pop_to(&edge[SMALL_PART - sizeof(word)]));
	for (unsigned int i = 1; i <= sizeof(word); i++) {
		k_stack_init(&stack, words, ARRAY_SIZE(words));
		(void)k_stack_push(&stack, 5);
		CHECK(!may_pop_to(&edge[SMALL_PART - sizeof(word) + i]));
		CHECK_EQ(seen[1], 1);
	}
	for (unsigned int i = 0; i < sizeof(word); i++) {
		CHECK_EQ(edge[SMALL_PART + i], 0);
	}
	CHECK(!may_pop_to(&edge[SMALL_PART + sizeof(word)]));
}

static bool one_pops_to(void *address)
{
	k_stack_init(&stack, words, ARRAY_SIZE(words));
	(void)k_stack_push(&stack, 5);
	return may_pop_to(address);
}

/* Which of a domain's partitions a word may go to changes with them: one that may be read only, one that comes later, goes, and comes back. */
TEST(short_calls_pop_where_the_domain_may_write_now)
{
	struct k_mem_partition readable = {(uintptr_t)edge, SMALL_PART, K_MEM_PARTITION_P_RW_U_RO};
	struct k_mem_partition part = {(uintptr_t)&edge[SMALL_PART], SMALL_PART,
				       K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition *parts[] = {&readable};

	CHECK_EQ(k_mem_domain_init(&edge_domain, 1, parts), 0);
	(void)k_mem_domain_add_partition(&edge_domain, &shared); /* what it says it has seen */
	CHECK(!one_pops_to(edge));
	CHECK(!one_pops_to(&edge[SMALL_PART]));
	CHECK_EQ(k_mem_domain_add_partition(&edge_domain, &part), 0);
	CHECK(one_pops_to(&edge[SMALL_PART]));
	(void)k_mem_domain_remove_partition(&edge_domain, &shared);
	CHECK_EQ(k_mem_domain_add_partition(&edge_domain, &shared), 0);
	CHECK(one_pops_to(&edge[SMALL_PART])); /* the first of all now */
	CHECK_EQ(k_mem_domain_remove_partition(&edge_domain, &part), 0);
	CHECK(!one_pops_to(&edge[SMALL_PART]));
	CHECK(one_pops_to(&word));
}

static void only_pops(void *address, void *p2, void *p3)
{
	(void)k_stack_pop(&stack, address, K_FOREVER);
}

/* It has none left to write to but its stack. */
TEST(short_calls_pop_nothing_into_the_last_partition_once_it_went)
{
	struct k_mem_partition part = {(uintptr_t)edge, SMALL_PART, K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition *parts[] = {&part};
	stack_data_t left;

	CHECK_EQ(k_mem_domain_init(&edge_domain, 1, parts), 0);
	CHECK_EQ(k_mem_domain_remove_partition(&edge_domain, &part), 0);
	k_stack_init(&stack, words, ARRAY_SIZE(words));
	(void)k_stack_push(&stack, 5);
	edge[0] = 1;
	k_thread_access_grant(user_prepare(only_pops, edge, NULL, NULL), &stack);
	(void)k_mem_domain_add_thread(&edge_domain, &user_thread);
	CHECK(!user_finish());
	CHECK_EQ(edge[0], 1);
	CHECK_EQ(k_stack_pop(&stack, &left, K_NO_WAIT), 0);
}

static K_SEM_DEFINE(may_pop, 0, 1);

static void pops_when_it_may(void *address, void *p2, void *p3)
{
	(void)k_sem_take(&may_pop, K_FOREVER);
	seen[0] = k_stack_pop(&stack, &word, K_NO_WAIT);
	(void)k_sem_take(&may_pop, K_FOREVER);
	seen[1] = k_stack_pop(&stack, &word, K_TICKS(1));
	(void)k_sem_take(&may_pop, K_FOREVER);
	seen[2] = 1;
	(void)k_stack_pop(&stack, address, K_FOREVER);
	seen[3] = 1;
}

/* The CPU was handed to it, so it could wait by the shortest way: for no time, a short time, or where it may not write. */
TEST(short_calls_pop_of_nothing_waits_no_longer_than_it_says)
{
	int own_prio = k_thread_priority_get(k_current_get());

	k_thread_priority_set(k_current_get(), USER_PRIO + 1); /* each give switches to it */
	k_stack_init(&stack, words, ARRAY_SIZE(words));
	k_thread_access_grant(user_prepare(pops_when_it_may, &stack, NULL, NULL), &stack, &may_pop);
	k_thread_start(&user_thread);
	for (int i = 0; i < 3; i++) {
		k_sem_give(&may_pop);
		k_sleep(K_TICKS(4));
	}
	k_thread_priority_set(k_current_get(), own_prio);
	CHECK_EQ(k_thread_join(&user_thread, K_NO_WAIT), 0);
	k_thread_abort(&user_thread);
	CHECK_EQ(seen[0], -EBUSY);
	CHECK_EQ(seen[1], -EAGAIN);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(fatal_count, 1);
}

/* Nor is it stored, or taken off, where the thread reads only; and what the kernel may not write is as good. */
TEST(short_calls_pop_no_word_to_what_is_read_only)
{
	struct k_mem_partition part = {(uintptr_t)edge, SMALL_PART, K_MEM_PARTITION_P_RW_U_RO};
	struct k_mem_partition *parts[] = {&part, &shared};
	stack_data_t left = 0;

	CHECK_EQ(k_mem_domain_init(&edge_domain, 2, parts), 0);
	*(stack_data_t *)(uintptr_t)edge = UNTOUCHED;
	k_stack_init(&stack, words, ARRAY_SIZE(words));
	(void)k_stack_push(&stack, 5);
	CHECK(!may_pop_to(edge));
	CHECK(!may_pop_to((void *)(uintptr_t)pops_to));
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(*(stack_data_t *)(uintptr_t)edge, UNTOUCHED);
	CHECK_EQ(k_stack_pop(&stack, &left, K_NO_WAIT), 0);
	CHECK_EQ(left, 5);
}

/* ---- what fails stores nothing ---- */

K_MSGQ_DEFINE(empty, 8, 2, 4);

K_APP_BMEM(shared) static intptr_t result_words[4];

static void fails(void *p1, void *p2, void *p3)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(result_words); i++) {
		result_words[i] = UNTOUCHED;
	}
	seen[0] = k_stack_pop(&stack, (stack_data_t *)&result_words[0], K_NO_WAIT);
	seen[1] = k_stack_pop(&stack, (stack_data_t *)&result_words[0], K_TICKS(1));
	seen[2] = k_msgq_get(&empty, &result_words[1], K_NO_WAIT);
	seen[3] = k_msgq_get(&empty, &result_words[1], K_TICKS(1));
	seen[4] = k_msgq_peek(&empty, &result_words[1]);
}

/* Else what the kernel's stack had there would be a user's to see. */
TEST(short_calls_that_fail_store_nothing)
{
	k_stack_init(&stack, words, ARRAY_SIZE(words));
	k_thread_access_grant(user_prepare(fails, NULL, NULL, NULL), &stack, &empty);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EBUSY);
	CHECK_EQ(seen[1], -EAGAIN);
	CHECK_EQ(seen[2], -ENOMSG);
	CHECK_EQ(seen[3], -EAGAIN);
	CHECK_EQ(seen[4], -ENOMSG);
	for (unsigned int i = 0; i < ARRAY_SIZE(result_words); i++) {
		CHECK_EQ(result_words[i], UNTOUCHED);
	}
}

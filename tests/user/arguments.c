/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call is made with: on a core of 64 bits a register has room above an argument of 32, and user mode may put there
 * what it likes. Each verifier that looks at such an argument sees what its type has, and no more.
 */
#include "user.h"

#define ABOVE (UINTPTR_MAX - UINT32_MAX)

K_MSGQ_DEFINE(queued, 4, 2, 4);
static struct k_sem passed_on;
K_APP_BMEM(shared) static struct k_futex futex;
K_APP_BMEM(shared) static uint32_t message;

static void passes_more_than_its_argument(void *object, void *p2, void *p3)
{
	int (*init)(void *sem, uintptr_t initial, uintptr_t limit);
	void *function = (void *)k_sem_init;

	init = (int (*)(void *, uintptr_t, uintptr_t))function;
	seen[0] = init(object, ABOVE, ABOVE); /* a limit of 0 */
	seen[1] = init(object, ABOVE | 2, 1);
	seen[2] = init(object, ABOVE | 1, ABOVE | 2);
	seen[3] = (intptr_t)k_sem_count_get(object);
}

TEST(calls_see_no_more_of_an_argument_than_its_type)
{
	static struct k_sem made_here;

	CHECK_EQ(k_object_access_grant(&made_here, user_prepare(passes_more_than_its_argument,
								&made_here, NULL, NULL)),
		 0);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EINVAL);
	CHECK_EQ(seen[1], -EINVAL);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], 1);
}

typedef intptr_t (*words_t)(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d);

/* As if it had four words, whatever its prototype is. */
static intptr_t with_words(void *function, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)
{
	words_t call = (words_t)function;

	return (int32_t)call(a, b, c, d);
}

static void passes_more_numbers(void *stack, void *msgq, void *p3)
{
	const uintptr_t no_wait = 0;

	seen[0] = with_words((void *)k_stack_alloc_init, (uintptr_t)stack, ABOVE, 0, 0);
	seen[1] = with_words((void *)k_msgq_alloc_init, (uintptr_t)msgq, 4, ABOVE | 2, 0);
	seen[2] = with_words((void *)k_msgq_peek_at, (uintptr_t)&queued, (uintptr_t)&message, ABOVE,
			     0);
	seen[3] = with_words((void *)k_futex_wait, (uintptr_t)&futex, ABOVE, no_wait, 0);
	seen[4] = k_futex_wait(&futex, 0, K_NO_WAIT);
	seen[5] = with_words((void *)k_poll, (uintptr_t)&message, ABOVE, no_wait, 0);
	seen[6] = k_poll(NULL, 0, K_NO_WAIT);
	(void)with_words((void *)k_busy_wait, ABOVE | 1, 0, 0, 0);
	seen[7] = 1;
}

TEST(calls_see_no_more_of_a_number_than_its_type)
{
	static struct k_stack stack;
	static struct k_msgq msgq;
	uint32_t first = 0x1234;

	k_msgq_purge(&queued);
	CHECK_EQ(k_msgq_put(&queued, &first, K_NO_WAIT), 0);
	k_thread_access_grant(user_prepare(passes_more_numbers, &stack, &msgq, NULL), &stack, &msgq,
			      &queued);
	k_thread_system_pool_assign(&user_thread);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EINVAL);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(k_msgq_num_free_get(&msgq), 2);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ((intptr_t)message, 0x1234);
	CHECK_EQ(seen[3], seen[4]);
	CHECK_EQ(seen[5], seen[6]);
	CHECK_EQ(seen[7], 1);
	CHECK_EQ(k_msgq_cleanup(&msgq), 0);
	k_object_free(&stack);
	k_object_free(&msgq);
}

static void passes_more_rights(void *self, void *p2, void *p3)
{
	const uintptr_t sem = (uintptr_t)&passed_on;
	const uintptr_t other = (uintptr_t)&other_thread;

	(void)with_words((void *)k_thread_priority_set, (uintptr_t)self, ABOVE | (USER_PRIO + 1), 0,
			 0);
	seen[0] = k_thread_priority_get(self);
	seen[1] = with_words((void *)k_object_grant_, sem, ABOVE | K_OBJ_SEM, sizeof(struct k_sem),
			     other);
	(void)with_words((void *)k_object_revoke_, sem, ABOVE | K_OBJ_SEM, other, 0);
	seen[2] = 1;
	(void)with_words((void *)k_object_release_, sem, ABOVE | K_OBJ_SEM, 0, 0);
	seen[3] = 1;
	k_sem_give(&passed_on);
	seen[4] = 1;
}

TEST(calls_see_no_more_of_a_kind_or_a_priority_than_its_type)
{
	(void)k_sem_init(&passed_on, 0, 1);
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, passes_more_numbers,
			      NULL, NULL, NULL, USER_PRIO + 1, K_USER, K_FOREVER);
	k_thread_access_grant(user_prepare(passes_more_rights, &user_thread, NULL, NULL),
			      &passed_on, &other_thread);
	CHECK(!user_finish()); /* it has released it */
	CHECK_EQ(seen[0], USER_PRIO + 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], 1);
	CHECK_EQ(seen[4], 0);
	CHECK_EQ(k_sem_count_get(&passed_on), 0);
	k_thread_abort(&other_thread);
}

/* Where no instruction does it: across two words an interrupt would see half of one. */
static void adds_to(void *target, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = atomic_add(target, 1);
	seen[2] = 1;
}

TEST(arguments_an_atomic_word_is_aligned)
{
	if (__GCC_ATOMIC_LONG_LOCK_FREE == 2) { /* the core's own matter */
		return;
	}
	CHECK(user_run(adds_to, (void *)(uintptr_t)&seen[3], NULL, NULL));
	CHECK_EQ(seen[3], 1);
	CHECK(!user_run(adds_to, (char *)(uintptr_t)&seen[3] + 1, NULL, NULL));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], 0);
}

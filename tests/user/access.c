/* SPDX-License-Identifier: Apache-2.0 */
/* Which pointers a user thread gets past the boundary: the exact object that it may use. */
#include <board.h>
#include "device.h"
#include "kernel/access/object_rights.h"
#include "pool.h"
#include "lib/string.h"
#include "user.h"

static K_SEM_DEFINE(sem, 5, 10);
static K_SEM_DEFINE(public_sem, 0, 10);
static struct k_sem fresh; /* known, and not initialised */
static K_SEM_DEFINE(awaited, 0, 1);
static K_MUTEX_DEFINE(mutex);
static K_CONDVAR_DEFINE(condvar);
K_STACK_DEFINE(words, 8);

static void gives(void *object, void *p2, void *p3)
{
	seen[0] = 1;
	k_sem_give(object);
	seen[1] = 1;
}

/* Does a user thread that may use `sem`, `words` and `mutex` get through with this one? */
static bool passes(const void *object)
{
	bool passed;

	k_thread_access_grant(user_prepare(gives, (void *)(uintptr_t)object, NULL, NULL), &sem,
			      &words, &mutex);
	passed = user_finish();
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], passed);
	if (!passed) {
		CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	}
	return passed;
}

static void without_access(void *object, void *p2, void *p3)
{
	gives(object, NULL, NULL);
}

TEST(access_only_what_was_granted)
{
	k_sem_reset(&sem);
	CHECK(!user_run(without_access, &sem, NULL, NULL));
	CHECK(passes(&sem));
	CHECK_EQ(k_sem_count_get(&sem), 1);
	k_sem_reset(&sem);
	/* The thread is another one, in the same block: it has nothing of its predecessor's. */
	CHECK(!user_run(without_access, &sem, NULL, NULL));
	CHECK_EQ(k_sem_count_get(&sem), 0);
}

TEST(access_forged_pointers)
{
	CHECK(!passes(NULL));
	CHECK(!passes((void *)UINTPTR_MAX));
	CHECK(!passes((char *)&sem + 1));
	CHECK(!passes((char *)&sem + 4));
	CHECK(!passes((void *)((uintptr_t)&sem - 4)));
	CHECK(!passes(&mutex)); /* of another type */
	CHECK(!passes(&words));
	CHECK(!passes(&user_thread));
	CHECK(!passes(user_stack));
	CHECK(!passes(&public_sem)); /* nobody has granted it, so nobody knows it */
	CHECK(!passes((void *)A_DEVICE));
	CHECK(!passes((void *)BOARD_RAM_BASE));
	CHECK(!passes((void *)(BOARD_RAM_BASE - 4)));
	CHECK(!passes((void *)(BOARD_RAM_BASE + BOARD_RAM_SIZE - 12)));
	CHECK(!passes((void *)(BOARD_RAM_BASE + BOARD_RAM_SIZE)));
	CHECK(!passes((void *)(uintptr_t)k_sem_give));
	CHECK(!passes(&k_cpu));
}

static K_APP_BMEM(shared) struct k_sem copy;

/* In no domain yet, as one's own may be before it is added; and plain memory that is in one. */
K_APPMEM_PARTITION_DEFINE(unassigned);
static K_APP_BMEM(unassigned) struct k_sem in_unassigned;
static char given[4 * SMALL_PART] __aligned(4 * SMALL_PART);

/* A copy, index and all, in memory that the thread may write; and every index there is. */
TEST(access_an_object_in_user_memory_is_none)
{
	CHECK(passes(&sem));
	copy = sem;
	for (unsigned int i = 0; i < 70; i++) {
		copy.object_tag.index = (uint16_t)i;
		CHECK(!passes(&copy));
	}
	copy.object_tag.index = UINT16_MAX;
	CHECK(!passes(&copy));
	CHECK_EQ(k_object_access_grant(&copy, &user_thread), -EINVAL);
	CHECK_EQ(k_object_access_grant((struct k_sem *)(user_stack + 1200), &user_thread), -EINVAL);
}

TEST(access_an_object_is_none_in_memory_that_a_domain_may_be_given)
{
	struct k_mem_partition part = {(uintptr_t)given, sizeof(given), K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_domain *domain = user_thread.user.domain;

	CHECK_EQ(k_object_access_grant(&in_unassigned, &user_thread), -EINVAL);
	CHECK_EQ(k_mem_domain_add_partition(domain, &part), 0);
	CHECK_EQ(k_object_access_grant((struct k_sem *)given, &user_thread), -EINVAL);
	CHECK_EQ(k_mem_domain_remove_partition(domain, &part), 0);
	/* No object at all has no entry either, though there are free ones. */
	CHECK_EQ(k_object_grant_(NULL, K_OBJ_ANY, 0, &user_thread), -EINVAL);
	CHECK_EQ(k_object_grant_(NULL, K_OBJ_SEM, 0, &user_thread), -EINVAL);
	CHECK_EQ(k_object_grant_(&sem, K_OBJ_LAST_, 0, &user_thread), -EINVAL);
}

/* Words of the thread's choice in kernel memory: a stack's, which look like an object with its index. */
static void forges(void *index, void *p2, void *p3)
{
	seen[0] = 1;
	for (int i = 0; i < 8; i++) {
		(void)k_stack_push(&words, (uintptr_t)index | 1U << 16);
	}
	k_sem_give((struct k_sem *)p2);
	seen[1] = 1;
}

TEST(access_words_in_kernel_memory_that_look_like_an_object)
{
	for (uintptr_t i = 0; i < 8; i++) {
		k_thread_access_grant(user_prepare(forges, (void *)i, words.base + 1, NULL), &sem,
				      &words);
		CHECK(!user_finish());
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
		k_stack_init(&words, words.base, 8);
	}
}

static void inits(void *object, void *p2, void *p3)
{
	seen[0] = k_sem_init(object, 1, 2);
	seen[1] = k_sem_take(object, K_NO_WAIT);
	seen[2] = k_sem_init(object, 2, 3);
	seen[3] = (intptr_t)k_sem_count_get(object);
	seen[4] = k_sem_init(object, 4, 3); /* nothing of it is taken */
	seen[5] = k_sem_init(object, 0, 0);
	seen[6] = (intptr_t)k_sem_count_get(object);
	seen[7] = 1;
}

TEST(access_an_object_is_used_when_it_is_initialised)
{
	k_thread_access_grant(user_prepare(gives, &fresh, NULL, NULL), &fresh);
	CHECK(!user_finish());
	k_thread_access_grant(user_prepare(inits, &fresh, NULL, NULL), &fresh);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], 2);
	CHECK_EQ(seen[4], -EINVAL);
	CHECK_EQ(seen[5], -EINVAL);
	CHECK_EQ(seen[6], 2);
	CHECK_EQ(seen[7], 1);
	CHECK(!user_run(inits, &fresh, NULL, NULL)); /* who has no access does not */
	CHECK_EQ(k_sem_count_get(&fresh), 2);
	/* In kernel mode as often as one likes, and it stays known. */
	CHECK_EQ(k_sem_init(&fresh, 0, 1), 0);
	k_thread_access_grant(user_prepare(gives, &fresh, NULL, NULL), &fresh);
	CHECK(user_finish());
	CHECK_EQ(k_sem_count_get(&fresh), 1);
}

static volatile int taken[3];

static void takes_as(void *place)
{
	*(volatile int *)place = k_sem_take(&awaited, K_FOREVER);
}

static void inits_awaited(void *p1, void *p2, void *p3)
{
	seen[0] = k_sem_init(&awaited, 1, 5);
	seen[1] = k_sem_take(&awaited, K_NO_WAIT);
	seen[2] = k_sem_take(&awaited, K_NO_WAIT);
}

/* Zephyr forgets who waits; here they are told, and the lists are whole. */
TEST(access_a_semaphore_that_is_awaited_may_be_initialised_again)
{
	/* Bound: three. */
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++) {
		taken[i] = 1;
		(void)start(takes_as, (void *)(uintptr_t)&taken[i], USER_PRIO - 1);
	}
	k_thread_access_grant(user_prepare(inits_awaited, NULL, NULL, NULL), &awaited);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], -EBUSY);
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++) {
		CHECK_EQ(taken[i], -EAGAIN);
	}
	CHECK(awaited.wait_q.head == NULL);
	taken[0] = 1;
	(void)start(takes_as, (void *)(uintptr_t)&taken[0], USER_PRIO - 1);
	k_sem_give(&awaited);
	CHECK_EQ(taken[0], 0);
}

static void inits_mutex(void *p1, void *p2, void *p3)
{
	seen[0] = k_mutex_init(&mutex) | k_condvar_init(&condvar);
	seen[1] = k_mutex_lock(&mutex, K_NO_WAIT);
	seen[2] = 1;
	(void)k_mutex_init(&mutex);
	seen[3] = 1;
}

static void waits_at_condvar(void *place)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	*(volatile int *)place = k_condvar_wait(&condvar, &mutex, K_FOREVER);
	(void)k_mutex_unlock(&mutex);
}

TEST(access_a_mutex_that_is_held_is_not_initialised_and_who_waits_at_a_condvar_stays)
{
	taken[0] = 1;
	(void)start(waits_at_condvar, (void *)(uintptr_t)&taken[0], USER_PRIO - 1);
	k_thread_access_grant(user_prepare(inits_mutex, NULL, NULL, NULL), &mutex, &condvar);
	CHECK(!user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(taken[0], 1);
	CHECK_EQ(k_mutex_init(&mutex), 0); /* its owner has ended */
	CHECK_EQ(k_condvar_signal(&condvar), 0);
	CHECK_EQ(taken[0], 0);
}

static void inits_event(void *event, void *p2, void *p3)
{
	k_event_init(event);
	seen[0] = 1;
	k_event_init(event);
	seen[1] = 1;
}

/* As in Zephyr: an event, a queue, and what has a buffer, are initialised once. */
TEST(access_an_event_is_initialised_once)
{
	static struct k_event fresh_event;

	k_thread_access_grant(user_prepare(inits_event, &fresh_event, NULL, NULL), &fresh_event);
	CHECK(!user_finish());
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	k_object_free(&fresh_event);
}

/* Memory that was another object's, or looks so: by being initialised it makes nothing ready but itself. */
TEST(access_an_object_that_is_initialised_makes_no_other_one_ready)
{
	static struct k_sem uninitialised;
	static struct k_sem where_it_was;

	k_thread_access_grant(user_prepare(gives, &uninitialised, NULL, NULL), &uninitialised);
	where_it_was = uninitialised;
	CHECK_EQ(k_sem_init(&where_it_was, 0, 1), 0);
	CHECK_EQ(where_it_was.object_tag.index, uninitialised.object_tag.index);
	CHECK(!user_finish());
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(k_sem_count_get(&uninitialised), 0);
	where_it_was.object_tag.index = UINT16_MAX; /* nor what no table has */
	CHECK_EQ(k_sem_init(&where_it_was, 0, 1), 0);
	k_object_free(&uninitialised);
}

/* An object of another kind, behind which words lie that a thread would have: a message queue's buffer, say. */
static union {
	struct k_sem sem;
	struct k_thread looks_so;
} no_thread;

static void asks_a_thread(void *thread, void *p2, void *p3)
{
	seen[0] = 1;
	seen[2] = k_thread_priority_get(thread);
	seen[1] = 1;
}

static void passes_to_a_thread(void *thread, void *p2, void *p3)
{
	seen[0] = 1;
	seen[2] = k_object_access_grant(&sem, (struct k_thread *)thread);
	seen[1] = 1;
}

static void takes_from_a_thread(void *thread, void *p2, void *p3)
{
	seen[0] = 1;
	k_object_access_revoke(&sem, (struct k_thread *)thread);
	seen[1] = 1;
}

TEST(access_an_object_that_looks_like_a_thread_is_none)
{
	static const k_thread_entry_t each[] = {asks_a_thread, passes_to_a_thread,
						takes_from_a_thread};

	BUILD_ASSERT(offsetof(struct k_thread, object_tag) >= sizeof(struct k_sem), "both tags");

	CHECK_EQ(k_sem_init(&no_thread.sem, 0, 1), 0);
	for (size_t i = 0; i < ARRAY_SIZE(each); i++) {
		k_thread_access_grant(user_prepare(each[i], &no_thread, NULL, NULL), &no_thread.sem,
				      &sem);
		no_thread.looks_so.object_tag = no_thread.sem.object_tag;
		CHECK(!user_finish());
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
	}
	/* Nor for a kernel thread, whose arguments nobody looks at. */
	memset(no_thread.looks_so.user.grants, 0xff, sizeof(no_thread.looks_so.user.grants));
	k_object_access_revoke(&sem, &no_thread.looks_so);
	for (size_t i = 0; i < ARRAY_SIZE(no_thread.looks_so.user.grants); i++) {
		CHECK_EQ(no_thread.looks_so.user.grants[i], UINT32_MAX);
	}
	k_object_free(&no_thread.sem);
}

/* Asked by a kernel thread, about its own access. */
TEST(access_is_told_of_exactly)
{
	static struct k_sem never_ready;
	static struct k_mutex nobodys;
	k_tid_t caller = k_current_get();

	(void)k_mutex_init(&nobodys);
	CHECK(!k_object_is_valid(&nobodys, K_OBJ_MUTEX));
	k_thread_access_grant(caller, &sem, &never_ready, caller);
	CHECK(k_object_is_valid(&sem, K_OBJ_SEM));
	CHECK(k_object_is_valid(&sem, K_OBJ_ANY));
	CHECK(k_object_is_valid(caller, K_OBJ_THREAD));
	CHECK(!k_object_is_valid(&sem, K_OBJ_MUTEX));
	CHECK(!k_object_is_valid(&sem, K_OBJ_LAST_));
	CHECK(!k_object_is_valid((char *)&sem + 4, K_OBJ_SEM));
	CHECK(!k_object_is_valid(NULL, K_OBJ_SEM));
	CHECK(!k_object_is_valid((void *)UINTPTR_MAX, K_OBJ_SEM));
	CHECK(!k_object_is_valid(&never_ready, K_OBJ_SEM));
	CHECK_EQ(k_sem_init(&never_ready, 0, 1), 0);
	CHECK(k_object_is_valid(&never_ready, K_OBJ_SEM));
	k_object_access_revoke(&sem, caller);
	CHECK(!k_object_is_valid(&sem, K_OBJ_SEM));
	CHECK_EQ(k_object_access_all_grant(&public_sem), 0);
	CHECK(k_object_is_valid(&public_sem, K_OBJ_SEM));
	k_object_free(&never_ready);
	CHECK(!k_object_is_valid(&never_ready, K_OBJ_SEM));
}

#define FOUR(object)    object, object, object, object
#define SIXTEEN(object) FOUR(object), FOUR(object), FOUR(object), FOUR(object)

TEST(access_is_granted_to_any_number_of_objects_at_once)
{
	k_thread_access_grant(user_prepare(gives, &sem, NULL, NULL), SIXTEEN(&words),
			      SIXTEEN(&words), SIXTEEN(&mutex), FOUR(&words), FOUR(&mutex),
			      FOUR(&words), (void *)&mutex, &user_thread, &sem);
	CHECK(user_finish());
}

static void grants_wrongly(void *object)
{
	seen[0] = 1;
	k_thread_access_grant(&user_thread, &words, (struct k_sem *)object, &mutex);
	seen[0] = 2;
}

/* Of what cannot be granted nobody reads a result: its caller ends there. */
TEST(access_that_is_not_granted_ends_who_wanted_to_grant_it)
{
	(void)user_prepare(gives, &mutex, NULL, NULL);
	fatal_is_expected = true;
	(void)start(grants_wrongly, &copy, USER_PRIO - 1);
	fatal_is_expected = false;
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK(!object_is_granted(&user_thread, object_find(&mutex, K_OBJ_MUTEX)));
	(void)start(grants_wrongly, &sem, USER_PRIO - 1);
	CHECK_EQ(seen[0], 2);
	CHECK(object_is_granted(&user_thread, object_find(&mutex, K_OBJ_MUTEX)));
	k_thread_abort(&user_thread);
}

TEST(access_that_is_revoked_is_gone)
{
	k_thread_access_grant(user_prepare(gives, &sem, NULL, NULL), &sem);
	k_object_access_revoke(&sem, &user_thread);
	CHECK(!user_finish());
	k_thread_access_grant(user_prepare(gives, &sem, NULL, NULL), &sem);
	k_object_access_revoke((const void *)&sem, &user_thread);
	CHECK(!user_finish());
}

static void gives_what_is_no_object(void *object, void *p2, void *p3)
{
	k_thread_access_grant(k_current_get(), (struct k_sem *)object);
	seen[0] = 1;
}

TEST(access_that_a_user_cannot_grant_ends_it)
{
	CHECK(!user_run(gives_what_is_no_object, &copy, NULL, NULL));
	CHECK_EQ(seen[0], 0);
}

TEST(access_for_all_is_for_those_that_come_later)
{
	CHECK_EQ(k_object_access_all_grant(&copy), -EINVAL);
	CHECK_EQ(k_object_access_all_grant(&public_sem), 0);
	CHECK(user_run(gives, &public_sem, NULL, NULL));
	CHECK_EQ(k_sem_count_get(&public_sem), 1);
	k_object_free(&public_sem);
	CHECK(!user_run(gives, &public_sem, NULL, NULL));
}

TEST(access_an_object_that_is_freed_is_none_and_its_entry_is_granted_to_nobody)
{
	static struct k_sem first, next;

	CHECK_EQ(k_object_access_grant(&sem, &other_thread), 0); /* who is known, too */
	CHECK_EQ(k_sem_init(&first, 0, 1), 0);
	CHECK_EQ(k_sem_init(&next, 0, 1), 0);
	k_thread_access_grant(user_prepare(gives, &next, NULL, NULL), &first);
	k_object_free(&first);
	CHECK_EQ(k_object_access_grant(&next, &other_thread), 0);
	CHECK_EQ(next.object_tag.index, first.object_tag.index);
	CHECK(!user_finish());
	CHECK(!user_run(gives, &first, NULL, NULL));
	k_object_free(&next);
}

static void enters(void *object, void *p2, void *p3)
{
	k_thread_user_mode_enter(gives, object, NULL, NULL);
}

/* A kernel thread, whose rights nobody looks at, is named for the first time: what its block held before are none. */
TEST(access_a_block_that_was_anything_has_no_rights_when_it_is_named)
{
	static struct k_thread block;

	(void)user_prepare(gives, NULL, NULL, NULL);
	CHECK_EQ(k_object_access_grant(&sem, k_current_get()), 0); /* so it has an entry */
	memset(&block, 0xff, sizeof(block));
	(void)k_thread_create(&block, other_stack, USER_STACK_SIZE, enters, &sem, NULL, NULL,
			      USER_PRIO, 0, K_FOREVER);
	CHECK_EQ(k_mem_domain_add_thread(user_thread.user.domain, &block), 0);
	CHECK_EQ(k_object_access_grant(&mutex, &block), 0);
	k_sem_reset(&sem);
	k_thread_start(&block);
	CHECK_EQ(k_thread_join(&block, K_FOREVER), 0);
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK_EQ(k_sem_count_get(&sem), 0);
	k_object_free(&block);
	k_thread_abort(&user_thread);
}

static void begets(void *object, void *domain, void *p3)
{
	(void)k_thread_create(&user_thread, user_stack, USER_STACK_SIZE, gives, object, NULL, NULL,
			      USER_PRIO, K_USER | K_INHERIT_PERMS, K_FOREVER);
	(void)k_mem_domain_add_thread(domain, &user_thread);
}

/* Nor does it pass on what it never had: a creator that nobody has named. */
TEST(access_of_a_creator_that_has_none_is_not_inherited)
{
	static struct k_thread block;
	struct k_mem_domain *domain = user_prepare(gives, NULL, NULL, NULL)->user.domain;

	k_thread_abort(&user_thread);
	CHECK_EQ(k_object_access_grant(&sem, k_current_get()), 0);
	memset(&block, 0xff, sizeof(block));
	(void)k_thread_create(&block, other_stack, USER_STACK_SIZE, begets, &sem, domain, NULL,
			      USER_PRIO, 0, K_NO_WAIT);
	CHECK_EQ(k_thread_join(&block, K_FOREVER), 0);
	k_sem_reset(&sem);
	CHECK(!user_finish());
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(k_sem_count_get(&sem), 0);
}

static void passes_on(void *object, void *thread, void *p3)
{
	seen[0] = k_object_access_grant((struct k_sem *)object, (struct k_thread *)thread);
	k_object_release((struct k_sem *)object);
	seen[1] = 1;
	k_sem_give(object);
	seen[2] = 1;
}

TEST(access_is_passed_on_by_who_has_it)
{
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, gives, &sem, NULL, NULL,
			      USER_PRIO, K_USER, K_FOREVER);
	(void)user_prepare(passes_on, &sem, &other_thread, NULL);
	CHECK(!user_finish()); /* neither to the thread nor of the semaphore */
	(void)user_prepare(passes_on, &sem, &other_thread, NULL);
	CHECK_EQ(k_object_access_grant(&sem, &user_thread), 0);
	CHECK(!user_finish()); /* not to that thread */
	(void)user_prepare(passes_on, &sem, &other_thread, NULL);
	CHECK_EQ(k_object_access_grant(&other_thread, &user_thread), 0);
	CHECK(!user_finish()); /* not of the semaphore */
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 0);
	k_thread_access_grant(user_prepare(passes_on, &sem, &other_thread, NULL), &sem,
			      &other_thread);
	(void)k_mem_domain_add_thread(user_thread.user.domain, &other_thread);
	CHECK(!user_finish()); /* at the last call: it has given up its own */
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[2], 0);
	k_sem_reset(&sem);
	k_thread_start(&other_thread);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
	CHECK_EQ(k_sem_count_get(&sem), 1);
}

static void child_gives(void *object, void *p2, void *p3)
{
	k_sem_give(object);
}

TEST(access_is_inherited_where_that_is_asked_for)
{
	k_sem_reset(&sem);
	for (uint32_t options = K_USER; options <= (K_USER | K_INHERIT_PERMS);
	     options += K_INHERIT_PERMS) {
		CHECK_EQ(k_object_access_grant(&sem, k_current_get()), 0);
		fatal_count = 0;
		(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, child_gives,
				      &sem, NULL, NULL, USER_PRIO, options, K_NO_WAIT);
		CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
		CHECK_EQ(fatal_count, options == K_USER ? 1 : 0);
	}
	CHECK_EQ(k_sem_count_get(&sem), 1);
}

static void makes_a_child(void *object, void *options, void *p3)
{
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, child_gives, object,
			      NULL, NULL, USER_PRIO, (uint32_t)(uintptr_t)options, K_NO_WAIT);
	seen[0] = k_thread_join(&other_thread, K_FOREVER);
	seen[1] = 1;
}

TEST(access_of_a_user_thread_is_inherited_where_that_is_asked_for)
{
	k_sem_reset(&sem);
	for (uint32_t options = K_USER; options <= (K_USER | K_INHERIT_PERMS);
	     options += K_INHERIT_PERMS) {
		k_thread_abort(&other_thread);
		(void)user_prepare(makes_a_child, &sem, (void *)(uintptr_t)options, NULL);
		k_thread_access_grant(&user_thread, &sem, &other_thread, &other_stack);
		CHECK_EQ(user_finish(), options != K_USER); /* else the child did not */
		CHECK_EQ(seen[0], 0);
		CHECK_EQ(seen[1], 1);
	}
	CHECK_EQ(k_sem_count_get(&sem), 1);
}

static void allocates_a_sem(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = (intptr_t)k_object_alloc(K_OBJ_SEM);
}

static void grants_to_all(void *object)
{
	seen[0] = 1;
	k_thread_access_grant(k_current_get(), (struct k_sem *)object);
	seen[0] = 2;
}

TEST(access_the_table_of_objects_has_an_end)
{
	static struct k_sem many[CONFIG_USER_OBJECTS + 1];
	static struct k_thread never_named;
	size_t before;
	int n = 0;

	k_thread_abort(&other_thread);
	(void)k_thread_create(&never_named, other_stack, USER_STACK_SIZE, allocates_a_sem, NULL,
			      NULL, NULL, USER_PRIO - 1, 0, K_FOREVER);

	while (n <= CONFIG_USER_OBJECTS && k_object_access_grant(&many[n], k_current_get()) == 0) {
		n++;
	}
	CHECK(n > 10);
	CHECK(n < CONFIG_USER_OBJECTS);
	CHECK_EQ(k_object_access_grant(&many[n], k_current_get()), -ENOMEM);
	before = pool_free();
	CHECK(k_object_alloc(K_OBJ_SEM) == NULL);
	CHECK_EQ(pool_free(), before);
	/* Nor has it an entry for a thread that is named by what it does, or that is given something. */
	CHECK_EQ(k_object_access_grant(&many[0], &never_named), -ENOMEM);
	seen[0] = 0;
	seen[1] = -1;
	k_thread_start(&never_named);
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(pool_free(), before);
	fatal_is_expected = true;
	(void)start(grants_to_all, &many[n], USER_PRIO - 1);
	fatal_is_expected = false;
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	while (n > 0) {
		k_object_free(&many[--n]);
	}
	CHECK_EQ(k_object_access_grant(&many[0], k_current_get()), 0);
	k_object_free(&many[0]);
}

static void calls_number(void *number, void *p2, void *p3)
{
	seen[0] = 1;
#if defined(__riscv)
	register uintptr_t a7 __asm__("a7") = (uintptr_t)number;

	__asm__ volatile("la ra, 1f\n\tecall\n1:"
			 : "+r"(a7)::"ra", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "t0", "t1",
			   "t2", "t3", "t4", "t5", "t6", "memory");
#elif defined(__aarch64__)
	register uintptr_t x8 __asm__("x8") = (uintptr_t)number;

	__asm__ volatile("adr x30, 1f\n\tsvc #0\n1:"
			 : "+r"(x8)::"x30", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x9",
			   "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "cc", "memory");
#elif __STDC_HOSTED__
	__asm__ volatile("call host_system_call"
			 : "+a"(number)::"rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc",
			   "memory");
#elif defined(__x86_64__)
	__asm__ volatile("syscall"
			 : "+a"(number)::"rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc",
			   "memory");
#else
	register uintptr_t r12 __asm__("r12") = (uintptr_t)number;

	__asm__ volatile("adr lr, 1f\n\torr lr, lr, #1\n\tsvc #0\n\t.balign 4\n1:"
			 : "+r"(r12)::"lr", "r0", "r1", "r2", "r3", "cc", "memory");
#endif
	seen[1] = 1;
}

TEST(access_a_call_that_does_not_exist)
{
	static const uintptr_t numbers[] = {1000, 0x80000000U, 0x3fffffffU, 0x40000000U,
					    UINTPTR_MAX};

	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		CHECK(!user_run(calls_number, (void *)numbers[i], NULL, NULL));
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
	}
}

TEST(access_is_to_objects_that_there_can_be)
{
	static struct k_sem of_no_kind;

	(void)k_sem_init(&of_no_kind, 0, 1);
	(void)user_prepare(gives, &of_no_kind, NULL, NULL);
	CHECK_EQ(k_object_grant_(&of_no_kind, K_OBJ_ANY, 0, &user_thread), -EINVAL);
	CHECK_EQ(k_object_grant_(&of_no_kind, K_OBJ_LAST_, 0, &user_thread), -EINVAL);
	CHECK_EQ(k_object_grant_(&of_no_kind, K_OBJ_LAST_ + 100, 0, &user_thread), -EINVAL);
	/* Nor to what is no memory, or partly, or not aligned. */
	CHECK_EQ(k_object_grant_((char *)&of_no_kind + 1, K_OBJ_SEM, 0, &user_thread), -EINVAL);
	CHECK_EQ(k_object_grant_((void *)(BOARD_RAM_BASE - 64), K_OBJ_SEM, 0, &user_thread),
		 -EINVAL);
	CHECK_EQ(k_object_grant_((void *)(BOARD_RAM_BASE + BOARD_RAM_SIZE - 4), K_OBJ_SEM, 0,
				 &user_thread),
		 -EINVAL);
	CHECK(!user_finish());
	CHECK_EQ(k_sem_count_get(&of_no_kind), 0);
}

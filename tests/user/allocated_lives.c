/* SPDX-License-Identifier: Apache-2.0 */
/* Who keeps an allocated object: rights, calls that are under way, threads that end; and what comes after it. */
#include "pool.h"
#include "kernel/access/object_rights.h"
#include <string.h>

static void gives(void *object, void *p2, void *p3)
{
	seen[0] = 1;
	k_sem_give(object);
	seen[1] = 1;
}

/* A kernel thread makes one, passes it on, and gives it up: the user's right keeps it, and no more. */
TEST(allocated_object_lives_as_long_as_anybody_may_use_it)
{
	size_t before = pool_free();
	struct k_sem *sem;

	sem = k_object_alloc(K_OBJ_SEM);
	CHECK_EQ(k_sem_init(sem, 0, 1), 0);
	k_thread_access_grant(user_prepare(gives, sem, NULL, NULL), sem);
	k_object_release(sem);
	CHECK(pool_free() < before);
	CHECK(user_finish());
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(pool_free(), before);
	/* Its place is another one's now, and the old right is of no use. */
	(void)user_prepare(gives, sem, NULL, NULL);
	CHECK(k_object_alloc(K_OBJ_SEM) == sem);
	CHECK_EQ(k_sem_init(sem, 0, 1), 0);
	CHECK(!user_finish());
	CHECK_EQ(k_sem_count_get(sem), 0);
	k_object_release(sem);
	CHECK_EQ(pool_free(), before);
}

static void takes(void *object, void *p2, void *p3)
{
	seen[2] = 1;
	seen[3] = k_sem_take(object, K_FOREVER);
	seen[4] = 1;
	(void)k_sem_take(object, K_NO_WAIT);
	seen[5] = 1;
}

/* The last right goes, or the object, while its thread waits for it; another one does not get its place. */
static void take_away_while_it_waits(bool by_free)
{
	size_t before = pool_free();
	struct k_sem *sem = k_object_alloc(K_OBJ_SEM);
	struct k_sem *other;

	CHECK_EQ(k_sem_init(sem, 0, 1), 0);
	k_thread_access_grant(user_prepare(takes, sem, NULL, NULL), sem);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(2));
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[4], 0);
	k_object_release(sem);
	if (by_free) {
		k_object_free(sem);
	} else {
		k_object_access_revoke(sem, &user_thread);
	}
	CHECK(pool_free() < before);
	other = k_object_alloc(K_OBJ_SEM);
	CHECK(other != sem);
	k_sem_give(sem);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(seen[4], 1);
	CHECK_EQ(seen[5], 0); /* the next call is refused */
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	k_object_release(other);
	CHECK_EQ(pool_free(), before);
}

TEST(allocated_object_stays_for_who_waits_for_it_though_its_right_is_revoked)
{
	take_away_while_it_waits(false);
	take_away_while_it_waits(true);
}

TEST(allocated_object_is_freed_when_who_waits_for_it_is_aborted)
{
	size_t before = pool_free();
	struct k_sem *sem = k_object_alloc(K_OBJ_SEM);

	CHECK_EQ(k_sem_init(sem, 0, 1), 0);
	k_thread_access_grant(user_prepare(takes, sem, NULL, NULL), sem);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(2));
	k_object_release(sem);
	CHECK(pool_free() < before);
	k_thread_abort(&user_thread);
	CHECK_EQ(pool_free(), before);
}

static void joins(void *thread, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = k_thread_join(thread, K_FOREVER);
	seen[2] = 1;
	(void)k_thread_join(thread, K_NO_WAIT);
	seen[3] = 1;
}

static void sleeps(void *p1, void *p2, void *p3)
{
	k_sleep(K_FOREVER);
}

/* It ends, and the last right to it goes, when who was in a call with it has yet to run. */
TEST(allocated_thread_stays_for_who_joins_it_though_its_right_is_revoked)
{
	size_t before = pool_free();
	struct k_thread *thread = k_object_alloc(K_OBJ_THREAD);
	void *other;

	(void)k_thread_create(thread, other_stack, USER_STACK_SIZE, sleeps, NULL, NULL, NULL,
			      USER_PRIO, K_USER, K_NO_WAIT);
	k_thread_access_grant(user_prepare(joins, thread, NULL, NULL), thread);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(2));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[2], 0);
	k_object_release(thread);
	k_thread_abort(thread);
	k_object_access_revoke(thread, &user_thread);
	CHECK_EQ(seen[2], 0);
	other = k_object_alloc(K_OBJ_SEM);
	CHECK(other != thread);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], 0); /* the next call is refused */
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	k_object_release(other);
	CHECK_EQ(pool_free(), before);
}

static void waits_for_two(void *condvar, void *mutex, void *p3)
{
	(void)k_mutex_lock(mutex, K_FOREVER);
	seen[0] = 1;
	seen[1] = k_condvar_wait(condvar, mutex, K_FOREVER);
	seen[2] = 1;
}

/* Both objects of one call are held by it. */
TEST(allocated_objects_of_one_call_both_stay)
{
	size_t before = pool_free();
	struct k_condvar *condvar = k_object_alloc(K_OBJ_CONDVAR);
	struct k_mutex *mutex = k_object_alloc(K_OBJ_MUTEX);
	void *others[2];

	CHECK((void *)condvar < (void *)mutex);
	CHECK_EQ(k_condvar_init(condvar), 0);
	CHECK_EQ(k_mutex_init(mutex), 0);
	k_thread_access_grant(user_prepare(waits_for_two, condvar, mutex, NULL), condvar, mutex);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(2));
	CHECK_EQ(seen[0], 1);
	k_object_free(condvar);
	k_object_free(mutex);
	others[0] = k_object_alloc(K_OBJ_CONDVAR);
	others[1] = k_object_alloc(K_OBJ_MUTEX);
	CHECK(others[0] > (void *)mutex || others[0] < (void *)condvar);
	CHECK(others[1] > (void *)mutex || others[1] < (void *)condvar);
	CHECK_EQ(k_condvar_signal(condvar), 0);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 1);
	k_object_free(others[0]);
	k_object_free(others[1]);
	CHECK_EQ(pool_free(), before);
}

static void ends_badly(void *p1, void *p2, void *p3)
{
	seen[0] = k_object_alloc(K_OBJ_THREAD) != NULL;
	*(volatile int *)p1 = 1;
}

TEST(allocated_objects_of_a_thread_that_faults_are_freed)
{
	static int precious;
	size_t before = pool_free();

	(void)prepare_with_pool(ends_badly, &precious, NULL, NULL);
	CHECK(!user_finish());
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(pool_free(), before);
}

TEST(allocated_object_that_is_everybodys_stays)
{
	size_t before = pool_free();
	struct k_sem *sem = k_object_alloc(K_OBJ_SEM);

	CHECK_EQ(k_sem_init(sem, 0, 2), 0);
	CHECK_EQ(k_object_access_all_grant(sem), 0);
	CHECK_EQ(k_object_access_all_grant(sem), 0);
	k_object_release(sem);
	CHECK(pool_free() < before);
	CHECK(user_run(gives, sem, NULL, NULL));
	CHECK(user_run(gives, sem, NULL, NULL));
	CHECK_EQ(k_sem_count_get(sem), 2);
	k_object_free(sem);
	CHECK_EQ(pool_free(), before);
	CHECK(!user_run(gives, sem, NULL, NULL));
}

static void enters(void *p1, void *p2, void *p3)
{
	k_sem_take(p2, K_FOREVER);
	k_thread_user_mode_enter(gives, p1, NULL, NULL);
}

/* A kernel thread that has inherited a right: it is taken from it with the object, as from all. */
TEST(allocated_right_that_was_inherited_is_no_right_to_what_comes_after)
{
	static K_SEM_DEFINE(go, 0, 1);
	static struct k_thread heir; /* whom nobody has known before */
	struct k_sem *first = k_object_alloc(K_OBJ_SEM);
	struct k_sem *next;

	(void)user_prepare(gives, NULL, NULL, NULL);
	(void)k_sem_init(first, 0, 1);
	(void)k_thread_create(&heir, other_stack, USER_STACK_SIZE, enters, first, &go, NULL,
			      USER_PRIO, K_INHERIT_PERMS, K_NO_WAIT);
	(void)k_mem_domain_add_thread(user_thread.user.domain, &heir);
	k_sleep(K_TICKS(1));
	k_object_free(first);
	next = k_object_alloc(K_OBJ_SEM);
	CHECK(next == first);
	(void)k_sem_init(next, 0, 1);
	k_sem_give(&go);
	CHECK_EQ(k_thread_join(&heir, K_FOREVER), 0);
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(k_sem_count_get(next), 0);
	k_object_release(next);
	k_thread_abort(&user_thread);
}

/* Both have a reference to each, and nobody reaps in between. */
TEST(allocated_objects_that_two_heirs_leave_at_once_are_freed)
{
	static struct k_thread heirs[2];
	static K_THREAD_STACK_DEFINE(heir_stack, USER_STACK_SIZE);
	struct k_sem *sems[5];
	size_t before;

	(void)user_prepare(gives, NULL, NULL, NULL);
	before = pool_free();
	for (size_t i = 0; i < ARRAY_SIZE(sems); i++) {
		sems[i] = k_object_alloc(K_OBJ_SEM);
		CHECK(sems[i] != NULL);
	}
	for (size_t i = 0; i < ARRAY_SIZE(heirs); i++) {
		(void)k_thread_create(&heirs[i], i == 0 ? other_stack : heir_stack, USER_STACK_SIZE,
				      enters, NULL, NULL, NULL, USER_PRIO, K_INHERIT_PERMS,
				      K_FOREVER);
	}
	for (size_t i = 0; i < ARRAY_SIZE(sems); i++) {
		k_object_release(sems[i]);
	}
	CHECK(pool_free() < before); /* the heirs may use them */
	for (size_t i = 0; i < ARRAY_SIZE(heirs); i++) {
		k_thread_abort(&heirs[i]);
	}
	k_object_release(k_object_alloc(K_OBJ_SEM));
	CHECK_EQ(pool_free(), before);
	k_thread_abort(&user_thread);
	for (size_t i = 0; i < ARRAY_SIZE(heirs); i++) {
		k_object_free(&heirs[i]); /* others need the table, too */
	}
	k_object_free(heir_stack);
}

static void ends_another(void *heir, void *by_join, void *p3)
{
	if (by_join != NULL) {
		seen[0] = k_thread_join(heir, K_FOREVER);
	} else {
		k_thread_abort(heir);
	}
	seen[1] = 1;
	k_sleep(K_FOREVER);
}

static void ends_at_once(void *p1, void *p2, void *p3)
{
}

/*
 * Or the next call of somebody who has nothing to do with it takes longer: docs/security.md. The CPU is never idle, in
 * which case it would be let go anyhow.
 */
static void leave_nothing_to_others(bool by_join)
{
	extern bool user_has_orphans;
	size_t before = pool_free();
	struct k_sem *sem = k_object_alloc(K_OBJ_SEM);
	k_tid_t ender = user_prepare(ends_another, &other_thread, (void *)(uintptr_t)by_join, NULL);

	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, ends_at_once, NULL, NULL,
			      NULL, USER_PRIO + 1, K_USER | K_INHERIT_PERMS,
			      by_join ? K_NO_WAIT : K_FOREVER);
	(void)k_mem_domain_add_thread(ender->user.domain, &other_thread);
	k_thread_access_grant(ender, &other_thread);
	k_object_release(sem);
	CHECK(!user_has_orphans); /* it is the heir's still */
	k_thread_start(ender);
	k_thread_priority_set(k_current_get(), USER_PRIO + 1);
	for (int i = 0; i < 1000 && seen[1] == 0; i++) {
		k_yield();
	}
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[0], 0);
	CHECK(!user_has_orphans);
	k_thread_abort(ender);
	CHECK_EQ(pool_free(), before);
}

TEST(allocated_objects_of_a_thread_are_let_go_by_whoever_aborts_it)
{
	leave_nothing_to_others(false);
}

TEST(allocated_objects_of_a_thread_are_let_go_by_whoever_joins_it)
{
	leave_nothing_to_others(true);
}

/* Its block may be anything by then, and nobody would ever give the reference back. */
TEST(allocated_object_is_not_kept_by_a_right_of_a_thread_that_has_ended)
{
	size_t before = pool_free();
	struct k_sem *sem = k_object_alloc(K_OBJ_SEM);

	(void)user_prepare(gives, sem, NULL, NULL);
	k_thread_abort(&user_thread);
	k_thread_access_grant(&user_thread, sem);
	k_object_release(sem);
	CHECK_EQ(pool_free(), before);
}

static void names_two(void *one, void *other, void *p3)
{
	k_sem_give(one);
	k_sem_give(other);
	seen[0] = 1;
	(void)k_sem_take(one, K_NO_WAIT);
	(void)k_sem_take(one, K_FOREVER);
}

/* In steps, or in one with interrupts masked: its references go, and the next one begins as ever. */
static void end_who_named_two(bool masked)
{
	size_t before = pool_free();
	struct k_sem *one = k_object_alloc(K_OBJ_SEM), *other = k_object_alloc(K_OBJ_SEM);
	unsigned int key;

	CHECK_EQ(k_sem_init(one, 0, 2), 0);
	CHECK_EQ(k_sem_init(other, 0, 2), 0);
	k_thread_access_grant(user_prepare(names_two, one, other, NULL), one, other);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(2));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(user_thread.user.newest_held & 1, 1);
	k_object_release(one);
	k_object_release(other);
	key = masked ? irq_lock() : 0;
	k_thread_abort(&user_thread);
	if (masked) {
		irq_unlock(key);
	}
	CHECK_EQ(user_thread.user.both_held, 0);
	CHECK_EQ(pool_free(), before);
	(void)user_prepare(names_two, NULL, NULL, NULL);
	CHECK_EQ(user_thread.user.newest_held, 0);
	k_thread_abort(&user_thread);
}

TEST(allocated_objects_that_were_named_last_go_with_their_thread)
{
	end_who_named_two(false);
	end_who_named_two(true);
}

/* What was in a pool's memory before, a password maybe, is in no object of the next one's. */
TEST(allocated_objects_are_clear_but_for_their_tag)
{
	static const enum k_objects kinds[] = {K_OBJ_THREAD, K_OBJ_SEM, K_OBJ_MSGQ};

	(void)pool_free();
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t size = object_size(kinds[i]) + 40;
		unsigned char *block = k_heap_alloc(&pool, size, K_NO_WAIT);
		unsigned char *object;

		CHECK(block != NULL);
		memset(block, 0xa5, size);
		k_heap_free(&pool, block);
		object = k_object_alloc_size(kinds[i], 40);
		CHECK(object == block);
		memset(object_tag(object, kinds[i]), 0, sizeof(struct k_object_tag));
		for (size_t at = 0; at < size; at++) {
			if (object[at] != 0) {
				CHECK_EQ(at, SIZE_MAX);
				break;
			}
		}
		k_object_free(object);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers of queues, which come from a thread's resource pool and go back there, whenever the thread is
 * ended: in each attempt a few instructions later in its calls.
 */
#include <zephyr/sys/sys_heap.h>
#include "lib/string.h"
#include "user.h"

#define POOL_SIZE 512
#define ATTEMPTS  24

K_HEAP_DEFINE(containers, POOL_SIZE);
static K_QUEUE_DEFINE(queue);

/* Bytes of the largest block: all of the pool where nothing was lost. */
static size_t largest_free(void)
{
	for (size_t size = POOL_SIZE; size > 0; size -= 8) {
		void *block = k_heap_alloc(&containers, size, K_NO_WAIT);

		if (block != NULL) {
			k_heap_free(&containers, block);
			return size;
		}
	}
	return 0;
}

static void puts_and_gets(void *spins, void *p2, void *p3)
{
	for (volatile uintptr_t left = (uintptr_t)spins; left > 0; left--) {
	}
	for (;;) {
		seen[0] += k_queue_alloc_append(&queue, (void *)1);
		seen[0] += k_queue_alloc_prepend(&queue, (void *)2);
		seen[1] += (intptr_t)k_queue_get(&queue, K_NO_WAIT);
		seen[1] += (intptr_t)k_queue_get(&queue, K_NO_WAIT);
	}
}

TEST(containers_are_not_lost_with_who_is_ended_in_a_call)
{
	size_t before = largest_free();
	intptr_t got = 0;

	k_thread_priority_set(k_current_get(), USER_PRIO - 1); /* so that it comes in between */
	for (uintptr_t spins = 0; spins < ATTEMPTS; spins++) {
		k_thread_access_grant(user_prepare(puts_and_gets, (void *)spins, NULL, NULL),
				      &queue);
		k_thread_heap_assign(&user_thread, &containers);
		k_thread_start(&user_thread);
		k_sleep(K_TICKS(1));
		k_thread_abort(&user_thread);
		CHECK_EQ(seen[0], 0); /* no put found the pool empty */
		got += seen[1];
		while (k_queue_get(&queue, K_NO_WAIT) != NULL) {
		}
	}
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	CHECK(got >= 3 * ATTEMPTS);
	CHECK_EQ(largest_free(), before);
}

/* ---- a heap that the kernel's threads use, too ---- */

#define ROUNDS 600
#define BLOCKS 6
#define ITEMS  8

static K_SEM_DEFINE(turn, 0, 1);
static K_SEM_DEFINE(want, 0, 1);
static volatile unsigned int much;

/* One operation a turn: seen[2] says which, with what. */
static void takes_turns(void *p1, void *p2, void *p3)
{
	/* Bound: until the test ends it. */
	while (k_sem_take(&turn, K_FOREVER) == 0) {
		if (seen[2] == 0) {
			seen[3] = (intptr_t)k_queue_get(&queue, K_NO_WAIT);
		} else if (seen[2] > 0) {
			seen[3] = k_queue_alloc_append(&queue, (void *)seen[2]);
		} else {
			seen[3] = k_queue_alloc_prepend(&queue, (void *)-seen[2]);
		}
	}
}

static intptr_t users(intptr_t what)
{
	seen[2] = what;
	k_sem_give(&turn); /* and it runs at once */
	return seen[3];
}

/* Waits for as much as there is only once all have given back what they have. */
static void wants_much(void *unused)
{
	/* Bound: until the test ends it. */
	while (k_sem_take(&want, K_FOREVER) == 0) {
		void *block = k_heap_alloc(&containers, POOL_SIZE - 128, K_FOREVER);

		much += block != NULL;
		k_heap_free(&containers, block);
	}
}

static uint32_t chance(void)
{
	static uint32_t state = 24;

	state = state * 1664525U + 1013904223U;
	return state >> 16;
}

struct blocks {
	char *at[BLOCKS];
	size_t size[BLOCKS];
};

/* A block comes or goes; what is in it is its own. */
static void change_a_block(struct blocks *own)
{
	unsigned int i = chance() % BLOCKS;

	if (own->at[i] == NULL) {
		own->size[i] = 4 + chance() % 60;
		own->at[i] = k_heap_alloc(&containers, own->size[i], K_NO_WAIT);
		if (own->at[i] != NULL) {
			memset(own->at[i], (int)i, own->size[i]);
		}
		return;
	}
	/* Bound: the block's bytes. */
	for (size_t byte = 0; byte < own->size[i]; byte++) {
		CHECK_EQ(own->at[i][byte], i);
	}
	k_heap_free(&containers, own->at[i]);
	own->at[i] = NULL;
}

/* In whatever order blocks lie and go: what was put is got, and in the end nothing is missing. */
TEST(containers_come_from_a_heap_in_any_state)
{
	size_t before = largest_free();
	struct blocks own = {0};
	intptr_t items[ITEMS];
	int num = 0;

	k_thread_priority_set(k_current_get(), USER_PRIO + 1);
	k_sem_reset(&turn);
	k_sem_reset(&want);
	much = 0;
	(void)start(wants_much, NULL, USER_PRIO - 1);
	k_thread_access_grant(user_prepare(takes_turns, NULL, NULL, NULL), &queue, &turn);
	k_thread_heap_assign(&user_thread, &containers);
	k_thread_start(&user_thread);
	for (intptr_t round = 1; round <= ROUNDS; round++) {
		const unsigned int what = chance() % 8;

		if (what < 3) {
			change_a_block(&own);
		} else if (what == 3 && round % 16 == 0) {
			k_sem_give(&want);
		} else if (what < 6 && num > 0) {
			CHECK_EQ(users(0), items[0]);
			memmove(&items[0], &items[1], (size_t)--num * sizeof(items[0]));
		} else if (num < ITEMS && users(what == 7 ? -round : round) == 0) {
			if (what == 7) {
				memmove(&items[1], &items[0], (size_t)num * sizeof(items[0]));
			}
			items[what == 7 ? 0 : num] = round;
			num++;
		}
	}
	for (int i = 0; i < num; i++) {
		CHECK_EQ(users(0), items[i]);
	}
	CHECK_EQ(users(0), 0);
	for (int i = 0; i < BLOCKS; i++) {
		k_heap_free(&containers, own.at[i]);
	}
	k_sem_give(&want);
	CHECK(much > 0);
	k_thread_abort(&user_thread);
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	CHECK_EQ(largest_free(), before);
}

/* ---- a heap that is nobody's but the thread's ---- */

static K_APP_BMEM(shared) struct sys_heap heap;
static K_APP_BMEM(shared) char memory[512] __aligned(16);

static void uses_a_heap_of_its_own(void *p1, void *p2, void *p3)
{
	static const char text[] = "sixteen letters.";
	char *first, *second;

	sys_heap_init(&heap, memory, sizeof(memory));
	first = sys_heap_alloc(&heap, sizeof(text));
	second = sys_heap_aligned_alloc(&heap, 32, 16);
	seen[0] = first != NULL && second != NULL && (uintptr_t)second % 32 == 0;
	if (first == NULL) {
		return;
	}
	memcpy(first, text, sizeof(text));
	first = sys_heap_realloc(&heap, first, 200);
	seen[1] = first != NULL && strcmp(first, text) == 0 &&
		  sys_heap_usable_size(&heap, first) >= 200;
	sys_heap_free(&heap, second);
	sys_heap_free(&heap, first);
	seen[2] = sys_heap_alloc(&heap, sizeof(memory)) == NULL;
	first = sys_heap_aligned_realloc(&heap, NULL, 8, 400); /* all is one piece again */
	seen[3] = first != NULL;
}

TEST(a_heap_in_a_users_own_memory_needs_no_call)
{
	CHECK(user_run(uses_a_heap_of_its_own, NULL, NULL, NULL));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], 1);
}

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

/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that make, look through and give back what is long: threads, allocated objects, queues. */
#include "interference.h"

#define ITEMS 128

K_APP_BMEM(attack_memory) static void *volatile made;
static struct k_queue queue;
static struct k_thread spare;
static K_THREAD_STACK_DEFINE(spare_stack, 8192);

/* ---- what waits ---- */

static void join(int helper)
{
	for (;;) {
		if (k_thread_join(&spare, K_FOREVER) == 0) {
			attack_rest(); /* until there is one again */
		}
	}
}

/* ---- the calls ---- */

static void peek(void)
{
	(void)k_queue_peek_tail(&queue);
}

static void allocate(void)
{
	made = k_object_alloc_size(K_OBJ_SEM, 16384);
}

static void release(void)
{
	if (made != NULL) {
		k_object_release(made);
	}
}

/* An object with many items of its own, that goes with its last right. */
static void make_full_queue(void)
{
	struct k_queue *full = k_object_alloc(K_OBJ_QUEUE);

	if (full != NULL) {
		k_queue_init(full);
		for (int i = 0; i < ITEMS; i++) {
			(void)k_queue_alloc_append(full, full);
		}
	}
	made = full;
}

static void idle(void *p1, void *p2, void *p3)
{
}

static void create(void)
{
	(void)k_thread_create(&spare, spare_stack, K_THREAD_STACK_SIZEOF(spare_stack), idle, NULL,
			      NULL, NULL, K_LOWEST_APPLICATION_THREAD_PRIO, K_USER, K_FOREVER);
}

static void abort_spare(void)
{
	k_thread_abort(&spare);
}

static void create_anew(void)
{
	abort_spare();
	create();
	attack_end_rest();
}

/* ---- in the kernel ---- */

static void prepare_queue(void)
{
	while (k_queue_get(&queue, K_NO_WAIT) != NULL) {
	}
	for (int i = 0; i < ITEMS; i++) {
		(void)k_queue_alloc_append(&queue, &queue);
	}
}

static void admit(k_tid_t thread)
{
	k_thread_access_grant(thread, &queue, &spare, &spare_stack, thread);
}

static void begin(void)
{
	k_queue_init(&queue);
}

static const struct attack attacks[] = {
	{"interference.queue.peek", "k_queue_peek_tail() of 128 items", prepare_queue, NULL, NULL,
	 peek},
	{"interference.object.alloc", "k_object_alloc_size() with 16384 bytes", NULL, NULL, release,
	 allocate},
	{"interference.object.release", "k_object_release() of a queue of 128 items", NULL, NULL,
	 make_full_queue, release},
	{"interference.thread.create", "k_thread_create() with a stack of 8192 bytes", NULL, NULL,
	 abort_spare, create},
	{"interference.thread.abort", "k_thread_abort() of a thread that 24 join", create, join,
	 create_anew, abort_spare},
};
const struct attack_group attacks_objects = {attacks, ARRAY_SIZE(attacks), begin, admit};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More objects with sixteen waiters, in the states alone that have proved costliest with those of
 * objects.c: each waits with a time-out far ahead, given to by a cooperative thread, and by one that
 * is preempted at once.
 */
#include "worst.h"

#define MESSAGE 16
#define SMALL   200 /* of the class of large blocks, which is a range */
#define LARGE   (WAITERS * 384)

static volatile uintptr_t seen; /* so that no call is a tail call, which nobody sees as one */
static uintptr_t items[WAITERS];
static char bytes[MESSAGE + 1];

/* ---- queue, event, pipe ---- */

static struct k_queue queue;
static struct k_event event;
static struct k_pipe pipe;
static char ring[MESSAGE];

static void queue_before(void)
{
	k_queue_init(&queue);
	/* Bound: WAITERS. */
	for (int i = 0; i < WAITERS; i++) {
		items[i] = i == WAITERS - 1 ? 0 : (uintptr_t)&items[i + 1];
	}
}

static void queue_wait(k_timeout_t timeout, unsigned int number)
{
	seen += k_queue_get(&queue, timeout) != NULL;
}

static void event_before(void)
{
	k_event_init(&event);
}

static void event_wait(k_timeout_t timeout, unsigned int number)
{
	seen += k_event_wait_all(&event, 3, false, timeout);
}

static void pipe_before(void)
{
	k_pipe_init(&pipe, (uint8_t *)ring, sizeof(ring));
}

static void pipe_before_full(void)
{
	pipe_before();
	(void)k_pipe_write(&pipe, (uint8_t *)bytes, sizeof(ring), K_NO_WAIT);
}

static void pipe_wait(k_timeout_t timeout, unsigned int number)
{
	uint8_t byte;

	seen += (uintptr_t)k_pipe_read(&pipe, &byte, 1, timeout);
}

static void pipe_wait_to_write(k_timeout_t timeout, unsigned int number)
{
	seen += (uintptr_t)k_pipe_write(&pipe, (uint8_t *)bytes, 1, timeout);
}

MEASURE_WINDOW(append_list, result = k_queue_append_list(&queue, items, &items[WAITERS - 1]))

static int merge(void)
{
	void *head = &items[0], *tail = &items[WAITERS - 1];
	int result = k_queue_merge_list_(&queue, &head, &tail);

	seen++;
	return result;
}

MEASURE_WINDOW(merge_list, result = merge())
MEASURE_WINDOW(event_set, (void)k_event_set(&event, 3))
MEASURE_WINDOW(event_set_masked, (void)k_event_set_masked(&event, 3, 3))
MEASURE_WINDOW(pipe_reset, k_pipe_reset(&pipe))
MEASURE_WINDOW(pipe_read,
	       result = k_pipe_read(&pipe, (uint8_t *)bytes + 1, MESSAGE, K_NO_WAIT) != MESSAGE)

/* ---- mailbox: nobody suits ---- */

static struct k_mbox mbox;
static struct k_thread nobody;

static void mbox_before(void)
{
	k_mbox_init(&mbox);
}

static void mbox_wait(k_timeout_t timeout, unsigned int number)
{
	struct k_mbox_msg wanted = {.rx_source_thread = &nobody};

	seen += (uintptr_t)k_mbox_get(&mbox, &wanted, NULL, timeout);
}

static void mbox_wait_to_put(k_timeout_t timeout, unsigned int number)
{
	struct k_mbox_msg given = {.tx_target_thread = &nobody};

	seen += (uintptr_t)k_mbox_put(&mbox, &given, timeout);
}

static int put(k_timeout_t timeout)
{
	struct k_mbox_msg given = {.tx_target_thread = K_ANY};
	int result = k_mbox_put(&mbox, &given, timeout);

	seen++;
	return result;
}

static int get(k_timeout_t timeout)
{
	struct k_mbox_msg wanted = {.rx_source_thread = K_ANY};
	int result = k_mbox_get(&mbox, &wanted, NULL, timeout);

	seen++;
	return result;
}

MEASURE_WINDOW(mbox_put, result = put(K_NO_WAIT) == 0)
MEASURE_WINDOW(mbox_put_waiting, result = put(K_TICKS(1)) == 0)
MEASURE_WINDOW(mbox_get, result = get(K_NO_WAIT) == 0)
MEASURE_WINDOW(mbox_get_waiting, result = get(K_TICKS(1)) == 0)

/* ---- mutex ---- */

static struct k_mutex mutex;

static void mutex_before(void)
{
	(void)k_mutex_init(&mutex);
	(void)k_mutex_lock(&mutex, K_FOREVER);
}

static void mutex_wait(k_timeout_t timeout, unsigned int number)
{
	seen += (uintptr_t)k_mutex_lock(&mutex, timeout);
	(void)k_mutex_unlock(&mutex);
	seen++;
}

MEASURE_WINDOW(mutex_unlock, result = k_mutex_unlock(&mutex))

/* ---- a thread that all join ---- */

static struct k_thread joined;
static K_THREAD_STACK_DEFINE(joined_stack, 512);

static void sleeps(void *unused_1, void *unused_2, void *unused_3)
{
	k_sleep(K_FOREVER);
}

static void thread_before(void)
{
	(void)k_thread_create(&joined, joined_stack, K_THREAD_STACK_SIZEOF(joined_stack), sleeps,
			      NULL, NULL, NULL, 1, 0, K_NO_WAIT);
}

static void thread_wait(k_timeout_t timeout, unsigned int number)
{
	seen += (uintptr_t)k_thread_join(&joined, timeout);
}

MEASURE_WINDOW(thread_abort, k_thread_abort(&joined))

/* ---- work that all wait for, of a queue that is held up ---- */

static struct k_work_q works;
static K_THREAD_STACK_DEFINE(works_stack, 512);
static struct k_work_delayable item;
static struct k_work_sync syncs[WAITERS + 1];

static void nothing(struct k_work *unused)
{
}

static void work_before(void)
{
	static bool is_there;

	if (!is_there) {
		is_there = true;
		k_work_queue_init(&works);
		k_work_queue_start(&works, works_stack, K_THREAD_STACK_SIZEOF(works_stack), 0,
				   NULL);
		k_thread_suspend(k_work_queue_thread_get(&works));
	}
	k_work_init_delayable(&item, nothing);
	(void)k_work_schedule_for_queue(&works, &item, K_NO_WAIT);
}

static void work_wait(k_timeout_t timeout, unsigned int number)
{
	seen += k_work_flush(&item.work, &syncs[number]);
}

MEASURE_WINDOW(work_cancel, result = k_work_cancel(&item.work))
MEASURE_WINDOW(work_cancel_delayable, result = k_work_cancel_delayable(&item))
MEASURE_WINDOW(work_cancel_sync, (void)k_work_cancel_sync(&item.work, &syncs[WAITERS]))
MEASURE_WINDOW(work_cancel_delayable_sync,
	       (void)k_work_cancel_delayable_sync(&item, &syncs[WAITERS]))

/* ---- memory: each gets some of a block that is given back, and there are other free ones ---- */

static struct k_heap heap;
static char __aligned(8) memory[LARGE * 2];
static void *taken;
static struct k_msgq msgq;
static struct k_stack stack;

/* Rests of two kinds, one of which stays beside what is free last; then the whole of it. */
static void fill(struct k_heap *of)
{
	void *first = k_heap_alloc(of, SMALL + 8, K_NO_WAIT);
	void *between = k_heap_alloc(of, 16, K_NO_WAIT);
	void *second = k_heap_alloc(of, SMALL + 40, K_NO_WAIT);

	seen += (uintptr_t)k_heap_alloc(of, 16, K_NO_WAIT) + (uintptr_t)between;
	k_heap_free(of, first);
	k_heap_free(of, second);
}

static void exhaust(struct k_heap *of)
{
	size_t size = LARGE;

	/* Bound: LARGE / 8. */
	while (size >= 8) {
		void *block = k_heap_alloc(of, size, K_NO_WAIT);

		seen += (uintptr_t)block;
		size = block == NULL ? size / 2 : size;
	}
}

static void heap_before(void)
{
	k_heap_init(&heap, memory, sizeof(memory));
	k_thread_heap_assign(k_current_get(), &heap);
	fill(&heap);
	taken = k_heap_alloc(&heap, LARGE, K_NO_WAIT);
	exhaust(&heap);
}

/* The kernel's own has the same memory meanwhile. */
static void system_heap_before(void)
{
	k_heap_init(k_system_heap(), memory, sizeof(memory));
	fill(k_system_heap());
	taken = k_malloc(LARGE);
	exhaust(k_system_heap());
}

static void heap_before_msgq(void)
{
	k_heap_init(&heap, memory, sizeof(memory));
	fill(&heap);
	seen += (uintptr_t)k_msgq_alloc_init(&msgq, MESSAGE, LARGE / MESSAGE);
	exhaust(&heap);
}

static void heap_before_stack(void)
{
	k_heap_init(&heap, memory, sizeof(memory));
	fill(&heap);
	seen += (uintptr_t)k_stack_alloc_init(&stack, LARGE / sizeof(stack_data_t));
	exhaust(&heap);
}

static void heap_wait(k_timeout_t timeout, unsigned int number)
{
	seen += (uintptr_t)k_heap_aligned_alloc(&heap, 64, SMALL - 8 * (number % 3U), timeout);
}

static void system_heap_wait(k_timeout_t timeout, unsigned int number)
{
	seen += (uintptr_t)k_heap_aligned_alloc(k_system_heap(), 64, SMALL - 8 * (number % 3U),
						timeout);
}

static void free_taken(void)
{
	k_free(taken);
	seen++;
}

static int shrink_taken(void)
{
	const void *block = k_realloc(taken, 8);

	seen++;
	return block != taken;
}

MEASURE_WINDOW(system_free, free_taken())
MEASURE_WINDOW(system_realloc, result = shrink_taken())
MEASURE_WINDOW(heap_free, k_heap_free(&heap, taken))
MEASURE_WINDOW(heap_realloc, result = k_heap_realloc(&heap, taken, 8, K_NO_WAIT) != taken)
MEASURE_WINDOW(msgq_cleanup, result = k_msgq_cleanup(&msgq))
MEASURE_WINDOW(stack_cleanup, result = k_stack_cleanup(&stack))

void worst_crowds(void)
{
	static const struct object objects[] = {
		{"queue.append_list.worst", "Append 16 items, 16 wait", queue_before, queue_wait,
		 append_list, 1, true},
		{"queue.merge_list.worst", "Merge 16 items, 16 wait", queue_before, queue_wait,
		 merge_list, 1, true},
		{"event.set.worst", "Set events, 16 wait", event_before, event_wait, event_set, 1,
		 true},
		{"event.set_masked.worst", "Set some events, 16 wait", event_before, event_wait,
		 event_set_masked, 1, true},
		{"pipe.reset.worst", "Reset a pipe, 16 wait", pipe_before, pipe_wait, pipe_reset, 1,
		 true},
		{"pipe.read.worst", "Read all there is, 16 wait to write", pipe_before_full,
		 pipe_wait_to_write, pipe_read, 1, true},
		{"mbox.put.nobody.worst", "Put what none of 16 wants", mbox_before, mbox_wait,
		 mbox_put, 1, false},
		{"mbox.put.waiting.worst", "Put that and wait", mbox_before, mbox_wait,
		 mbox_put_waiting, 1, false},
		{"mbox.get.nobody.worst", "Get what none of 16 gives", mbox_before,
		 mbox_wait_to_put, mbox_get, 1, false},
		{"mbox.get.waiting.worst", "Get that and wait", mbox_before, mbox_wait_to_put,
		 mbox_get_waiting, 1, false},
		{"mutex.unlock.worst", "Unlock a mutex, 16 wait", mutex_before, mutex_wait,
		 mutex_unlock, 1, true},
		{"thread.abort.worst", "Abort a thread that 16 join", thread_before, thread_wait,
		 thread_abort, 1, true},
		{"work.cancel.worst", "Cancel an item, 16 wait", work_before, work_wait,
		 work_cancel, 1, true},
		{"work.cancel.delayable.worst", "Cancel delayed work, 16 wait", work_before,
		 work_wait, work_cancel_delayable, 1, true},
		{"work.cancel.sync.worst", "Cancel an item and wait, 16 wait", work_before,
		 work_wait, work_cancel_sync, 1, true},
		{"work.cancel.delayable.sync.worst", "Cancel delayed work and wait, 16 wait",
		 work_before, work_wait, work_cancel_delayable_sync, 1, true},
		{"heap.free.all.worst", "Free memory for all 16", heap_before, heap_wait, heap_free,
		 1, true},
		{"heap.realloc.all.worst", "Shrink a block, memory for all 16", heap_before,
		 heap_wait, heap_realloc, 1, true},
		{"free.all.worst", "Free the kernel's memory for all 16", system_heap_before,
		 system_heap_wait, system_free, 1, true},
		{"realloc.all.worst", "Shrink a block of the kernel's, for all 16",
		 system_heap_before, system_heap_wait, system_realloc, 1, true},
		{"msgq.cleanup.worst", "Give a queue's memory back, 16 wait", heap_before_msgq,
		 heap_wait, msgq_cleanup, 1, true},
		{"stack.cleanup.worst", "Give a stack's memory back, 16 wait", heap_before_stack,
		 heap_wait, stack_cleanup, 1, true},
	};

	/* Bound: ARRAY_SIZE(objects). */
	for (unsigned int i = 0; i < ARRAY_SIZE(objects); i++) {
		worst_object_in_few(&objects[i]);
	}
	k_heap_init(k_system_heap(), memory, CONFIG_HEAP_MEM_POOL_SIZE);
}

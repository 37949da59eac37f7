/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that threads wait for, each with what wakes one of them, or all. */
#include "worst.h"

#define MESSAGE 16

static struct k_sem sem;
static struct k_msgq msgq;
static struct k_queue queue;
static struct k_stack stack;
static struct k_event event;
static struct k_condvar condvar;
static struct k_mutex mutex;
static char ring[MESSAGE * 4 + 1];
static char messages[WAITERS][MESSAGE + 1];
static stack_data_t words[WAITERS];
static uintptr_t items[WAITERS];
static unsigned int next_item;
static volatile int result_of_wait; /* so that no wait is a tail call, which nobody sees as one */

/* ---- semaphore ---- */

static void sem_before(void)
{
	(void)k_sem_init(&sem, 0, WAITERS);
}

static void sem_wait(k_timeout_t timeout, unsigned int number)
{
	result_of_wait = k_sem_take(&sem, timeout);
}

MEASURE_WINDOW(sem_give, k_sem_give(&sem))
MEASURE_WINDOW(sem_reset, k_sem_reset(&sem))

/* ---- message queue: at both halves of a word ---- */

static void msgq_before(void)
{
	static unsigned int turn;

	k_msgq_init(&msgq, ring + turn++ % 2U, MESSAGE, 4);
}

static void msgq_before_full(void)
{
	msgq_before();
	/* Bound: 4. */
	for (int i = 0; i < 4; i++) {
		(void)k_msgq_put(&msgq, messages[0], K_NO_WAIT);
	}
}

static void msgq_wait(k_timeout_t timeout, unsigned int number)
{
	result_of_wait = k_msgq_get(&msgq, messages[number] + number % 2U, timeout);
}

static void msgq_wait_to_put(k_timeout_t timeout, unsigned int number)
{
	result_of_wait = k_msgq_put(&msgq, messages[number] + number % 2U, timeout);
}

MEASURE_WINDOW(msgq_put, result = k_msgq_put(&msgq, messages[0] + 1, K_NO_WAIT))
MEASURE_WINDOW(msgq_get, result = k_msgq_get(&msgq, messages[0] + 1, K_NO_WAIT))

/* ---- queue, stack ---- */

static void queue_before(void)
{
	k_queue_init(&queue);
	next_item = 0;
}

static void queue_wait(k_timeout_t timeout, unsigned int number)
{
	result_of_wait = k_queue_get(&queue, timeout) != NULL;
}

MEASURE_WINDOW(queue_append, k_queue_append(&queue, &items[next_item++ % WAITERS]))

static void stack_before(void)
{
	k_stack_init(&stack, words, WAITERS);
}

static void stack_wait(k_timeout_t timeout, unsigned int number)
{
	stack_data_t word;

	result_of_wait = k_stack_pop(&stack, &word, timeout);
}

MEASURE_WINDOW(stack_push, result = k_stack_push(&stack, 1))

/* ---- all at once ---- */

static void event_before(void)
{
	k_event_init(&event);
	next_item = 0;
}

static void event_wait(k_timeout_t timeout, unsigned int number)
{
	result_of_wait = (int)k_event_wait(&event, 1, false, timeout);
}

MEASURE_WINDOW(event_post, (void)k_event_post(&event, 1))

static void condvar_before(void)
{
	(void)k_condvar_init(&condvar);
	(void)k_mutex_init(&mutex);
}

static void condvar_wait(k_timeout_t timeout, unsigned int number)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	(void)k_condvar_wait(&condvar, &mutex, timeout);
	(void)k_mutex_unlock(&mutex);
}

MEASURE_WINDOW(condvar_signal, (void)k_condvar_signal(&condvar))
MEASURE_WINDOW(condvar_broadcast, (void)k_condvar_broadcast(&condvar))

/* ---- memory, pipe, timer, futex ---- */

static struct k_mem_slab slab;
static struct k_heap heap;
static struct k_pipe pipe;
static struct k_timer timer;
static struct k_futex futex;
static struct k_mbox mbox;
static struct k_mbox_msg to_mbox;
static char __aligned(8) memory[MESSAGE * 16];
static void *taken;

static void slab_before(void)
{
	(void)k_mem_slab_init(&slab, memory, MESSAGE, 1);
	(void)k_mem_slab_alloc(&slab, &taken, K_NO_WAIT);
}

static void slab_wait(k_timeout_t timeout, unsigned int number)
{
	void *block;

	result_of_wait = k_mem_slab_alloc(&slab, &block, timeout);
}

MEASURE_WINDOW(slab_free, k_mem_slab_free(&slab, taken))

static void heap_before(void)
{
	k_heap_init(&heap, memory, sizeof(memory));
	taken = k_heap_alloc(&heap, sizeof(memory) / 2, K_NO_WAIT);
}

static void heap_wait(k_timeout_t timeout, unsigned int number)
{
	void *block = k_heap_alloc(&heap, sizeof(memory) / 2 + number % 2U, timeout);

	k_heap_free(&heap, block);
}

MEASURE_WINDOW(heap_free, k_heap_free(&heap, taken))

static void pipe_before(void)
{
	k_pipe_init(&pipe, (uint8_t *)ring, MESSAGE);
}

static void pipe_wait(k_timeout_t timeout, unsigned int number)
{
	result_of_wait = k_pipe_read(&pipe, (uint8_t *)messages[number] + number % 2U, 1, timeout);
}

MEASURE_WINDOW(pipe_write, result = k_pipe_write(&pipe, (uint8_t *)ring, MESSAGE, K_NO_WAIT) < 0)
MEASURE_WINDOW(pipe_close, k_pipe_close(&pipe))

static void timer_before(void)
{
	k_timer_init(&timer, NULL, NULL);
	k_timer_start(&timer, K_TICKS(1000000), K_NO_WAIT);
}

static void timer_wait(k_timeout_t timeout, unsigned int number)
{
	result_of_wait = (int)k_timer_status_sync(&timer);
}

MEASURE_WINDOW(timer_stop, k_timer_stop(&timer))

static void futex_before(void)
{
	futex.val = 0;
}

static void futex_wait(k_timeout_t timeout, unsigned int number)
{
	result_of_wait = k_futex_wait(&futex, 0, timeout);
}

MEASURE_WINDOW(futex_wake, result = k_futex_wake(&futex, true) < 0)

static void mbox_before(void)
{
	k_mbox_init(&mbox);
	to_mbox = (struct k_mbox_msg){.tx_target_thread = K_ANY};
}

static void mbox_wait(k_timeout_t timeout, unsigned int number)
{
	struct k_mbox_msg got = {.rx_source_thread = K_ANY};

	result_of_wait = k_mbox_get(&mbox, &got, messages[number], timeout);
}

MEASURE_WINDOW(mbox_put, k_mbox_async_put(&mbox, &to_mbox, NULL))
MEASURE_WINDOW(queue_cancel, k_queue_cancel_wait(&queue))
MEASURE_WINDOW(msgq_purge, k_msgq_purge(&msgq))
MEASURE_WINDOW(msgq_front, result = k_msgq_put_front(&msgq, messages[0] + 1))

void worst_objects(void)
{
	const struct object objects[] = {
		{"semaphore.give.worst", "Give a semaphore, 16 wait", sem_before, sem_wait,
		 sem_give, WAITERS, true},
		{"semaphore.reset.worst", "Reset a semaphore, 16 wait", sem_before, sem_wait,
		 sem_reset, 1, true},
		{"msgq.put.worst", "Put a message, 16 wait", msgq_before, msgq_wait, msgq_put,
		 WAITERS, true},
		{"msgq.get.worst", "Get a message, 16 wait", msgq_before_full, msgq_wait_to_put,
		 msgq_get, WAITERS + 4, true},
		{"queue.append.worst", "Append an item, 16 wait", queue_before, queue_wait,
		 queue_append, WAITERS, true},
		{"stack.push.worst", "Push a word, 16 wait", stack_before, stack_wait, stack_push,
		 WAITERS, true},
		{"event.post.worst", "Post an event, 16 wait", event_before, event_wait, event_post,
		 1, true},
		{"condvar.signal.worst", "Signal a condition, 16 wait", condvar_before,
		 condvar_wait, condvar_signal, WAITERS, true},
		{"condvar.broadcast.worst", "Broadcast a condition, 16 wait", condvar_before,
		 condvar_wait, condvar_broadcast, 1, true},
		{"slab.free.worst", "Free a block, 16 wait", slab_before, slab_wait, slab_free,
		 WAITERS, true},
		{"heap.free.worst", "Free memory, 16 wait", heap_before, heap_wait, heap_free, 1,
		 false},
		{"pipe.write.worst", "Write a byte for each, 16 wait", pipe_before, pipe_wait,
		 pipe_write, 1, true},
		{"pipe.close.worst", "Close a pipe, 16 wait", pipe_before, pipe_wait, pipe_close, 1,
		 true},
		{"timer.stop.worst", "Stop a timer, 16 wait", timer_before, timer_wait, timer_stop,
		 1, true},
		{"futex.wake.worst", "Wake all at a futex, 16 wait", futex_before, futex_wait,
		 futex_wake, 1, true},
		{"mbox.put.worst", "Put into a mailbox, 16 wait", mbox_before, mbox_wait, mbox_put,
		 WAITERS, false},
		{"queue.cancel.worst", "Cancel a wait, 16 wait", queue_before, queue_wait,
		 queue_cancel, WAITERS, true},
		{"msgq.purge.worst", "Purge messages, 16 wait to put", msgq_before_full,
		 msgq_wait_to_put, msgq_purge, 1, true},
		{"msgq.front.worst", "Put a message in front, 16 wait", msgq_before, msgq_wait,
		 msgq_front, WAITERS, true},
	};

	/* Bound: ARRAY_SIZE(objects). */
	for (unsigned int i = 0; i < ARRAY_SIZE(objects); i++) {
		worst_object(&objects[i]);
	}
}

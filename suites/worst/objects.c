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
	};

	/* Bound: ARRAY_SIZE(objects). */
	for (unsigned int i = 0; i < ARRAY_SIZE(objects); i++) {
		worst_object(&objects[i]);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Storms over what carries data: queues, message queues, stacks. */
#include <string.h>

#include "model.h"
#include "storm.h"

#define THINGS 12

/* What travels through an object is somewhere exactly once: here, or on its way. */
struct pool {
	bool away[THINGS];
};

/* One that is here, or NOBODY; it is away from then on. */
static int pool_take(struct pool *pool)
{
	unsigned int key = irq_lock();
	int thing = (int)random_below(THINGS);

	if (pool->away[thing]) {
		thing = NOBODY;
	} else {
		pool->away[thing] = true;
	}
	irq_unlock(key);
	return thing;
}

static void pool_return(struct pool *pool, int thing)
{
	unsigned int key = irq_lock();

	CHECK(thing >= 0 && thing < THINGS);
	CHECK(pool->away[thing]);
	pool->away[thing] = false;
	irq_unlock(key);
}

static int pool_count_away(const struct pool *pool)
{
	int count = 0;

	for (int i = 0; i < THINGS; i++) {
		count += pool->away[i];
	}
	return count;
}

/* ---- queues ---- */

static struct k_queue queue;
static struct pool items_pool;
static struct {
	uintptr_t link;
	uintptr_t mark;
} items[THINGS];

static void queue_init_job(void)
{
	k_queue_init(&queue);
}

static void queue_put(void)
{
	int item = pool_take(&items_pool);

	if (item == NOBODY) {
		return;
	}
	items[item].mark = (uintptr_t)item;
	switch (random_below(4)) {
	case 0:
		k_queue_append(&queue, &items[item]);
		break;
	case 1:
		k_queue_prepend(&queue, &items[item]);
		break;
	case 2:
		if (k_queue_alloc_append(&queue, &items[item]) != 0) {
			pool_return(&items_pool, item);
		}
		break;
	default:
		items[item].link = 0;
		CHECK(k_queue_append_list(&queue, &items[item], &items[item]) == 0);
		break;
	}
}

static void queue_get(k_timeout_t timeout)
{
	uintptr_t *item = k_queue_get(&queue, timeout);

	if (item != NULL) {
		pool_return(&items_pool, (int)item[1]);
	}
}

static void queue_in_thread(int self)
{
	if (one_in(2)) {
		queue_put();
	} else if (one_in(20)) {
		k_queue_cancel_wait(&queue);
	} else {
		queue_get(storm_timeout());
	}
}

static void queue_in_isr(void)
{
	if (one_in(2)) {
		queue_put();
	} else {
		queue_get(K_NO_WAIT);
	}
}

static void queue_at_rest(void)
{
	CHECK(storm_check_waiters(&queue.wait_q) == 0 || queue.head == 0);
	CHECK((queue.head == 0) == (queue.tailp == &queue.head));
}

static void queue_end(void)
{
	void *all;

	while (k_queue_is_empty(&queue) == 0) {
		queue_get(K_NO_WAIT);
	}
	CHECK(pool_count_away(&items_pool) == 0);
	all = k_malloc(CONFIG_HEAP_MEM_POOL_SIZE - HEAP_UNIT);
	CHECK(all != NULL); /* no container is left */
	k_free(all);
}

const struct storm_job storm_queue = {
	"queue", queue_init_job, queue_in_thread, queue_in_isr, queue_at_rest, queue_end,
};

/* ---- message queues ---- */

struct message {
	int thing;
	char text[9];
} __packed;

static struct k_msgq msgq;
static char msgq_buffer[3 * sizeof(struct message)];
static struct pool msgs_pool;

static void msgq_init_job(void)
{
	k_msgq_init(&msgq, msgq_buffer, sizeof(struct message), 3);
}

static void msgq_put_one(k_timeout_t timeout)
{
	struct message message;
	int thing = pool_take(&msgs_pool);
	int result;

	if (thing == NOBODY) {
		return;
	}
	message.thing = thing;
	memset(message.text, thing, sizeof(message.text));
	result = one_in(4) ? k_msgq_put_front(&msgq, &message)
			   : k_msgq_put(&msgq, &message, timeout);
	memset(&message, 0xee, sizeof(message)); /* nobody may look here any more */
	if (result != 0) {
		pool_return(&msgs_pool, thing);
	}
}

static void msgq_get_one(k_timeout_t timeout)
{
	struct message message;
	struct message expected;

	if (k_msgq_get(&msgq, &message, timeout) == 0) {
		expected.thing = message.thing;
		memset(expected.text, message.thing, sizeof(expected.text));
		CHECK(memcmp(&message, &expected, sizeof(message)) == 0);
		pool_return(&msgs_pool, message.thing);
	}
}

static void msgq_in_thread(int self)
{
	if (one_in(2)) {
		msgq_put_one(storm_timeout());
	} else {
		msgq_get_one(storm_timeout());
	}
}

static void msgq_in_isr(void)
{
	if (one_in(2)) {
		msgq_put_one(K_NO_WAIT);
	} else {
		msgq_get_one(K_NO_WAIT);
	}
}

static void msgq_at_rest(void)
{
	CHECK(storm_check_waiters(&msgq.wait_q) == 0 || msgq.used_msgs == 0 ||
	      msgq.used_msgs == msgq.max_msgs);
}

static void msgq_end(void)
{
	while (k_msgq_num_used_get(&msgq) != 0) {
		msgq_get_one(K_NO_WAIT);
	}
	CHECK(pool_count_away(&msgs_pool) == 0);
}

const struct storm_job storm_msgq = {
	"msgq", msgq_init_job, msgq_in_thread, msgq_in_isr, msgq_at_rest, msgq_end,
};

/* ---- stacks ---- */

static struct k_stack stack;
static stack_data_t stack_buffer[4];
static struct pool words_pool;

static void stack_init_job(void)
{
	k_stack_init(&stack, stack_buffer, ARRAY_SIZE(stack_buffer));
}

static void stack_push_one(void)
{
	int thing = pool_take(&words_pool);

	if (thing != NOBODY && k_stack_push(&stack, (stack_data_t)thing) != 0) {
		pool_return(&words_pool, thing);
	}
}

static void stack_pop_one(k_timeout_t timeout)
{
	stack_data_t word;

	if (k_stack_pop(&stack, &word, timeout) == 0) {
		pool_return(&words_pool, (int)word);
	}
}

static void stack_in_thread(int self)
{
	if (one_in(2)) {
		stack_push_one();
	} else {
		stack_pop_one(storm_timeout());
	}
}

static void stack_in_isr(void)
{
	if (one_in(2)) {
		stack_push_one();
	} else {
		stack_pop_one(K_NO_WAIT);
	}
}

static void stack_at_rest(void)
{
	CHECK(storm_check_waiters(&stack.wait_q) == 0 || stack.next == stack.base);
}

static void stack_end(void)
{
	while (stack.next != stack.base) {
		stack_pop_one(K_NO_WAIT);
	}
	CHECK(pool_count_away(&words_pool) == 0);
}

const struct storm_job storm_stack = {
	"stack", stack_init_job, stack_in_thread, stack_in_isr, stack_at_rest, stack_end,
};

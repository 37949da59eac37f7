/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues, with items that lie in them themselves and with items in containers. Items are
 * numbered; whoever puts one in takes the first that is nowhere.
 */
#include <stdio.h>

#include "model.h"

#define QUEUES   2
#define ITEMS    20
#define LIST_MAX 3

struct item {
	uintptr_t link;
	int number;
};

static struct k_queue queues[QUEUES];
static struct item items[ITEMS];
static bool in_use[ITEMS];

static struct m_kqueue {
	struct m_queue waiters;
	int length;
	struct {
		int item;
		bool contained;
	} entry[ITEMS];
} m_queues[QUEUES];
static bool m_in_use[ITEMS];

static void init(void)
{
	for (int i = 0; i < QUEUES; i++) {
		k_queue_init(&queues[i]);
	}
	for (int i = 0; i < ITEMS; i++) {
		items[i].number = i;
	}
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(QUEUES);
	op->a = (int32_t)random_below(ITEMS);
	op->b = (int32_t)random_below(4);
}

static int first_free(bool *used)
{
	for (int i = 0; i < ITEMS; i++) {
		if (!used[i]) {
			used[i] = true;
			return i;
		}
	}
	return SKIPPED;
}

/* ---- put: op.b says how ---- */

enum how { APPEND, PREPEND, ALLOC_APPEND, ALLOC_PREPEND };

static long real_put(const struct op *op)
{
	struct k_queue *queue = &queues[op->object];
	int item = first_free(in_use);

	if (item == SKIPPED) {
		return SKIPPED;
	}
	switch ((enum how)op->b) {
	case APPEND:
		k_queue_append(queue, &items[item]);
		return item;
	case PREPEND:
		k_queue_prepend(queue, &items[item]);
		return item;
	case ALLOC_APPEND:
		return k_queue_alloc_append(queue, &items[item]) == 0 ? item : -ENOMEM;
	default:
		return k_queue_alloc_prepend(queue, &items[item]) == 0 ? item : -ENOMEM;
	}
}

static void m_link(struct m_kqueue *queue, int place, int item, bool contained)
{
	for (int i = queue->length; i > place; i--) {
		queue->entry[i] = queue->entry[i - 1];
	}
	queue->entry[place].item = item;
	queue->entry[place].contained = contained;
	queue->length++;
}

static void m_unlink(struct m_kqueue *queue, int place)
{
	queue->length--;
	for (int i = place; i < queue->length; i++) {
		queue->entry[i] = queue->entry[i + 1];
	}
}

static void m_put(struct m_kqueue *queue, int place, int item, bool contained)
{
	if (queue->waiters.length != 0) {
		m_wake(queue->waiters.thread[0], item);
	} else {
		m_link(queue, place, item, contained);
		m_poll_tell(&pollable_queue, (int)(queue - m_queues));
	}
}

static enum outcome model_put(const struct op *op, long *result)
{
	struct m_kqueue *queue = &m_queues[op->object];
	bool at_head = op->b == PREPEND || op->b == ALLOC_PREPEND;

	*result = first_free(m_in_use);
	if (*result != SKIPPED) {
		m_put(queue, at_head ? 0 : queue->length, (int)*result,
		      op->b == ALLOC_APPEND || op->b == ALLOC_PREPEND);
	}
	return DONE;
}

/* Behind the first item if there is one and it lies in the queue itself, else in front. */
static long real_insert(const struct op *op)
{
	struct k_queue *queue = &queues[op->object];
	bool behind = op->b != 0 && queue->head != 0 && (queue->head & 1U) == 0;
	int item = first_free(in_use);

	if (item != SKIPPED) {
		k_queue_insert(queue, behind ? (void *)queue->head : NULL, &items[item]);
	}
	return item;
}

static enum outcome model_insert(const struct op *op, long *result)
{
	struct m_kqueue *queue = &m_queues[op->object];
	bool behind = op->b != 0 && queue->length != 0 && !queue->entry[0].contained;

	*result = first_free(m_in_use);
	if (*result != SKIPPED) {
		m_put(queue, behind, (int)*result, false);
	}
	return DONE;
}

static long real_put_list(const struct op *op)
{
	struct item *chain[LIST_MAX];
	int length = 0;

	while (length < MIN(op->b, LIST_MAX)) {
		int item = first_free(in_use);

		if (item == SKIPPED) {
			break;
		}
		chain[length++] = &items[item];
	}
	for (int i = 0; i < length; i++) {
		chain[i]->link = i + 1 < length ? (uintptr_t)chain[i + 1] : 0;
	}
	return k_queue_append_list(&queues[op->object], length == 0 ? NULL : chain[0],
				   length == 0 ? NULL : chain[length - 1]);
}

static enum outcome model_put_list(const struct op *op, long *result)
{
	struct m_kqueue *queue = &m_queues[op->object];
	bool left_some = false;

	*result = -EINVAL;
	for (int i = 0; i < MIN(op->b, LIST_MAX); i++) {
		int item = first_free(m_in_use);

		if (item == SKIPPED) {
			break;
		}
		if (queue->waiters.length != 0) {
			m_wake(queue->waiters.thread[0], item);
		} else {
			m_link(queue, queue->length, item, false);
			left_some = true;
		}
		*result = 0;
	}
	if (left_some) { /* one is told, however many there are */
		m_poll_tell(&pollable_queue, op->object);
	}
	return DONE;
}

static int m_find(const struct m_kqueue *queue, int item)
{
	for (int i = 0; i < queue->length; i++) {
		if (queue->entry[i].item == item && !queue->entry[i].contained) {
			return i;
		}
	}
	return NOBODY;
}

static bool real_find(const struct k_queue *queue, const struct item *item)
{
	for (uintptr_t p = queue->head; p > 1; p = *(uintptr_t *)(p & ~(uintptr_t)1)) {
		if (p == (uintptr_t)item) {
			return true;
		}
	}
	return false;
}

/* An item that is in this queue or nowhere; one that is elsewhere would be misuse. */
static long real_unique(const struct op *op)
{
	struct k_queue *queue = &queues[op->object];

	if (in_use[op->a] && !real_find(queue, &items[op->a])) {
		return SKIPPED;
	}
	in_use[op->a] = true;
	return k_queue_unique_append(queue, &items[op->a]);
}

static enum outcome model_unique(const struct op *op, long *result)
{
	struct m_kqueue *queue = &m_queues[op->object];

	if (m_in_use[op->a]) {
		*result = m_find(queue, op->a) == NOBODY ? SKIPPED : 0;
		return DONE;
	}
	m_in_use[op->a] = true;
	m_put(queue, queue->length, op->a, false);
	*result = 1;
	return DONE;
}

/* ---- get ---- */

static long number_of(const struct item *item)
{
	return item == NULL ? NOBODY : item->number;
}

static long real_get(const struct op *op)
{
	const struct item *item = k_queue_get(&queues[op->object], op->timeout);

	if (item != NULL) {
		in_use[item->number] = false;
	}
	return number_of(item);
}

static enum outcome resume_get(const struct op *op, long *result)
{
	*result = model.thread[model.current].wake_result;
	if (*result != NOBODY) {
		m_in_use[*result] = false;
	}
	return DONE;
}

static enum outcome model_get(const struct op *op, long *result)
{
	struct m_kqueue *queue = &m_queues[op->object];

	if (queue->length == 0) {
		*result = NOBODY;
		return op->timeout.ticks == 0 ? DONE : m_pend(&queue->waiters, op->timeout, NOBODY);
	}
	*result = queue->entry[0].item;
	m_in_use[*result] = false;
	m_unlink(queue, 0);
	return DONE;
}

static long real_remove(const struct op *op)
{
	bool removed = k_queue_remove(&queues[op->object], &items[op->a]);

	if (removed) {
		in_use[op->a] = false;
	}
	return removed;
}

static enum outcome model_remove(const struct op *op, long *result)
{
	struct m_kqueue *queue = &m_queues[op->object];
	int place = m_find(queue, op->a);

	*result = place != NOBODY;
	if (place != NOBODY) {
		m_unlink(queue, place);
		m_in_use[op->a] = false;
	}
	return DONE;
}

static long real_cancel(const struct op *op)
{
	k_queue_cancel_wait(&queues[op->object]);
	return 0;
}

static enum outcome model_cancel(const struct op *op, long *result)
{
	struct m_kqueue *queue = &m_queues[op->object];

	*result = 0;
	if (queue->waiters.length != 0) {
		m_wake(queue->waiters.thread[0], NOBODY);
	}
	m_poll_cancel(&pollable_queue, op->object);
	return DONE;
}

static long real_peek(const struct op *op)
{
	struct k_queue *queue = &queues[op->object];
	long head = number_of(k_queue_peek_head(queue));
	long tail = number_of(k_queue_peek_tail(queue));

	return (k_queue_is_empty(queue) != 0 ? 10000 : 0) + (head + 1) * 100 + tail + 1;
}

static enum outcome model_peek(const struct op *op, long *result)
{
	const struct m_kqueue *queue = &m_queues[op->object];

	*result = 10000;
	if (queue->length != 0) {
		*result = (queue->entry[0].item + 1) * 100 + queue->entry[queue->length - 1].item +
			  1;
	}
	return DONE;
}

/* ---- state ---- */

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < QUEUES; i++) {
		n += snprintf(text + n, size - (size_t)n, "queue %d:", i);
		for (uintptr_t p = queues[i].head; p > 1; p = *(uintptr_t *)(p & ~(uintptr_t)1)) {
			bool contained = (p & 1) != 0;
			const struct item *item = contained
							  ? ((struct item **)(p & ~(uintptr_t)1))[1]
							  : (struct item *)p;

			n += snprintf(text + n, size - (size_t)n, " %ld%s", number_of(item),
				      contained ? "c" : "");
		}
		n += show_wait_q(text + n, size - (size_t)n, &queues[i].wait_q);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < QUEUES; i++) {
		const struct m_kqueue *queue = &m_queues[i];

		n += snprintf(text + n, size - (size_t)n, "queue %d:", i);
		for (int k = 0; k < queue->length; k++) {
			n += snprintf(text + n, size - (size_t)n, " %d%s", queue->entry[k].item,
				      queue->entry[k].contained ? "c" : "");
		}
		n += show_m_queue(text + n, size - (size_t)n, &queue->waiters);
	}
	return n;
}

/* Emptied queues have given all containers back: the system heap is whole again. */
static bool end(void)
{
	void *all;

	for (int i = 0; i < QUEUES; i++) {
		while (k_queue_get(&queues[i], K_NO_WAIT) != NULL) {
		}
	}
	all = k_malloc(CONFIG_HEAP_MEM_POOL_SIZE - HEAP_UNIT);
	k_free(all);
	return all != NULL;
}

static void *real_object(int object)
{
	return &queues[object];
}

static bool is_there(int object)
{
	return m_queues[object].length != 0;
}

const struct pollable pollable_queue = {QUEUES, real_object, is_there};

static const struct op_type types[] = {
	{"queue_put", 40, CAN_ALL, generate, real_put, model_put, NULL},
	{"queue_insert", 6, CAN_ALL, generate, real_insert, model_insert, NULL},
	{"queue_append_list", 6, CAN_ALL, generate, real_put_list, model_put_list, NULL},
	{"queue_unique_append", 5, CAN_ALL, generate, real_unique, model_unique, NULL},
	{"queue_get", 55, CAN_ALL, generate, real_get, model_get, resume_get},
	{"queue_remove", 5, CAN_ALL, generate, real_remove, model_remove, NULL},
	{"queue_cancel_wait", 4, CAN_ALL, generate, real_cancel, model_cancel, NULL},
	{"queue_peek", 4, CAN_ALL, generate, real_peek, model_peek, NULL},
};

const struct family family_queue = {
	"queue", types, ARRAY_SIZE(types), init, show_real, show_model, end,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fifos and lifos, which differ in which end is put to, so one text serves both: a
 * macro defines the windows and the table of either.
 *
 * Windows: one call, or, in the pairs, one call until the other thread's own call has
 * returned. The alloc rows draw a container from the thread's resource pool, which is
 * the system heap; with a waiter there the item is handed over and none is needed. What
 * is got must be what was put, and in the end the heap must be whole again.
 */
#include "latency.h"

struct item {
	void *reserved; /* the queue's while the item is in it */
	uint32_t serial;
};

static MEASURE_SHARED struct item item;
static MEASURE_SHARED uint32_t serial;
static MEASURE_SHARED struct k_queue *queue; /* the one that is being measured */

/* The rows of one kind of queue, in the order in which they are measured. */
struct queue_rows {
	struct measure_operation put;
	struct measure_operation get;
	struct measure_operation put_alloc;
	struct measure_operation get_free;
	struct measure_pair plain;
	struct measure_operation put_alloc_user;
	struct measure_operation get_free_user;
	struct measure_pair alloc;
};

static void put_before(void)
{
	item.serial = ++serial;
}

static void put_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "queued", result == 0 && k_queue_peek_head(queue) == &item);
}

/* Bit 0 of the head says that the item is in a container. */
static void put_alloc_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "queued", result == 0 && k_queue_peek_head(queue) == &item);
	measure_witness(row, "allocated", (queue->head & 1U) != 0);
}

static void put_to_waiter_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "handed_over", result == 0 && k_queue_is_empty(queue));
}

static void get_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received",
			result == (intptr_t)&item && item.serial == serial &&
				k_queue_is_empty(queue));
}

/* User threads get no blocks from the heap themselves: measure_queue() looks behind them. */
static void get_free_after(struct measure_row *row, intptr_t result)
{
	get_after(row, result);
	if (row->n == (uint32_t)CONFIG_MEASURE_SAMPLES && !k_is_user_context()) {
		void *whole = k_malloc(CONFIG_HEAP_MEM_POOL_SIZE);

		if (whole == NULL) {
			measure_fail(row, "not every container was freed");
		}
		k_free(whole);
	}
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, queue);
}

/* clang-format off */
#define QUEUE_ROWS(kind, KIND)                                                              \
	static CONCAT(CONCAT(K_, KIND), _DEFINE)(kind);                                     \
	MEASURE_WINDOW(kind##_put, k_##kind##_put(&kind, &item))                            \
	MEASURE_WINDOW(kind##_alloc_put, result = k_##kind##_alloc_put(&kind, &item))       \
	MEASURE_WINDOW(kind##_get_now, result = (intptr_t)k_##kind##_get(&kind, K_NO_WAIT)) \
	MEASURE_WINDOW(kind##_get, result = (intptr_t)k_##kind##_get(&kind, K_FOREVER))     \
	static const struct queue_rows kind##_rows = {                                      \
		.put = {#kind ".put.immediate.kernel",                                      \
			"Add data to " #KIND " (no ctx switch)",                            \
			kind##_put, put_before, put_after},                                 \
		.get = {#kind ".get.immediate.kernel",                                      \
			"Get data from " #KIND " (no ctx switch)",                          \
			kind##_get_now, NULL, get_after},                                   \
		.put_alloc = {#kind ".put.alloc.immediate.kernel",                          \
			"Allocate to add data to " #KIND " (no ctx switch)",                \
			kind##_alloc_put, put_before, put_alloc_after},                     \
		.get_free = {#kind ".get.free.immediate.kernel",                            \
			"Free when getting data from " #KIND " (no ctx switch)",            \
			kind##_get_now, NULL, get_free_after},                              \
		.put_alloc_user = {#kind ".put.alloc.immediate.user",                       \
			"Allocate to add data to " #KIND " (no ctx switch)",                \
			kind##_alloc_put, put_before, put_alloc_after},                     \
		.get_free_user = {#kind ".get.free.immediate.user",                         \
			"Free when getting data from " #KIND " (no ctx switch)",            \
			kind##_get_now, NULL, get_free_after},                              \
		.plain = {                                                                  \
			.wait = {#kind ".get.blocking.k_to_k",                              \
				"Get data from " #KIND " (w/ ctx switch)",                  \
				kind##_get, NULL, get_after},                               \
			.wake = {#kind ".put.wake+ctx.k_to_k",                              \
				"Add data to " #KIND " (w/ ctx switch)",                    \
				kind##_put, put_before, put_to_waiter_after},               \
			.wait_q = &kind._queue.wait_q,                                      \
		},                                                                          \
		.alloc = {                                                                  \
			.wait = {#kind ".get.free.blocking",                                \
				"Free when getting data from " #KIND " (w/ ctx switch)",    \
				kind##_get, NULL, get_free_after},                          \
			.wake = {#kind ".put.alloc.wake+ctx",                               \
				"Allocate to add data to " #KIND " (w/ ctx switch)",        \
				kind##_alloc_put, put_before, put_to_waiter_after},         \
			.wait_q = &kind._queue.wait_q,                                      \
			.grant = grant,                                                     \
		},                                                                          \
	};

QUEUE_ROWS(fifo, FIFO)
QUEUE_ROWS(lifo, LIFO)
/* clang-format on */

static void measure_queue(struct k_queue *measured, const struct queue_rows *rows)
{
	queue = measured;
	measure_turns(&rows->put, &rows->get);
	measure_turns(&rows->put_alloc, &rows->get_free);
	measure_user_open(grant);
	measure_user_turns(&rows->put_alloc_user, &rows->get_free_user);
	measure_user_close();
	measure_pair(&rows->plain);
	latency_pair(&rows->alloc);
}

void latency_fifo(void)
{
	measure_queue(&fifo._queue, &fifo_rows);
}

void latency_lifo(void)
{
	measure_queue(&lifo._queue, &lifo_rows);
}

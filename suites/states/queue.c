/* SPDX-License-Identifier: Apache-2.0 */
/* Fifos and lifos: with an item of the caller's, or one in a container from the heap. */
#include "states.h"

static K_FIFO_DEFINE(fifo);
static K_LIFO_DEFINE(lifo);
static uintptr_t item[2];

MEASURE_WINDOW(fifo_put, k_fifo_put(&fifo, item))
MEASURE_WINDOW(fifo_get_now, result = (intptr_t)k_fifo_get(&fifo, K_NO_WAIT))
MEASURE_WINDOW(fifo_get, result = (intptr_t)k_fifo_get(&fifo, K_FOREVER))
MEASURE_WINDOW(fifo_get_timed, result = (intptr_t)k_fifo_get(&fifo, K_SECONDS(100)))
MEASURE_WINDOW(fifo_alloc_put, result = k_fifo_alloc_put(&fifo, item))
MEASURE_WINDOW(lifo_put, k_lifo_put(&lifo, item))
MEASURE_WINDOW(lifo_get_now, result = (intptr_t)k_lifo_get(&lifo, K_NO_WAIT))
MEASURE_WINDOW(lifo_get, result = (intptr_t)k_lifo_get(&lifo, K_FOREVER))
MEASURE_WINDOW(lifo_get_timed, result = (intptr_t)k_lifo_get(&lifo, K_SECONDS(100)))

static void empty(void)
{
	(void)k_fifo_get(&fifo, K_NO_WAIT);
	(void)k_lifo_get(&lifo, K_NO_WAIT);
}

static void fill(void)
{
	k_fifo_put(&fifo, item);
	k_lifo_put(&lifo, item);
}

static void fill_from_heap(void)
{
	(void)k_fifo_alloc_put(&fifo, item);
}

static void put(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "put",
			k_fifo_get(&fifo, K_NO_WAIT) == (void *)item ||
				k_lifo_get(&lifo, K_NO_WAIT) == (void *)item);
}

static void got(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "got", result == (intptr_t)item);
	empty();
}

static void received(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received", result == (intptr_t)item);
}

static void refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == 0);
}

static void handed_over(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "handed_over",
			k_fifo_is_empty(&fifo) != 0 && k_lifo_get(&lifo, K_NO_WAIT) == NULL);
}

static void fifo_get_once(void)
{
	(void)k_fifo_get(&fifo, K_FOREVER);
}

static void lifo_get_once(void)
{
	(void)k_lifo_get(&lifo, K_FOREVER);
}

static void measure_alone(void)
{
	states_single(&(struct measure_operation){"fifo.put.immediate.kernel",
						  "Add data to FIFO (no ctx switch)", fifo_put,
						  NULL, put},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"fifo.get.immediate.kernel",
						  "Get data from FIFO (no ctx switch)",
						  fifo_get_now, fill, got},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"fifo.get.refused.kernel",
						  "Get from an empty FIFO, not waiting",
						  fifo_get_now, NULL, refused},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"fifo.put.alloc.immediate.kernel",
						  "Allocate to add data to FIFO (no ctx switch)",
						  fifo_alloc_put, NULL, put},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"fifo.get.free.immediate.kernel",
						  "Free when getting data from FIFO", fifo_get_now,
						  fill_from_heap, got},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"lifo.put.immediate.kernel",
						  "Add data to LIFO (no ctx switch)", lifo_put,
						  NULL, put},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"lifo.get.immediate.kernel",
						  "Get data from LIFO (no ctx switch)",
						  lifo_get_now, fill, got},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"lifo.get.refused.kernel",
						  "Get from an empty LIFO, not waiting",
						  lifo_get_now, NULL, refused},
		      CALLERS_ALL);
}

void states_queue(void)
{
	measure_alone();
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"fifo.get.blocking.k_to_k", "Get data from FIFO (w/ ctx switch)",
				  fifo_get, NULL, received},
			 .wake = {"fifo.put.wake+ctx.k_to_k", "Add data to FIFO (w/ ctx switch)",
				  fifo_put, NULL, handed_over},
			 .wait_q = &fifo._queue.wait_q},
		.wait_timed = fifo_get_timed,
		.wait_once = fifo_get_once,
		.no_switch_id = "fifo.put.wake.kernel",
	});
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"lifo.get.blocking.k_to_k", "Get data from LIFO (w/ ctx switch)",
				  lifo_get, NULL, received},
			 .wake = {"lifo.put.wake+ctx.k_to_k", "Add data to LIFO (w/ ctx switch)",
				  lifo_put, NULL, handed_over},
			 .wait_q = &lifo._queue.wait_q},
		.wait_timed = lifo_get_timed,
		.wait_once = lifo_get_once,
		.no_switch_id = "lifo.put.wake.kernel",
	});
}

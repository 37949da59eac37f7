/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heaps as kernel objects: who waits, who is served. All blocks are of one size, so that
 * how many there are is all the model has to know; the allocator behind it has a test of
 * its own (heap_model.c). Blocks are kept in slots as in ops_slab.c.
 */
#include <stdio.h>
#include <string.h>

#include "model.h"

#define SLOTS      8
#define BLOCK_SIZE 40
#define BAD_BLOCK  (-1001)
#define NO_BLOCK   (-1)

static struct k_heap heap;
static uint64_t memory[36];
static void *slots[SLOTS];
static struct m_queue m_queue;
static bool m_slots[SLOTS];
static int m_used;     /* in slots, and on the way to one */
static int m_capacity;

/* Exhausts the heap once to learn how many blocks it holds. */
static void init(void)
{
	k_heap_init(&heap, memory, sizeof(memory));
	while (m_capacity < SLOTS &&
	       (slots[m_capacity] = k_heap_alloc(&heap, BLOCK_SIZE, K_NO_WAIT)) != NULL) {
		m_capacity++;
	}
	for (int i = 0; i < m_capacity; i++) {
		k_heap_free(&heap, slots[i]);
		slots[i] = NULL;
	}
}

static void generate(struct op *op)
{
	op->a = (int32_t)random_below(SLOTS);
	op->b = (int32_t)random_below(4);
}

static bool overlaps(const char *block)
{
	for (int i = 0; i < SLOTS; i++) {
		const char *other = slots[i];

		if (other != NULL && block < other + BLOCK_SIZE && other < block + BLOCK_SIZE) {
			return true;
		}
	}
	return false;
}

static long keep(char *block, bool zeroed)
{
	int place = 0;

	if (block == NULL) {
		return NO_BLOCK;
	}
	while (slots[place] != NULL) {
		if (++place == SLOTS) {
			return BAD_BLOCK;
		}
	}
	for (int i = 0; zeroed && i < BLOCK_SIZE; i++) {
		if (block[i] != 0) {
			return BAD_BLOCK;
		}
	}
	if (block < (char *)memory || block + BLOCK_SIZE > (char *)memory + sizeof(memory) ||
	    (uintptr_t)block % HEAP_UNIT != 0 || overlaps(block)) {
		return BAD_BLOCK;
	}
	slots[place] = block;
	memset(block, 0x5a, BLOCK_SIZE);
	return place;
}

/* op.b: which of the functions. */
static long real_alloc(const struct op *op)
{
	switch (op->b) {
	case 0:
		return keep(k_heap_calloc(&heap, BLOCK_SIZE / 8, 8, op->timeout), true);
	case 1:
		return keep(k_heap_aligned_alloc(&heap, 8, BLOCK_SIZE, op->timeout), false);
	case 2:
		return keep(k_heap_realloc(&heap, NULL, BLOCK_SIZE, op->timeout), false);
	default:
		return keep(k_heap_alloc(&heap, BLOCK_SIZE, op->timeout), false);
	}
}

static long m_keep(void)
{
	int place = 0;

	while (m_slots[place]) {
		place++;
	}
	m_slots[place] = true;
	return place;
}

static enum outcome model_alloc(const struct op *op, long *result)
{
	if (m_used == m_capacity) {
		if (op->timeout.ticks != 0) {
			return m_pend(&m_queue, op->timeout, NO_BLOCK);
		}
		*result = NO_BLOCK;
		return DONE;
	}
	m_used++;
	*result = m_keep();
	return DONE;
}

static enum outcome resume_alloc(const struct op *op, long *result)
{
	*result = model.thread[model.current].wake_result;
	if (*result == 0) {
		*result = m_keep();
	}
	return DONE;
}

static long real_free(const struct op *op)
{
	void *block = slots[op->a];

	slots[op->a] = NULL;
	k_heap_free(&heap, block);
	return block != NULL;
}

static enum outcome model_free(const struct op *op, long *result)
{
	*result = m_slots[op->a];
	if (!m_slots[op->a]) {
		return DONE;
	}
	m_slots[op->a] = false;
	if (m_queue.length != 0) {
		m_wake(m_queue.thread[0], 0);
	} else {
		m_used--;
	}
	return DONE;
}

/* More than there is: refused at once, however long one would wait. */
static long real_too_much(const struct op *op)
{
	if (slots[op->a] != NULL &&
	    k_heap_realloc(&heap, slots[op->a], sizeof(memory) + 1, op->timeout) != NULL) {
		return BAD_BLOCK;
	}
	return k_heap_alloc(&heap, sizeof(memory) + 1, op->timeout) == NULL ? 0 : BAD_BLOCK;
}

static enum outcome model_too_much(const struct op *op, long *result)
{
	*result = 0;
	return DONE;
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < SLOTS; i++) {
		n += snprintf(text + n, size - (size_t)n, "%d", slots[i] != NULL);
	}
	return n + show_wait_q(text + n, size - (size_t)n, &heap.wait_q);
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < SLOTS; i++) {
		n += snprintf(text + n, size - (size_t)n, "%d", m_slots[i]);
	}
	return n + show_m_queue(text + n, size - (size_t)n, &m_queue);
}

static const struct op_type types[] = {
	{"heap_alloc", 40, CAN_ALL, generate, real_alloc, model_alloc, resume_alloc},
	{"heap_free", 60, CAN_ALL, generate, real_free, model_free, NULL},
	{"heap_too_much", 2, CAN_ALL, generate, real_too_much, model_too_much, NULL},
};

const struct family family_heap = {
	"heap", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

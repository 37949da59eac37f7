/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory slabs. Which block is given is the slab's own affair; that it is one of its
 * blocks and nobody else's is checked. Blocks are kept in slots, the first free one each
 * time, so that both sides can name the same.
 */
#include <stdio.h>

#include "model.h"

#define BLOCKS     4
#define BLOCK_SIZE 24
#define BAD_BLOCK  (-1001)

static struct k_mem_slab slab;
static uint64_t buffer[BLOCKS * BLOCK_SIZE / sizeof(uint64_t)];
static void *slots[BLOCKS];
static struct m_queue m_queue;
static bool m_slots[BLOCKS];
static uint32_t m_used;     /* in slots, and on the way to one */
static uint32_t m_max_used;

static void init(void)
{
	(void)k_mem_slab_init(&slab, buffer, BLOCK_SIZE, BLOCKS);
}

static void generate(struct op *op)
{
	op->a = (int32_t)random_below(BLOCKS);
}

static long keep(void *block)
{
	size_t offset = (size_t)((char *)block - (char *)buffer);
	int place = -1;

	for (int i = BLOCKS - 1; i >= 0; i--) {
		if (slots[i] == block) {
			return BAD_BLOCK;
		}
		place = slots[i] == NULL ? i : place;
	}
	if (offset >= sizeof(buffer) || offset % BLOCK_SIZE != 0 || place < 0) {
		return BAD_BLOCK;
	}
	slots[place] = block;
	__builtin_memset(block, 0x5a, BLOCK_SIZE);
	return place;
}

static long real_alloc(const struct op *op)
{
	void *block = &slab;
	int result = k_mem_slab_alloc(&slab, &block, op->timeout);

	if (result != 0) {
		return block == NULL ? result : BAD_BLOCK;
	}
	return keep(block);
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
	if (m_used == BLOCKS) {
		if (op->timeout.ticks != 0) {
			return m_pend(&m_queue, op->timeout, -EAGAIN);
		}
		*result = -ENOMEM;
		return DONE;
	}
	m_used++;
	m_max_used = MAX(m_max_used, m_used);
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

	if (block == NULL) {
		return SKIPPED;
	}
	slots[op->a] = NULL;
	k_mem_slab_free(&slab, block);
	return 0;
}

static enum outcome model_free(const struct op *op, long *result)
{
	if (!m_slots[op->a]) {
		*result = SKIPPED;
		return DONE;
	}
	m_slots[op->a] = false;
	if (m_queue.length != 0) {
		m_wake(m_queue.thread[0], 0);
	} else {
		m_used--;
	}
	*result = 0;
	return DONE;
}

static int show_real(char *text, size_t size)
{
	int n = snprintf(text, size, "slab: %u used, %u free, %u at most",
			 k_mem_slab_num_used_get(&slab), k_mem_slab_num_free_get(&slab),
			 k_mem_slab_max_used_get(&slab));

	return n + show_wait_q(text + n, size - (size_t)n, &slab.wait_q);
}

static int show_model(char *text, size_t size)
{
	int n = snprintf(text, size, "slab: %u used, %u free, %u at most", m_used, BLOCKS - m_used,
			 m_max_used);

	return n + show_m_queue(text + n, size - (size_t)n, &m_queue);
}

static const struct op_type types[] = {
	{"slab_alloc", 40, CAN_ALL, generate, real_alloc, model_alloc, resume_alloc},
	{"slab_free", 60, CAN_ALL, generate, real_free, model_free, NULL},
};

const struct family family_slab = {
	"slab", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks: op.a is the word, above 0. */
#include <stdio.h>

#include "model.h"

#define STACKS 2
#define PLACES 3

static struct k_stack stacks[STACKS];
static stack_data_t buffers[STACKS][PLACES];
static struct m_stack {
	struct m_queue queue;
	int used;
	long word[PLACES];
} m_stacks[STACKS];

static void init(void)
{
	for (int i = 0; i < STACKS; i++) {
		k_stack_init(&stacks[i], buffers[i], PLACES);
	}
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(STACKS);
	op->a = 1 + (int32_t)random_below(1000);
}

static long real_push(const struct op *op)
{
	return k_stack_push(&stacks[op->object], (stack_data_t)op->a);
}

static enum outcome model_push(const struct op *op, long *result)
{
	struct m_stack *stack = &m_stacks[op->object];

	*result = 0;
	if (stack->queue.length != 0) {
		m_wake(stack->queue.thread[0], op->a);
	} else if (stack->used == PLACES) {
		*result = -ENOMEM;
	} else {
		stack->word[stack->used++] = op->a;
	}
	return DONE;
}

static long real_pop(const struct op *op)
{
	stack_data_t word = 0;
	int result = k_stack_pop(&stacks[op->object], &word, op->timeout);

	return result == 0 ? (long)word : result;
}

static enum outcome model_pop(const struct op *op, long *result)
{
	struct m_stack *stack = &m_stacks[op->object];

	if (stack->used == 0 && op->timeout.ticks != 0) {
		return m_pend(&stack->queue, op->timeout, -EAGAIN);
	}
	*result = stack->used == 0 ? -EBUSY : stack->word[--stack->used];
	return DONE;
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < STACKS; i++) {
		n += snprintf(text + n, size - (size_t)n, "stack %d:", i);
		for (stack_data_t *p = stacks[i].base; p < stacks[i].next; p++) {
			n += snprintf(text + n, size - (size_t)n, " %ld", (long)*p);
		}
		n += show_wait_q(text + n, size - (size_t)n, &stacks[i].wait_q);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < STACKS; i++) {
		n += snprintf(text + n, size - (size_t)n, "stack %d:", i);
		for (int k = 0; k < m_stacks[i].used; k++) {
			n += snprintf(text + n, size - (size_t)n, " %ld", m_stacks[i].word[k]);
		}
		n += show_m_queue(text + n, size - (size_t)n, &m_stacks[i].queue);
	}
	return n;
}

static const struct op_type types[] = {
	{"stack_push", 40, CAN_ALL, generate, real_push, model_push, NULL},
	{"stack_pop", 40, CAN_ALL, generate, real_pop, model_pop, NULL},
};

const struct family family_stack = {
	"stack", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

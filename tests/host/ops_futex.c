/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Futexes. The first and the last of them are the kernel's in one wait queue, the middle one is in another: nobody may
 * notice. op.a is the value that is expected, or written; op.b says whether all are woken.
 */
#include <stdio.h>

#include "model.h"

#define FUTEXES 3
#define PLACES  9

static struct k_futex places[PLACES];
static struct k_futex *const futexes[FUTEXES] = {&places[0], &places[3], &places[PLACES - 1]};

static struct {
	struct m_queue queue;
	long value;
} m_futexes[FUTEXES];

static void init(void)
{
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(FUTEXES);
	op->a = one_in(3);
	op->b = one_in(3);
}

static long real_wait(const struct op *op)
{
	return k_futex_wait(futexes[op->object], op->a, op->timeout);
}

static enum outcome model_wait(const struct op *op, long *result)
{
	if (m_futexes[op->object].value != op->a) {
		*result = -EAGAIN;
		return DONE;
	}
	if (op->timeout.ticks == 0) {
		*result = -ETIMEDOUT;
		return DONE;
	}
	return m_pend(&m_futexes[op->object].queue, op->timeout, -ETIMEDOUT);
}

static long real_wake(const struct op *op)
{
	return k_futex_wake(futexes[op->object], op->b != 0);
}

static enum outcome model_wake(const struct op *op, long *result)
{
	struct m_queue *queue = &m_futexes[op->object].queue;

	for (*result = 0; queue->length != 0 && (op->b != 0 || *result == 0); (*result)++) {
		m_wake(queue->thread[0], 0);
	}
	return DONE;
}

static long real_set(const struct op *op)
{
	return atomic_set(&futexes[op->object]->val, op->a);
}

static enum outcome model_set(const struct op *op, long *result)
{
	*result = m_futexes[op->object].value;
	m_futexes[op->object].value = op->a;
	return DONE;
}

/* Who waits is nowhere but in the kernel's own file: it is seen by what a wake-up returns, and by who wakes. */
static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < FUTEXES; i++) {
		n += snprintf(text + n, size - (size_t)n, "futex %d: %ld ", i,
			      (long)atomic_get(&futexes[i]->val));
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < FUTEXES; i++) {
		n += snprintf(text + n, size - (size_t)n, "futex %d: %ld ", i, m_futexes[i].value);
	}
	return n;
}

static const struct op_type types[] = {
	{"futex_wait", 40, CAN_ALL, generate, real_wait, model_wait, NULL},
	{"futex_wake", 30, CAN_ALL, generate, real_wake, model_wake, NULL},
	{"futex_set", 8, CAN_ALL, generate, real_set, model_set, NULL},
};

const struct family family_futex = {
	"futex", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

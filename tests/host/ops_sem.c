/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores. */
#include <stdio.h>

#include "model.h"

#define SEMS 3

static struct k_sem sems[SEMS];
static struct m_sem {
	struct m_queue queue;
	unsigned int count;
	unsigned int limit;
} m_sems[SEMS];

static void init(void)
{
	for (int i = 0; i < SEMS; i++) {
		m_sems[i].limit = 1 + random_below(3);
		m_sems[i].count = random_below(m_sems[i].limit + 1);
		(void)k_sem_init(&sems[i], m_sems[i].count, m_sems[i].limit);
	}
}

static void generate(struct op *op)
{
	op->object = (uint8_t)random_below(SEMS);
}

static long real_take(const struct op *op)
{
	return k_sem_take(&sems[op->object], op->timeout);
}

static enum outcome model_take(const struct op *op, long *result)
{
	struct m_sem *sem = &m_sems[op->object];

	if (sem->count == 0 && op->timeout.ticks != 0) {
		return m_pend(&sem->queue, op->timeout, -EAGAIN);
	}
	*result = sem->count == 0 ? -EBUSY : 0;
	sem->count -= sem->count != 0;
	return DONE;
}

void real_sem_give(int object)
{
	k_sem_give(&sems[object]);
}

static long real_give(const struct op *op)
{
	k_sem_give(&sems[op->object]);
	return 0;
}

void m_sem_give(int object)
{
	struct m_sem *sem = &m_sems[object];

	if (sem->queue.length != 0) {
		m_wake(sem->queue.thread[0], 0);
	} else {
		sem->count = MIN(sem->count + 1, sem->limit);
		m_poll_tell(&pollable_sem, object);
	}
}

static enum outcome model_give(const struct op *op, long *result)
{
	m_sem_give(op->object);
	*result = 0;
	return DONE;
}

static long real_reset(const struct op *op)
{
	k_sem_reset(&sems[op->object]);
	return 0;
}

static enum outcome model_reset(const struct op *op, long *result)
{
	m_sems[op->object].count = 0;
	m_wake_all(&m_sems[op->object].queue, -EAGAIN);
	*result = 0;
	return DONE;
}

static long real_count(const struct op *op)
{
	return (long)k_sem_count_get(&sems[op->object]);
}

static enum outcome model_count(const struct op *op, long *result)
{
	*result = (long)m_sems[op->object].count;
	return DONE;
}

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < SEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "sem %d: %u/%u", i, sems[i].count,
			      sems[i].limit);
		n += show_wait_q(text + n, size - (size_t)n, &sems[i].wait_q);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < SEMS; i++) {
		n += snprintf(text + n, size - (size_t)n, "sem %d: %u/%u", i, m_sems[i].count,
			      m_sems[i].limit);
		n += show_m_queue(text + n, size - (size_t)n, &m_sems[i].queue);
	}
	return n;
}

static void *real_object(int object)
{
	return &sems[object];
}

static bool is_there(int object)
{
	return m_sems[object].count != 0;
}

const struct pollable pollable_sem = {SEMS, real_object, is_there};

static const struct op_type types[] = {
	{"sem_take", 40, CAN_ALL, generate, real_take, model_take, NULL},
	{"sem_give", 40, CAN_ALL, generate, real_give, model_give, NULL},
	{"sem_reset", 4, CAN_ALL, generate, real_reset, model_reset, NULL},
	{"sem_count_get", 2, CAN_ALL, generate, real_count, model_count, NULL},
};

const struct family family_sem = {
	"sem", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

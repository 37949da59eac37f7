/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes with inheritance, and condition variables. The model's inheritance is the
 * definition: whenever anything changed, everybody's priority is computed anew from
 * those of all who wait for him, until nothing changes any more.
 */
#include <stdio.h>

#include "model.h"

#define MUTEXES  3
#define CONDVARS 2
#define ENDED    (-2) /* owned by one that has ended: nobody's, until it is made anew */
#define ROBUST   IS_ENABLED(CONFIG_MUTEX_ROBUST)

static struct k_mutex mutexes[MUTEXES];
static struct k_condvar condvars[CONDVARS];
static struct m_mutex {
	struct m_queue queue;
	int owner;
	int count;
	int64_t contended; /* when the first began to wait; the last one is passed on first */
} m_mutexes[MUTEXES];
static struct m_queue m_condvars[CONDVARS];
static int64_t contentions;

static void init(void)
{
	for (int i = 0; i < MUTEXES; i++) {
		(void)k_mutex_init(&mutexes[i]);
		m_mutexes[i].owner = NOBODY;
	}
	for (int i = 0; i < CONDVARS; i++) {
		(void)k_condvar_init(&condvars[i]);
	}
}

/* ---- inheritance ---- */

int m_entitled_prio(int id)
{
	int prio = model.thread[id].base_prio;

	for (int i = 0; i < MUTEXES; i++) {
		const struct m_mutex *m = &m_mutexes[i];

		for (int w = 0; m->owner == id && w < m->queue.length; w++) {
			prio = MIN(prio, model.thread[m->queue.thread[w]].prio);
		}
	}
	return m_ipc_entitled_prio(id, prio);
}

void m_mutex_settle(void)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (int id = 0; id < WORKERS; id++) {
			int prio = m_entitled_prio(id);

			if (prio != model.thread[id].prio) {
				m_set_prio(id, prio);
				changed = true;
			}
		}
	}
}

/* To the first who waits, with `result`. */
static void pass_on(struct m_mutex *m, long result)
{
	int heir = m->queue.thread[0];

	m_wake(heir, result);
	m->owner = heir;
	m->count = 1;
	m->contended = ++contentions;
}

static struct m_mutex *last_contended(int owner)
{
	struct m_mutex *last = NULL;

	for (int i = 0; i < MUTEXES; i++) {
		struct m_mutex *m = &m_mutexes[i];

		if (m->owner == owner && m->queue.length != 0 &&
		    (last == NULL || m->contended > last->contended)) {
			last = m;
		}
	}
	return last;
}

/* As in Zephyr: what it held stays locked; or the next owner is told. */
void m_mutex_owner_ended(int id)
{
	struct m_mutex *m;

	while (ROBUST && (m = last_contended(id)) != NULL) {
		pass_on(m, -EOWNERDEAD);
	}
	for (int i = 0; i < MUTEXES; i++) {
		if (m_mutexes[i].owner == id) {
			m_mutexes[i].owner = ENDED;
		}
	}
}

/* Who holds it; by generation, since a worker is created anew in the same place. */
static int real_owner(const struct k_mutex *mutex)
{
	if (mutex->generation == 0) {
		return NOBODY;
	}
	if (mutex->owner == NULL || mutex->owner->generation != mutex->generation) {
		return ENDED;
	}
	return thread_number(mutex->owner);
}

static bool real_is_mine(const struct k_mutex *mutex)
{
	int owner = real_owner(mutex);

	return owner >= 0 && &workers[owner] == k_current_get();
}

/* ---- mutexes ---- */

/* Two threads may lock each other out, so that nearly all waits come to an end. */
static void generate_mutex(struct op *op)
{
	op->object = (uint8_t)random_below(MUTEXES);
	if (op->timeout.ticks > 1000 && !one_in(8)) {
		op->timeout = K_TICKS(1 + random_below(100));
	}
}

static long real_lock(const struct op *op)
{
	return k_mutex_lock(&mutexes[op->object], op->timeout);
}

/* Who inherits from `id` while that waits; below 0: nobody. */
static int heir_of(int id)
{
	const struct m_thread *t = &model.thread[id];

	for (int i = 0; t->pending && i < MUTEXES; i++) {
		if (t->queue == &m_mutexes[i].queue) {
			return m_mutexes[i].owner;
		}
	}
	return t->pending && t->queue != NULL ? m_ipc_heir(t->queue) : NOBODY;
}

/* Owners that wait themselves have the running thread's priority before it is in a queue. */
void m_lend_ahead(int owner)
{
	const int prio = model.thread[model.current].prio;

	if (owner < 0 || heir_of(owner) < 0) {
		return;
	}
	while (owner >= 0 && model.thread[owner].prio > prio) {
		m_set_prio(owner, prio);
		owner = heir_of(owner);
	}
}

static enum outcome wait_for(struct m_mutex *m, k_timeout_t timeout, long timeout_result)
{
	m_lend_ahead(m->owner);
	if (m->queue.length == 0) {
		m->contended = ++contentions;
	}
	return m_pend(&m->queue, timeout, timeout_result);
}

static long own_after_the_dead(struct m_mutex *m)
{
	m->owner = model.current;
	m->count = 1;
	return -EOWNERDEAD;
}

static enum outcome model_lock(const struct op *op, long *result)
{
	struct m_mutex *m = &m_mutexes[op->object];

	if (m->owner == NOBODY || m->owner == model.current) {
		m->owner = model.current;
		m->count++;
		*result = 0;
		return DONE;
	}
	if (ROBUST && m->owner == ENDED) {
		*result = own_after_the_dead(m);
		return DONE;
	}
	if (op->timeout.ticks == 0) {
		*result = -EBUSY;
		return DONE;
	}
	return wait_for(m, op->timeout, -EAGAIN);
}

static long real_unlock(const struct op *op)
{
	if (!real_is_mine(&mutexes[op->object])) {
		return SKIPPED;
	}
	return k_mutex_unlock(&mutexes[op->object]);
}

static void m_unlock(struct m_mutex *m)
{
	if (--m->count != 0) {
		return;
	}
	m->owner = NOBODY;
	if (m->queue.length != 0) {
		pass_on(m, 0);
	}
	m_mutex_settle();
}

static enum outcome model_unlock(const struct op *op, long *result)
{
	struct m_mutex *m = &m_mutexes[op->object];

	*result = 0;
	if (m->owner != model.current) {
		*result = SKIPPED;
	} else {
		m_unlock(m);
	}
	return DONE;
}

/* Made anew where its owner has ended and nobody waits. */
static long real_init_again(const struct op *op)
{
	struct k_mutex *m = &mutexes[op->object];

	if (real_owner(m) != ENDED || m->wait_q.head != NULL) {
		return SKIPPED;
	}
	return k_mutex_init(m);
}

static enum outcome model_init_again(const struct op *op, long *result)
{
	struct m_mutex *m = &m_mutexes[op->object];

	*result = SKIPPED;
	if (m->owner == ENDED && m->queue.length == 0) {
		m->owner = NOBODY;
		m->count = 0;
		*result = 0;
	}
	return DONE;
}

/* ---- condition variables: op.a is the mutex ---- */

static void generate_condvar(struct op *op)
{
	op->object = (uint8_t)random_below(CONDVARS);
	op->a = (int32_t)random_below(MUTEXES);
}

static long real_wait(const struct op *op)
{
	if (!real_is_mine(&mutexes[op->a])) {
		return SKIPPED;
	}
	return k_condvar_wait(&condvars[op->object], &mutexes[op->a], op->timeout);
}

/* The second half of a wait: the mutex again, whatever it takes. */
static enum outcome relock(const struct op *op, long *result)
{
	struct m_thread *t = &model.thread[model.current];
	struct m_mutex *m = &m_mutexes[op->a];

	if (t->phase == 0) {
		t->saved = t->wake_result;
		t->phase = 1;
		if (ROBUST && m->owner == ENDED) {
			*result = own_after_the_dead(m);
			return DONE;
		}
		if (m->owner != NOBODY && m->owner != model.current) {
			return wait_for(m, K_FOREVER, 0);
		}
		m->owner = model.current;
		m->count++;
	} else if (t->wake_result == -EOWNERDEAD) {
		t->saved = -EOWNERDEAD;
	}
	*result = t->saved;
	return DONE;
}

static enum outcome model_wait(const struct op *op, long *result)
{
	struct m_mutex *m = &m_mutexes[op->a];

	if (m->owner != model.current) {
		*result = SKIPPED;
		return DONE;
	}
	m_unlock(m);
	if (op->timeout.ticks == 0) {
		model.thread[model.current].wake_result = -EAGAIN;
		return relock(op, result);
	}
	return m_pend(&m_condvars[op->object], op->timeout, -EAGAIN);
}

static long real_signal(const struct op *op)
{
	return k_condvar_signal(&condvars[op->object]);
}

static enum outcome model_signal(const struct op *op, long *result)
{
	struct m_queue *queue = &m_condvars[op->object];

	*result = 0;
	if (queue->length != 0) {
		m_wake(queue->thread[0], 0);
	}
	return DONE;
}

static long real_broadcast(const struct op *op)
{
	return k_condvar_broadcast(&condvars[op->object]);
}

static enum outcome model_broadcast(const struct op *op, long *result)
{
	struct m_queue *queue = &m_condvars[op->object];

	*result = queue->length;
	m_wake_all(queue, 0);
	return DONE;
}

/* ---- state ---- */

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < MUTEXES; i++) {
		const struct k_mutex *m = &mutexes[i];

		n += snprintf(text + n, size - (size_t)n, "mutex %d: %d*%u", i, real_owner(m),
			      m->generation == 0 ? 0U : m->lock_count);
		n += show_wait_q(text + n, size - (size_t)n, &m->wait_q);
	}
	for (int i = 0; i < CONDVARS; i++) {
		n += show_wait_q(text + n, size - (size_t)n, &condvars[i].wait_q);
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int i = 0; i < MUTEXES; i++) {
		const struct m_mutex *m = &m_mutexes[i];

		n += snprintf(text + n, size - (size_t)n, "mutex %d: %d*%u", i, m->owner,
			      (unsigned int)m->count);
		n += show_m_queue(text + n, size - (size_t)n, &m->queue);
	}
	for (int i = 0; i < CONDVARS; i++) {
		n += show_m_queue(text + n, size - (size_t)n, &m_condvars[i]);
	}
	return n;
}

static const struct op_type types[] = {
	{"mutex_lock", 40, CAN_MASK, generate_mutex, real_lock, model_lock, NULL},
	{"mutex_unlock", 50, CAN_MASK, generate_mutex, real_unlock, model_unlock, NULL},
	{"mutex_init", 10, CAN_MASK | CAN_CONTROLLER, generate_mutex, real_init_again,
	 model_init_again, NULL},
	{"condvar_wait", 12, CAN_MASK, generate_condvar, real_wait, model_wait, relock},
	{"condvar_signal", 8, CAN_ALL, generate_condvar, real_signal, model_signal, NULL},
	{"condvar_broadcast", 4, CAN_ALL, generate_condvar, real_broadcast, model_broadcast, NULL},
};

const struct family family_mutex = {
	"mutex", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

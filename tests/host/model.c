/* SPDX-License-Identifier: Apache-2.0 */
/* The reference kernel's threads, time and scheduler. */
#include <limits.h>

#include <board.h>
#include "model.h"

#define CYCLES_PER_TICK (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)

struct model model;
struct m_timeout *m_timeouts[POLL_TIMEOUTS + POLL_ITEMS];

static struct m_thread *current(void)
{
	return &model.thread[model.current];
}

int64_t m_now(void)
{
	return CONFIG_SYS_CLOCK_FIRST_TICK + model.now_cycles / CYCLES_PER_TICK;
}

/* ---- who is more urgent ---- */

static bool is_due_earlier(const struct m_thread *a, const struct m_thread *b)
{
	if (!a->has_deadline || !b->has_deadline) {
		return a->has_deadline && !b->has_deadline;
	}
	return (int32_t)(a->deadline - b->deadline) < 0;
}

static bool is_more_urgent(const struct m_thread *a, const struct m_thread *b)
{
	return a->prio < b->prio || (a->prio == b->prio && is_due_earlier(a, b));
}

static bool goes_before(const struct m_thread *a, const struct m_thread *b)
{
	return is_more_urgent(a, b) || (!is_more_urgent(b, a) && a->turn < b->turn);
}

/* ---- wait queues ---- */

void m_enqueue(struct m_queue *queue, int id)
{
	int place = 0;

	while (place < queue->length &&
	       !is_more_urgent(&model.thread[id], &model.thread[queue->thread[place]])) {
		place++;
	}
	for (int i = queue->length; i > place; i--) {
		queue->thread[i] = queue->thread[i - 1];
	}
	queue->thread[place] = id;
	queue->length++;
}

void m_dequeue(struct m_queue *queue, int id)
{
	int kept = 0;

	for (int i = 0; i < queue->length; i++) {
		if (queue->thread[i] != id) {
			queue->thread[kept++] = queue->thread[i];
		}
	}
	queue->length = kept;
}

/* ---- waiting and waking ---- */

bool m_is_ready(int id)
{
	const struct m_thread *t = &model.thread[id];

	return !t->dead && !t->prestart && !t->suspended && !t->pending;
}

void m_ready(int id)
{
	if (m_is_ready(id) && id != model.current) {
		model.thread[id].turn = ++model.last_turn;
	}
}

int64_t m_deadline(k_timeout_t timeout)
{
#ifdef CONFIG_TIMEOUT_64BIT
	if (timeout.ticks < K_TICKS_FOREVER) {
		int64_t now = m_now() - (int64_t)CONFIG_SYS_CLOCK_FIRST_TICK;

		return m_now() + MAX(-2 - timeout.ticks - now, 1);
	}
#endif
	return m_now() + (int64_t)timeout.ticks + 1;
}

void m_arm(struct m_timeout *timeout, int64_t when, void (*expire)(int id), int id)
{
	*timeout = (struct m_timeout){true, when, model.timeouts_armed++, expire, id};
}

static void wait_is_over(int id)
{
	m_wake(id, model.thread[id].timeout_result);
}

enum outcome m_pend(struct m_queue *queue, k_timeout_t timeout, long timeout_result)
{
	struct m_thread *t = current();

	t->pending = true;
	t->queue = queue;
	t->timeout_result = timeout_result;
	if (queue != NULL) {
		m_enqueue(queue, model.current);
	}
	if (timeout.ticks != K_TICKS_FOREVER) {
		m_arm(&t->timeout, m_deadline(timeout), wait_is_over, model.current);
	}
	m_mutex_settle();
	return BLOCKED;
}

void m_wake(int id, long result)
{
	struct m_thread *t = &model.thread[id];

	if (t->queue != NULL) {
		m_dequeue(t->queue, id);
	}
	t->pending = false;
	t->queue = NULL;
	t->timeout.armed = false;
	t->wake_result = result;
	m_mutex_settle();
	m_ready(id);
}

void m_wake_all(struct m_queue *queue, long result)
{
	while (queue->length != 0) {
		m_wake(queue->thread[0], result);
	}
}

void m_set_prio(int id, int prio)
{
	struct m_thread *t = &model.thread[id];

	if (t->pending && t->queue != NULL) {
		m_dequeue(t->queue, id);
		t->prio = prio;
		m_enqueue(t->queue, id);
		return;
	}
	t->prio = prio;
	m_ready(id);
}

void m_set_deadline(int id, uint32_t deadline)
{
	model.thread[id].has_deadline = true;
	model.thread[id].deadline = deadline;
	m_set_prio(id, model.thread[id].prio);
}

void m_stop(int id)
{
	if (model.held == id) {
		model.held = NOBODY;
	}
}

/* ---- time ---- */

static struct m_timeout *next_timeout(void)
{
	struct m_timeout *next = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(m_timeouts); i++) {
		struct m_timeout *t = m_timeouts[i];

		if (t == NULL || !t->armed) {
			continue;
		}
		if (next == NULL || t->when < next->when ||
		    (t->when == next->when && t->order < next->order)) {
			next = t;
		}
	}
	return next;
}

void m_take_interrupts(void)
{
	struct m_timeout *due;

	if (current()->masked) {
		return;
	}
	while ((due = next_timeout()) != NULL && due->when <= m_now()) {
		due->armed = false;
		model.in_isr = true;
		due->expire(due->id);
		model.in_isr = false;
	}
}

static int choose(void);

bool m_compute(int64_t until_cycles)
{
	while (model.now_cycles < until_cycles) {
		const struct m_timeout *next = next_timeout();
		int64_t stop = until_cycles;

		if (next != NULL && !current()->masked) {
			int64_t due = (next->when - CONFIG_SYS_CLOCK_FIRST_TICK) * CYCLES_PER_TICK;

			stop = MIN(stop, due);
		}
		model.now_cycles = MAX(model.now_cycles, stop);
		m_take_interrupts();
		if (choose() != model.current) {
			return false;
		}
	}
	return true;
}

/* ---- the scheduler ---- */

#ifdef CONFIG_METAIRQ
#define META_LIMIT (K_HIGHEST_THREAD_PRIO + CONFIG_NUM_METAIRQ_PRIORITIES)
#else
#define META_LIMIT INT_MIN /* there are none */
#endif

/* Nobody but a meta-IRQ thread preempts it. */
static bool is_fixed(const struct m_thread *t)
{
	return t->prio < 0 || t->sched_locks != 0;
}

/* Of a thread that is fixed, and its like, those that are more urgent than this may go first. */
static int limit_of(const struct m_thread *t)
{
	return is_fixed(t) ? MIN(t->prio, META_LIMIT) : t->prio;
}

/* The first of all who are ready but the current thread. */
static int first_other(void)
{
	int best = NOBODY;

	for (int id = 0; id < THREADS; id++) {
		if (id != model.current && id != model.held && m_is_ready(id) &&
		    (best == NOBODY || goes_before(&model.thread[id], &model.thread[best]))) {
			best = id;
		}
	}
	if (model.held != NOBODY &&
	    (best == NOBODY || model.thread[best].prio >= limit_of(&model.thread[model.held]))) {
		return model.held;
	}
	return best;
}

static int prio_of_first(int first)
{
	const struct m_thread *t = &model.thread[first];

	return first == model.held ? limit_of(t) : t->prio;
}

/* Who is to run now. The current thread stays unless it can't, or may be and is outranked. */
static int choose(void)
{
	const struct m_thread *c = current();
	int best = first_other();
	bool is_due_first;

	if (!m_is_ready(model.current)) {
		return best;
	}
	if (c->masked || best == NOBODY) {
		return model.current;
	}
	is_due_first = best != model.held && (!is_fixed(c) || c->prio < META_LIMIT) &&
		       model.thread[best].prio == c->prio && is_due_earlier(&model.thread[best], c);
	return prio_of_first(best) < limit_of(c) || is_due_first ? best : model.current;
}

/* `next` goes on in place of the current thread, which may be ready still, with its turn settled. */
static void switch_to(int next)
{
	if (next == model.held) {
		model.held = NOBODY;
	} else if (model.thread[next].prio < META_LIMIT && current()->prio >= META_LIMIT &&
		   is_fixed(current()) && m_is_ready(model.current)) {
		if (model.held != NOBODY) {
			model.thread[model.held].turn = --model.first_turn;
		}
		model.held = model.current;
	}
	model.current = next;
	m_take_interrupts();
}

static void reschedule(void)
{
	int next;

	while ((next = choose()) != model.current) {
		if (m_is_ready(model.current)) {
			current()->turn = --model.first_turn;
		}
		switch_to(next);
	}
}

/* To whoever is not less urgent. */
void m_yield(void)
{
	struct m_thread *c = current();
	int first = first_other();

	if (first == NOBODY || prio_of_first(first) > c->prio ||
	    (first != model.held && is_more_urgent(c, &model.thread[first]))) {
		return;
	}
	c->turn = ++model.last_turn;
	switch_to(first);
}

/* The group of operations in one ISR that begins at the script's current one. */
static void run_isr_group(struct m_thread *t)
{
	struct script script = t->script; /* the thread may be ended meanwhile */
	int pc = t->pc;

	model.in_isr = true;
	for (; pc < script.length && script.op[pc].context == IN_ISR; pc++) {
		const struct op *op = &script.op[pc];
		long result = 0;

		(void)op_types[op->type].model(op, &result);
		log_model(NOBODY, op_types[op->type].name, result);
	}
	model.in_isr = false;
	t->pc = pc;
}

static enum outcome resume(const struct op *op, struct m_thread *t)
{
	if (op_types[op->type].resume != NULL) {
		return op_types[op->type].resume(op, &t->result);
	}
	t->result = t->wake_result;
	return DONE;
}

static void begin(struct m_thread *t)
{
	struct op op = t->script.op[t->pc]; /* the thread may end itself */

	if (op.context == IN_ISR) {
		run_isr_group(t);
		return;
	}
	t->masked = op.context == MASKED;
	t->phase = 0;
	t->stage = op_types[op.type].model(&op, &t->result) == DONE ? RETURN : RESUME;
}

static void finish(struct m_thread *t)
{
	log_model(model.current, op_types[t->script.op[t->pc].type].name, t->result);
	t->pc++;
	t->stage = NEXT;
	if (t->pc == t->script.length || t->script.op[t->pc].context != MASKED) {
		t->masked = false;
		m_take_interrupts();
	}
}

static void step(struct m_thread *t)
{
	switch (t->stage) {
	case AT_MAIL:
		t->stage = FETCH;
		(void)m_pend(&model.mail[model.current], K_FOREVER, 0);
		break;
	case FETCH:
		t->pc = 0;
		t->stage = NEXT;
		break;
	case NEXT:
		if (t->pc == t->script.length) {
			t->has_script = false;
			t->stage = AT_MAIL;
		} else {
			begin(t);
		}
		break;
	case RESUME:
		if (resume(&t->script.op[t->pc], t) == DONE) {
			t->stage = RETURN;
		}
		break;
	case RETURN:
		finish(t);
		break;
	}
}

void m_run(void)
{
	reschedule();
	while (model.current != CONTROLLER || current()->has_script) {
		step(current());
		reschedule();
	}
}

void m_mail(int id, const struct script *script)
{
	struct m_thread *t = &model.thread[id];

	t->script = *script;
	t->has_script = true;
	if (id == CONTROLLER) {
		t->pc = 0;
		t->stage = NEXT;
	} else {
		m_wake(id, 0);
	}
}

void m_create(int id, int prio)
{
	model.thread[id] = (struct m_thread){
		.prestart = true,
		.base_prio = prio,
		.prio = prio,
		.stage = AT_MAIL,
	};
}

void model_init(void)
{
	model.current = CONTROLLER;
	model.held = NOBODY;
	for (int id = 0; id < THREADS; id++) {
		m_timeouts[id] = &model.thread[id].timeout;
		model.thread[id].dead = id != CONTROLLER;
	}
	model.thread[CONTROLLER].prio = K_LOWEST_APPLICATION_THREAD_PRIO;
	model.thread[CONTROLLER].base_prio = K_LOWEST_APPLICATION_THREAD_PRIO;
	model.thread[CONTROLLER].stage = NEXT;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads: op.who is whom it is about. What would wreck any kernel is skipped on both
 * sides: creating one that lives, ending one that serves a work queue.
 */
#include <stdio.h>

#include <board.h>
#include <host.h>
#include "model.h"

#define CYCLES_PER_TICK (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)
#define LOCKS_MAX       3

static struct m_thread *current(void)
{
	return &model.thread[model.current];
}

/* Start where a tick begins, so that both clocks are at the same cycle of a tick. */
static void init(void)
{
	int64_t tick = k_uptime_ticks();

	host_read_cost_cycles = 0;
	host_limit_cycles = UINT64_MAX;
	while (k_uptime_ticks() == tick) {
		host_advance(1);
	}
	model.now_cycles = (tick + 1) * CYCLES_PER_TICK;
}

static void generate(struct op *op)
{
	op->a = random_prio();
}

static enum outcome nothing(long *result)
{
	*result = 0;
	return DONE;
}

/* ---- its own turn ---- */

static long real_yield(const struct op *op)
{
	k_yield();
	return 0;
}

static enum outcome model_yield(const struct op *op, long *result)
{
	*result = 0;
	current()->result = 0;
	m_yield();
	return DONE;
}

static long real_sleep(const struct op *op)
{
	return k_sleep(op->timeout);
}

static enum outcome model_sleep(const struct op *op, long *result)
{
	if (op->timeout.ticks == 0) {
		return model_yield(op, result);
	}
	current()->saved = m_deadline(op->timeout);
	return m_pend(NULL, op->timeout, 0);
}

static enum outcome resume_sleep(const struct op *op, long *result)
{
	int64_t left = current()->saved - m_now();
	int64_t asked = (int64_t)op->timeout.ticks;

	if (op->timeout.ticks == K_TICKS_FOREVER) {
		*result = -1;
		return DONE;
	}
	if (asked >= 0) { /* else until a tick */
		left = MIN(left, asked);
	}
	left = MAX(left, 0);
	*result = (left / CONFIG_SYS_CLOCK_TICKS_PER_SEC) * 1000 +
		  (left % CONFIG_SYS_CLOCK_TICKS_PER_SEC * 1000 + CONFIG_SYS_CLOCK_TICKS_PER_SEC -
		   1) / CONFIG_SYS_CLOCK_TICKS_PER_SEC;
	*result = MIN(*result, INT32_MAX);
	return DONE;
}

static long real_lock(const struct op *op)
{
	if (k_current_get()->sched_locks >= LOCKS_MAX) {
		return SKIPPED;
	}
	k_sched_lock();
	return 0;
}

static enum outcome model_lock(const struct op *op, long *result)
{
	*result = current()->sched_locks >= LOCKS_MAX ? SKIPPED : 0;
	current()->sched_locks += *result == 0;
	return DONE;
}

static long real_unlock(const struct op *op)
{
	if (k_current_get()->sched_locks == 0) {
		return SKIPPED;
	}
	k_sched_unlock();
	return 0;
}

static enum outcome model_unlock(const struct op *op, long *result)
{
	*result = current()->sched_locks == 0 ? SKIPPED : 0;
	current()->sched_locks -= *result == 0;
	return DONE;
}

/*
 * Compute for op.a cycles and op.b ticks: time passes, and with it what was to happen
 * meanwhile. Not for long where interrupts are masked: the kernel has to see the counter
 * before it wraps.
 */
static void generate_compute(struct op *op)
{
	bool long_time = op->context != MASKED && one_in(20);

	op->a = (int32_t)random_below(3 * CYCLES_PER_TICK);
	op->b = long_time ? 1 << random_below(18) : (int32_t)random_below(12);
}

static long real_compute(const struct op *op)
{
	host_advance((uint64_t)op->a + (uint64_t)op->b * CYCLES_PER_TICK);
	return 0;
}

static enum outcome resume_compute(const struct op *op, long *result)
{
	*result = 0;
	return m_compute(current()->saved) ? DONE : BLOCKED;
}

static enum outcome model_compute(const struct op *op, long *result)
{
	current()->saved = model.now_cycles + op->a + (int64_t)op->b * CYCLES_PER_TICK;
	return resume_compute(op, result);
}

/* ---- others, or itself ---- */

static long real_wakeup(const struct op *op)
{
	k_wakeup(&workers[op->who]);
	return 0;
}

static enum outcome model_wakeup(const struct op *op, long *result)
{
	const struct m_thread *t = &model.thread[op->who];

	if (t->pending && t->queue == NULL) {
		m_wake(op->who, 0);
	}
	return nothing(result);
}

static long real_suspend(const struct op *op)
{
	k_thread_suspend(&workers[op->who]);
	return 0;
}

static enum outcome model_suspend(const struct op *op, long *result)
{
	model.thread[op->who].suspended = !model.thread[op->who].dead;
	m_stop(op->who);
	return nothing(result);
}

static long real_resume(const struct op *op)
{
	k_thread_resume(&workers[op->who]);
	return 0;
}

static enum outcome model_resume(const struct op *op, long *result)
{
	if (model.thread[op->who].suspended) {
		model.thread[op->who].suspended = false;
		m_ready(op->who);
	}
	return nothing(result);
}

static long real_prio_set(const struct op *op)
{
	k_thread_priority_set(&workers[op->who], op->a);
	return k_thread_priority_get(&workers[op->who]);
}

/* Two calls in one: what is returned is read after whoever took over is done. */
static enum outcome resume_prio_set(const struct op *op, long *result)
{
	*result = model.thread[op->who].prio;
	return DONE;
}

static enum outcome model_prio_set(const struct op *op, long *result)
{
	model.thread[op->who].base_prio = op->a;
	m_set_prio(op->who, m_entitled_prio(op->who));
	m_mutex_settle();
	return BLOCKED;
}

static long real_prio_set_blind(const struct op *op)
{
	k_thread_priority_set(&workers[op->who], op->a);
	return 0;
}

static enum outcome model_prio_set_blind(const struct op *op, long *result)
{
	(void)model_prio_set(op, result);
	return nothing(result);
}

#ifdef CONFIG_SCHED_DEADLINE
/* Few, on both sides of the wrap. */
static void generate_deadline(struct op *op)
{
	op->a = (int32_t)random_below(6) - 3;
}

/* Setting one is no point at which threads are switched: that is the next call. */
static long real_deadline_set(const struct op *op)
{
	k_thread_absolute_deadline_set(&workers[op->who], op->a);
	k_reschedule();
	return 0;
}

static enum outcome model_deadline_set(const struct op *op, long *result)
{
	m_set_deadline(op->who, (uint32_t)op->a);
	return nothing(result);
}
#endif

static long real_start(const struct op *op)
{
	k_thread_start(&workers[op->who]);
	return 0;
}

static void m_start(int id)
{
	struct m_thread *t = &model.thread[id];

	if (t->prestart) {
		t->prestart = false;
		t->timeout.armed = false;
		m_ready(id);
	}
}

static enum outcome model_start(const struct op *op, long *result)
{
	m_start(op->who);
	return nothing(result);
}

static long real_create_op(const struct op *op)
{
	if ((workers[op->who].state & K_THREAD_DEAD) == 0) {
		return SKIPPED;
	}
	real_create(op->who, op->a, op->timeout);
	return 0;
}

static enum outcome model_create(const struct op *op, long *result)
{
	*result = SKIPPED;
	if (!model.thread[op->who].dead) {
		return DONE;
	}
	m_create(op->who, op->a);
	if (op->timeout.ticks == 0) {
		m_start(op->who);
	} else if (op->timeout.ticks != K_TICKS_FOREVER) {
		m_arm(&model.thread[op->who].timeout, m_deadline(op->timeout), m_start, op->who);
	}
	return nothing(result);
}

static long real_abort(const struct op *op)
{
	if (real_work_serves(op->who)) {
		return SKIPPED;
	}
	k_thread_abort(&workers[op->who]);
	return 0;
}

static enum outcome model_abort(const struct op *op, long *result)
{
	struct m_thread *t = &model.thread[op->who];

	if (m_work_serves(op->who)) {
		*result = SKIPPED;
		return DONE;
	}
	if (!t->dead) {
		m_wake_all(&model.joiners[op->who], 0); /* first: it has not ended before */
		m_stop(op->who);
		if (t->queue != NULL) {
			m_dequeue(t->queue, op->who);
			t->queue = NULL;
			m_mutex_settle(); /* whom it made urgent is not so any more */
		}
		*t = (struct m_thread){.dead = true, .base_prio = t->base_prio, .prio = t->prio};
		m_ipc_thread_ended(op->who);
		m_poll_thread_ended(op->who);
		m_mutex_owner_ended(op->who);
		m_mutex_settle();
	}
	return nothing(result);
}

static long real_join(const struct op *op)
{
	return k_thread_join(&workers[op->who], op->timeout);
}

/* Whom `id` waits for in k_thread_join(), or NOBODY. */
static int joined_by(int id)
{
	for (int other = 0; other < THREADS; other++) {
		if (model.thread[id].queue == &model.joiners[other]) {
			return other;
		}
	}
	return NOBODY;
}

static bool joins_current(int id)
{
	while (id != model.current && id != NOBODY) {
		id = joined_by(id);
	}
	return id == model.current;
}

enum outcome m_join(int who, k_timeout_t timeout, long *result)
{
	*result = 0;
	if (model.thread[who].dead) {
		return DONE;
	}
	if (timeout.ticks == 0) {
		*result = -EBUSY;
		return DONE;
	}
	if (joins_current(who)) {
		*result = -EDEADLK;
		return DONE;
	}
	return m_pend(&model.joiners[who], timeout, -EAGAIN);
}

static enum outcome model_join(const struct op *op, long *result)
{
	return m_join(op->who, op->timeout, result);
}

static long real_remaining(const struct op *op)
{
	return (long)k_thread_timeout_remaining_ticks(&workers[op->who]);
}

static enum outcome model_remaining(const struct op *op, long *result)
{
	const struct m_timeout *timeout = &model.thread[op->who].timeout;

	*result = timeout->armed ? MAX(timeout->when - m_now(), 0) : 0;
	return DONE;
}

/* ---- state ---- */

static int show_real(char *text, size_t size)
{
	int n = 0;

	for (int id = 0; id < WORKERS; id++) {
		const struct k_thread *t = &workers[id];
		bool timed = (t->state & K_THREAD_TIMED) != 0;

		n += snprintf(text + n, size - (size_t)n, "%d: dead %d, ", id,
			      (t->state & K_THREAD_DEAD) != 0);
		n += snprintf(text + n, size - (size_t)n, "prestart %d, suspended %d, pending %d, ",
			      (t->state & K_THREAD_PRESTART) != 0,
			      (t->state & K_THREAD_SUSPENDED) != 0,
			      (t->state & K_THREAD_PENDING) != 0);
		if ((t->state & K_THREAD_DEAD) == 0) {
			n += snprintf(text + n, size - (size_t)n, "prio %d of %d, locks %d, ",
				      t->prio, t->base_prio, t->sched_locks);
		}
		n += snprintf(text + n, size - (size_t)n, "timeout %d at %llx", timed,
			      timed ? (unsigned long long)t->timeout.when : 0);
		n += show_wait_q(text + n, size - (size_t)n, &t->joiners);
		n += snprintf(text + n, size - (size_t)n, "\n");
	}
	return n;
}

static int show_model(char *text, size_t size)
{
	int n = 0;

	for (int id = 0; id < WORKERS; id++) {
		const struct m_thread *t = &model.thread[id];

		n += snprintf(text + n, size - (size_t)n, "%d: dead %d, ", id, t->dead);
		n += snprintf(text + n, size - (size_t)n, "prestart %d, suspended %d, pending %d, ",
			      t->prestart, t->suspended, t->pending);
		if (!t->dead) {
			n += snprintf(text + n, size - (size_t)n, "prio %d of %d, locks %d, ",
				      t->prio, t->base_prio, t->sched_locks);
		}
		n += snprintf(text + n, size - (size_t)n, "timeout %d at %llx", t->timeout.armed,
			      t->timeout.armed ? (unsigned long long)(timeout_tick_t)t->timeout.when
					       : 0);
		n += show_m_queue(text + n, size - (size_t)n, &model.joiners[id]);
		n += snprintf(text + n, size - (size_t)n, "\n");
	}
	return n;
}

#define MASK_OR_CONTROLLER (CAN_MASK | CAN_CONTROLLER)

static const struct op_type types[] = {
	{"yield", 10, CAN_MASK, generate, real_yield, model_yield, NULL},
	{"sleep", 10, CAN_MASK, generate, real_sleep, model_sleep, resume_sleep},
	{"sched_lock", 5, CAN_MASK, generate, real_lock, model_lock, NULL},
	{"sched_unlock", 8, CAN_MASK, generate, real_unlock, model_unlock, NULL},
	{"compute", 60, MASK_OR_CONTROLLER, generate_compute, real_compute, model_compute,
	 resume_compute},
	{"wakeup", 8, CAN_ALL, generate, real_wakeup, model_wakeup, NULL},
	{"suspend", 6, CAN_ALL, generate, real_suspend, model_suspend, NULL},
	{"resume", 12, CAN_ALL, generate, real_resume, model_resume, NULL},
	{"prio_set", 10, MASK_OR_CONTROLLER, generate, real_prio_set, model_prio_set,
	 resume_prio_set},
	{"prio_set_blind", 4, CAN_ALL, generate, real_prio_set_blind, model_prio_set_blind, NULL},
#ifdef CONFIG_SCHED_DEADLINE
	{"deadline_set", 40, CAN_ALL, generate_deadline, real_deadline_set, model_deadline_set,
	 NULL},
#endif
	{"start", 8, CAN_ALL, generate, real_start, model_start, NULL},
	{"create", 16, MASK_OR_CONTROLLER, generate, real_create_op, model_create, NULL},
	{"abort", 4, CAN_ALL, generate, real_abort, model_abort, NULL},
	{"join", 8, CAN_ALL, generate, real_join, model_join, NULL},
	{"remaining", 2, CAN_ALL, generate, real_remaining, model_remaining, NULL},
};

const struct family family_thread = {
	"thread", types, ARRAY_SIZE(types), init, show_real, show_model, NULL,
};

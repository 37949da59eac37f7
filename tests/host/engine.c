/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drives the kernel and the model side by side: six worker threads, each told by mail
 * what to do next, the system's work queue, and a controller less urgent than all of them. Once the controller
 * runs again the workers have come to rest, and the two logs (who returned from what,
 * with which result, at which tick, in which order) and the two states must be equal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <board.h>
#include <host.h>
#include "engine.h"
#include "kernel/base/kernel.h"
#include "model.h"
#include "kernel/sched/sched.h"

#define LOG_MAX    256
#define TEXT_MAX   8192
#define TYPES_MAX  200
#define STACK_SIZE 4096

struct entry {
	int who;
	const char *what;
	long result;
	uint32_t tick;
};

struct log {
	int length;
	struct entry entry[LOG_MAX];
};

struct op_type op_types[TYPES_MAX];
static int num_types;
static int total_weight;
static bool trace;

struct k_thread workers[THREADS];
K_THREAD_STACK_ARRAY_DEFINE(worker_stacks, WORKERS, STACK_SIZE);
static struct k_sem mail[THREADS];
static struct script scripts[THREADS];
static struct log real_log;
static struct log model_log;

static const struct family *const families[] = {
	&family_thread, &family_sem,         &family_mutex,      &family_queue,
	&family_stack,  &family_event,       &family_heap,       &family_timer,
	&family_msgq,   &family_slab,        &family_ipc,        &family_pipe,
	&family_work,   &family_work_delay,  &family_work_queue, &family_mbox,
	&family_futex,
#ifdef CONFIG_POLL
	&family_poll,   &family_poll_signal, &family_poll_work,
#endif
};

/* ---- the two logs ---- */

static void append(struct log *log, int who, const char *what, long result, uint32_t tick)
{
	if (log->length < LOG_MAX) {
		log->entry[log->length++] = (struct entry){who, what, result, tick};
	}
}

void log_real(int who, const char *what, long result)
{
	append(&real_log, who, what, result, (uint32_t)k_uptime_ticks());
}

void log_model(int who, const char *what, long result)
{
	append(&model_log, who, what, result, (uint32_t)(m_now() - CONFIG_SYS_CLOCK_FIRST_TICK));
}

static void print_entry(const char *side, const struct log *log, int i)
{
	const struct entry *e = &log->entry[i];

	if (i >= log->length) {
		printf("  %s: nothing\n", side);
	} else {
		printf("  %s: [%u] %d %s = %ld\n", side, e->tick, e->who, e->what, e->result);
	}
}

static bool logs_agree(void)
{
	for (int i = 0; i < MAX(real_log.length, model_log.length); i++) {
		const struct entry *r = &real_log.entry[i];
		const struct entry *m = &model_log.entry[i];

		if (i >= real_log.length || i >= model_log.length || r->who != m->who ||
		    r->what != m->what || r->result != m->result || r->tick != m->tick) {
			printf("entry %d of the log differs\n", i);
			print_entry("kernel", &real_log, i);
			print_entry("model ", &model_log, i);
			return false;
		}
		if (trace) {
			print_entry("both  ", &real_log, i);
		}
	}
	real_log.length = 0;
	model_log.length = 0;
	return true;
}

/* ---- the two states, as text ---- */

int thread_number(const struct k_thread *thread)
{
	for (int id = 0; id < WORKERS; id++) {
		if (thread == &workers[id]) {
			return id;
		}
	}
	return thread == &k_sys_work_q.thread ? SYSTEM_QUEUE : CONTROLLER;
}

int real_self(void)
{
	return k_is_in_isr() ? NOBODY : thread_number(k_current_get());
}

int show_wait_q(char *text, size_t size, const _wait_q_t *wait_q)
{
	int n = snprintf(text, size, " [");

	for (struct k_thread *t = wait_q_head(wait_q); t != NULL; t = wait_q_next(wait_q, t)) {
		n += snprintf(text + n, size - (size_t)n, " %d", thread_number(t));
	}
	return n + snprintf(text + n, size - (size_t)n, " ]");
}

int show_m_queue(char *text, size_t size, const struct m_queue *queue)
{
	int n = snprintf(text, size, " [");

	for (int i = 0; i < queue->length; i++) {
		n += snprintf(text + n, size - (size_t)n, " %d", queue->thread[i]);
	}
	return n + snprintf(text + n, size - (size_t)n, " ]");
}

static bool states_agree(void)
{
	static char real[TEXT_MAX];
	static char expected[TEXT_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		(void)families[i]->show_real(real, sizeof(real));
		(void)families[i]->show_model(expected, sizeof(expected));
		if (strcmp(real, expected) != 0) {
			printf("state of %s differs\n--- kernel\n%s\n--- model\n%s\n",
			       families[i]->name, real, expected);
			return false;
		}
	}
	return true;
}

/* ---- the workers ---- */

struct range {
	const struct script *script;
	int begin;
};

static int end_of_group(const struct script *script, int begin)
{
	int end = begin;

	while (end < script->length && script->op[end].context == script->op[begin].context) {
		end++;
	}
	return end;
}

static void run_op(const struct op *op)
{
	long result = op_types[op->type].real(op);

	log_real(real_self(), op_types[op->type].name, result);
}

static void run_group_in_isr(const void *arg)
{
	const struct range *range = arg;
	int end = end_of_group(range->script, range->begin);

	for (int i = range->begin; i < end; i++) {
		run_op(&range->script->op[i]);
	}
}

static void run_script(const struct script *script)
{
	int pc = 0;

	while (pc < script->length) {
		int end = end_of_group(script, pc);
		struct range range = {script, pc};
		unsigned int key;

		switch (script->op[pc].context) {
		case IN_ISR:
			irq_offload(run_group_in_isr, &range);
			break;
		case MASKED:
			key = irq_lock();
			for (int i = pc; i < end; i++) {
				run_op(&script->op[i]);
			}
			irq_unlock(key);
			break;
		default:
			end = pc + 1;
			run_op(&script->op[pc]);
			break;
		}
		pc = end;
	}
}

static void worker(void *p1, void *p2, void *p3)
{
	int self = (int)(intptr_t)p1;

	for (;;) {
		(void)k_sem_take(&mail[self], K_FOREVER);
		run_script(&scripts[self]);
	}
}

void real_create(int id, int prio, k_timeout_t delay)
{
	(void)k_sem_init(&mail[id], 0, 1);
	(void)k_thread_create(&workers[id], worker_stacks[id], STACK_SIZE, worker,
			      (void *)(intptr_t)id, NULL, NULL, prio, 0, delay);
}

/* ---- the controller ---- */

static enum context random_context(const struct op_type *type, enum context before)
{
	enum context context = one_in(2) ? before : (enum context)random_below(3);

	if (context == IN_ISR && (type->where & CAN_ISR) == 0) {
		return IN_THREAD;
	}
	if (context == MASKED && (type->where & CAN_MASK) == 0) {
		return IN_THREAD;
	}
	return context;
}

static struct op random_op(bool for_controller, enum context before)
{
	struct op op = {0};
	const struct op_type *type;

	do {
		int at = (int)random_below((uint32_t)total_weight);

		op.type = 0;
		while ((at -= op_types[op.type].weight) >= 0) {
			op.type++;
		}
		type = &op_types[op.type];
	} while (for_controller && (type->where & CAN_CONTROLLER) == 0);
	op.who = (uint8_t)random_below(WORKERS);
	op.timeout = random_timeout();
	op.context = (uint8_t)random_context(type, before);
	type->generate(&op);
	if (for_controller || op.context == IN_ISR) {
		op.timeout = K_NO_WAIT;
	}
	return op;
}

static void print_script(int who, const struct script *script)
{
	static const char *const contexts[] = {"", " in an ISR", " masked"};

	printf("%d:\n", who);
	for (int i = 0; i < script->length; i++) {
		const struct op *op = &script->op[i];

		printf("    %s object %d, thread %d, %d, %d, %d ticks%s\n", op_types[op->type].name,
		       op->object, op->who, op->a, op->b, (int)op->timeout.ticks,
		       contexts[op->context]);
	}
}

/* A worker that waits for mail, or the controller itself when there is none. */
static int choose_reader(void)
{
	int first = (int)random_below(WORKERS);

	if (one_in(4)) {
		return CONTROLLER;
	}
	for (int i = 0; i < WORKERS; i++) {
		int id = (first + i) % WORKERS;

		if (model.thread[id].queue == &model.mail[id]) {
			return id;
		}
	}
	return CONTROLLER;
}

static bool one_command(void)
{
	int reader = choose_reader();
	struct script *script = &scripts[reader];
	enum context before = IN_THREAD;
	bool agreed;

	script->length = 1 + (int)random_below(SCRIPT_MAX);
	for (int i = 0; i < script->length; i++) {
		script->op[i] = random_op(reader == CONTROLLER, before);
		if (reader != CONTROLLER && one_in(3)) {
			script->op[i].who = (uint8_t)reader;
		}
		before = (enum context)script->op[i].context;
	}
	if (trace) {
		print_script(reader, script);
		fflush(stdout);
	}
	m_mail(reader, script);
	if (reader == CONTROLLER) {
		run_script(script);
	} else {
		k_sem_give(&mail[reader]);
	}
	m_run();
	sched_check_wake(ARCH_IRQ_KEY_OPEN);
	agreed = logs_agree();
	return states_agree() && agreed;
}

static void add_types(const struct family *family, int factor)
{
	for (int i = 0; i < family->num_types; i++) {
		op_types[num_types] = family->types[i];
		op_types[num_types].weight *= factor;
		total_weight += op_types[num_types].weight;
		num_types++;
	}
}

/* The focus most of the time; threads always; the others by far less. */
static bool choose_types(const char *focus)
{
	bool known = strcmp(focus, "all") == 0;

	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		bool meant = strcmp(families[i]->name, focus) == 0;

		known = known || meant;
		add_types(families[i], meant ? 16 : families[i] == &family_thread ? 3 : 1);
	}
	return known;
}

static const char *input_focus(uint32_t number)
{
	return number == ARRAY_SIZE(families) ? "all" : families[number]->name;
}

/* Kernel and model begin, both with the same six workers. */
static bool model_begin(const char *focus)
{
	if (!choose_types(focus)) {
		printf("no such object: %s\n", focus);
		return false;
	}
	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO);
	model_init();
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		families[i]->init();
	}
	for (int id = 0; id < WORKERS; id++) {
		int prio = random_prio();

		real_create(id, prio, K_NO_WAIT);
		m_create(id, prio);
		model.thread[id].prestart = false;
		m_ready(id);
		m_run();
	}
	return true;
}

int model_test(const char *focus, uint64_t seed, int steps, bool with_trace)
{
	trace = with_trace;
	random_seed(seed);
	if (!model_begin(focus)) {
		return 2;
	}
	for (int step = 0; step < steps; step++) {
		if (trace) {
			printf("--- step %d, ", step);
		}
		if (!one_command()) {
			printf("FAIL %s, seed %llu, step %d\n", focus, (unsigned long long)seed,
			       step);
			return 1;
		}
	}
	printf("PASS %s, seed %llu, %d steps\n", focus, (unsigned long long)seed, steps);
	return 0;
}

int model_input(const uint8_t *input, size_t size, bool with_trace)
{
	int step = 0;

	trace = with_trace;
	random_seed(0);
	random_given(input, size);
	(void)model_begin(input_focus(size == 0 ? 0 : random_below(ARRAY_SIZE(families) + 1)));
	while (random_is_given()) {
		if (trace) {
			printf("--- step %d, ", step);
		}
		if (!one_command()) {
			printf("FAIL of an input of %zu bytes, step %d\n", size, step);
			return 1;
		}
		step++;
	}
	return 0;
}

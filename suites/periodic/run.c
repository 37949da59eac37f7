/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One test case: its threads made, released together on a grid, ended. What is watched is
 * to be theirs alone. So main() waits without a timeout, which would move down the kernel's
 * wheel in somebody's tick, and the threads themselves look at the clock: when the work
 * gets lighter, and when the case is over.
 */
#include <measure_record.h>
#include "cases.h"

static struct k_thread thread[THREADS_MAX];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, THREADS_MAX, 512);

static struct {
	const struct periodic_case *c;
	uint32_t counts[2];       /* of each counting thread's work: at first, then */
	int64_t lighter;          /* when `then` begins, in ticks of the kernel */
	int64_t end;              /* when the last tick is over */
	uint32_t activated;       /* stamp of thread 0's last activation */
	bool active;              /* there was one */
	struct measure_row row;
} run;

static K_SEM_DEFINE(over, 0, 1);

static void counting(void *p1, void *p2, void *p3)
{
	for (;;) {
		int64_t now;

		(void)k_period_wait();
		now = k_uptime_ticks();
		if (now >= run.end) {
			k_sem_give(&over); /* main() outranks all: it goes on at once */
		}
		work_count(run.counts[now >= run.lighter]);
	}
}

static void printing(void *p1, void *p2, void *p3)
{
	for (;;) {
		uint32_t now;

		(void)k_period_wait();
		now = measure_stamp();
		if (run.active) {
			measure_add(&run.row, run.activated, now);
			measure_witness(&run.row, "released", k_trigger_get() == K_TRIGGER_PERIOD);
		}
		run.activated = now;
		run.active = true;
		work_print(run.c);
	}
}

static int priority_of(const struct periodic_case *c, unsigned int n)
{
	return c->rising_priorities ? K_PRIO_PREEMPT(15 - (int)n) : K_PRIO_PREEMPT(8);
}

static void install(const struct periodic_case *c, k_ticks_t first)
{
	uint32_t tick = UNITS_TO_TICKS(c->tick_units);

	work_print_init(c, first);
	/* Bound: THREADS_MAX. */
	for (unsigned int n = 0; n < c->threads; n++) {
		bool half = n >= (unsigned int)(c->threads - c->half_rate);

		(void)k_thread_create(&thread[n], stacks[n], K_THREAD_STACK_SIZEOF(stacks[n]),
				      n == 0 ? printing : counting, NULL, NULL, NULL,
				      priority_of(c, n), 0, K_FOREVER);
		k_trace_thread_signal_set(&thread[n], n);
		(void)k_thread_period_set_at(&thread[n], K_TICKS(half ? 2U * tick : tick), first);
		k_thread_start(&thread[n]);
	}
}

static void print_counts(const char *key, const struct periodic_case *c, bool overruns)
{
	record_key(key);
	/* Bound: THREADS_MAX. */
	for (unsigned int n = 0; n < c->threads; n++) {
		struct k_period_stats stats;

		k_thread_period_stats_get(&thread[n], &stats);
		record_print("%s%u", n == 0 ? "[" : ",",
			     (unsigned int)(overruns ? stats.overruns : stats.skipped));
	}
	record_print("]");
}

/* `from` and `to` are the counter's, in its ticks: the time base of pins watched outside. */
static void print_case(const struct periodic_case *c, unsigned int ticks, uint32_t from,
		       uint32_t to)
{
	record_begin("case");
	record_integer("case", c->number);
	record_integer("threads", c->threads);
	record_integer("half_rate", c->half_rate);
	record_integer("tick", c->tick_units);
	record_integer("ticks", ticks);
	record_integer("load_permille", c->load_permille);
	record_integer("overload_permille", c->overload_permille);
	record_integer("characters", c->characters);
	record_integer("from", from);
	record_integer("to", to);
	print_counts("overruns", c, true);
	print_counts("skipped", c, false);
	record_end();
}

static const char *row_id(unsigned int number)
{
	static char id[THREADS_MAX][sizeof("periodic.case_00.interval")];

	(void)snprintk(id[number], sizeof(id[number]), "periodic.case_%u.interval", number);
	return id[number];
}

static void prepare(const struct periodic_case *c, unsigned int ticks, int64_t first)
{
	uint32_t tick = UNITS_TO_TICKS(c->tick_units);
	uint32_t part = c->tick_units / (THREADS_MAX - 1U);
	uint32_t at_first = c->overload_permille != 0 ? c->overload_permille : c->load_permille;

	run.c = c;
	run.active = false;
	run.counts[0] = work_counts(part * at_first / 1000U);
	run.counts[1] = work_counts(part * c->load_permille / 1000U);
	run.lighter = first + (int64_t)tick * (ticks / 2U);
	run.end = first + (int64_t)tick * ticks;
	measure_row_begin(&run.row, row_id(c->number), "Thread 0, from activation to activation");
	run.row.overhead = 0;
}

void run_case(const struct periodic_case *c, unsigned int ticks)
{
	uint32_t from;
	uint32_t to;
	int64_t first;

	(void)k_sleep(K_TICKS(1)); /* to the beginning of a tick */
	first = k_uptime_ticks() + UNITS_TO_TICKS(c->tick_units);
	prepare(c, ticks, first);
	signals_forget();
	from = measure_stamp();
	install(c, (k_ticks_t)first);
	(void)k_sem_take(&over, K_FOREVER);
	to = measure_stamp();
	/* Bound: THREADS_MAX. */
	for (unsigned int n = 0; n < c->threads; n++) {
		k_thread_abort(&thread[n]);
	}
	print_case(c, ticks, from, to);
	signals_print(from);
	measure_row_end(&run.row);
}

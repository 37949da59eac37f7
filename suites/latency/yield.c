/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads of equal priority yield to one another.
 *
 * Window: from the stamp before k_yield() in one thread to the stamp after the other's
 * own k_yield() has returned. Both directions are samples. When a thread's call
 * returns, the other has stored both stamps of its own last call, so each knows the
 * sample that its own call began. Where one of them is a user thread, each direction is a
 * row of its own.
 */
#include "latency.h"

#define SAMPLES ((uint32_t)CONFIG_MEASURE_SAMPLES)

enum runner { MAIN, PARTNER };

static MEASURE_SHARED struct {
	struct measure_row rows[IS_ENABLED(CONFIG_USERSPACE) ? 2 : 1];
	struct measure_row *row[2]; /* of each thread's calls */
	struct measure_window windows[2];
	bool is_user[2];
	uint32_t rounds;
	enum runner runner; /* who returned from k_yield() last */
	bool wants_cooperative;
} both;

static struct k_thread partner;
static K_THREAD_STACK_DEFINE(partner_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);

MEASURE_WINDOW(yield, k_yield())

/* The caller's k_yield() has returned: the other thread must have run meanwhile. */
static bool took_over(enum runner self)
{
	bool has_switched = both.runner != self;

	both.runner = self;
	return has_switched;
}

/* A sample of the thread's own call, which began a window that the other one ended. */
static void add(enum runner self, k_tid_t other)
{
	struct measure_row *row = both.row[self];
	bool has_switched = took_over(self);
	bool is_cooperative = k_is_preempt_thread() == 0;
	bool is_equal = k_thread_priority_get(k_current_get()) == k_thread_priority_get(other);

	if (row->n == SAMPLES) {
		return;
	}
	measure_add(row, both.windows[self].start, both.windows[1 - self].end);
	measure_witness(row, "switches", has_switched);
	measure_witness(row, both.wants_cooperative ? "cooperative" : "preemptible",
			is_cooperative == both.wants_cooperative && is_equal);
	if (both.is_user[MAIN] || both.is_user[PARTNER]) {
		measure_witness(row, "in_its_mode", k_is_user_context() == both.is_user[self]);
	}
}

static void partner_entry(void *main_thread, void *unused_1, void *unused_2)
{
	both.runner = PARTNER;
	/* Bound: the rounds of the rows, and one in which the main thread still looks at this one. */
	for (uint32_t i = 0; i <= both.rounds; i++) {
		(void)yield(&both.windows[PARTNER]);
		add(PARTNER, main_thread);
	}
}

static void yield_again_and_again(void)
{
	k_thread_start(&partner);
	/* The first call finds the partner before its loop: there is no window's end there. */
	(void)yield(&both.windows[MAIN]);
	(void)took_over(MAIN);
	/* Bound: the rounds of the rows. */
	for (uint32_t i = 0; i < both.rounds; i++) {
		(void)yield(&both.windows[MAIN]);
		add(MAIN, &partner);
	}
}

static void main_entry(void *unused_1, void *unused_2, void *unused_3)
{
	yield_again_and_again();
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &partner);
	k_thread_access_grant(&partner, thread);
}

static void create_partner(int prio, k_tid_t main_thread)
{
	(void)k_thread_create(&partner, partner_stack, K_THREAD_STACK_SIZEOF(partner_stack),
			      partner_entry, main_thread, NULL, NULL, prio,
			      both.is_user[PARTNER] ? K_USER : 0, K_FOREVER);
}

static void run(int prio)
{
	int prio_before = k_thread_priority_get(k_current_get());

	both.wants_cooperative = prio < 0;
	if (both.is_user[MAIN]) {
		create_partner(prio, measure_user_thread());
		measure_user_run(main_entry, prio, grant);
	} else {
		k_thread_priority_set(k_current_get(), prio);
		create_partner(prio, k_current_get());
		k_thread_access_grant(&partner, k_current_get());
		yield_again_and_again();
	}
	k_thread_abort(&partner);
	k_thread_priority_set(k_current_get(), prio_before);
}

static void begin(enum runner self, const char *id)
{
	measure_row_begin(both.row[self], id, "Context switch via k_yield");
	measure_user_overhead(both.row[self], both.is_user[self], both.is_user[1 - self]);
}

/* Between threads of one mode: both directions are samples of one row. */
static void measure_alike(const char *id, int prio, bool is_user)
{
	both.row[MAIN] = &both.rows[0];
	both.row[PARTNER] = &both.rows[0];
	both.is_user[MAIN] = is_user;
	both.is_user[PARTNER] = is_user;
	both.rounds = (SAMPLES + 1U) / 2U;
	begin(MAIN, id);
	run(prio);
	measure_row_end(&both.rows[0]);
}

static void measure_unlike(const char *k_to_u, const char *u_to_k, int prio)
{
	both.row[MAIN] = &both.rows[0];
	both.row[PARTNER] = &both.rows[1];
	both.is_user[MAIN] = false;
	both.is_user[PARTNER] = true;
	both.rounds = SAMPLES;
	begin(MAIN, k_to_u);
	begin(PARTNER, u_to_k);
	run(prio);
	measure_row_end(&both.rows[0]);
	measure_row_end(&both.rows[1]);
}

void latency_yield(void)
{
	measure_alike("thread.yield.preemptive.ctx.k_to_k", LATENCY_PRIO, false);
	if (IS_ENABLED(CONFIG_USERSPACE)) {
		measure_alike("thread.yield.preemptive.ctx.u_to_u", LATENCY_PRIO, true);
		measure_unlike("thread.yield.preemptive.ctx.k_to_u",
			       "thread.yield.preemptive.ctx.u_to_k", LATENCY_PRIO);
	}
	measure_alike("thread.yield.cooperative.ctx.k_to_k", K_PRIO_COOP(1), false);
	if (IS_ENABLED(CONFIG_USERSPACE)) {
		measure_alike("thread.yield.cooperative.ctx.u_to_u", K_PRIO_COOP(1), true);
		measure_unlike("thread.yield.cooperative.ctx.k_to_u",
			       "thread.yield.cooperative.ctx.u_to_k", K_PRIO_COOP(1));
	}
}

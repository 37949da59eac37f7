/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that block, and those that wake, in pairs: measure_pair() with the two
 * threads brought into a state before each window. The row itself is the state where the
 * one that blocks was woken (unqueued) and the one that wakes was preempted (queued).
 *
 * A second waiter, where there is one, is a thread of its own, made anew for each sample
 * behind the first. It is there when the first blocks the next time, so one pair has both
 * sides: to wake the first of two, and to block where another waits.
 */
#include "states.h"

enum company {
	COMPANY_NONE,
	COMPANY_EQUAL,       /* another waiter, as urgent */
	COMPANY_LESS_URGENT, /* another waiter, less urgent than all */
};

struct pair_state {
	const char *wait_name;
	const char *wake_name;
	enum caller wait_caller;
	enum caller wake_caller;
	enum company company;
	bool timed;
};

static const struct pair_state pair_states[] = {
	{"unqueued", "queued", CALLER_UNQUEUED, CALLER_QUEUED, COMPANY_NONE, false},
	{"queued", "unqueued", CALLER_QUEUED, CALLER_UNQUEUED, COMPANY_NONE, false},
	{"unqueued.timed", "queued.timed", CALLER_UNQUEUED, CALLER_QUEUED, COMPANY_NONE, true},
	{"queued.timed", "unqueued.timed", CALLER_QUEUED, CALLER_UNQUEUED, COMPANY_NONE, true},
	{"unqueued.equal", "queued.two", CALLER_UNQUEUED, CALLER_QUEUED, COMPANY_EQUAL, false},
	{"queued.equal", "unqueued.two", CALLER_QUEUED, CALLER_UNQUEUED, COMPANY_EQUAL, false},
	{"unqueued.mixed", "queued.mixed", CALLER_UNQUEUED, CALLER_QUEUED, COMPANY_LESS_URGENT,
	 false},
	{"queued.mixed", "unqueued.mixed", CALLER_QUEUED, CALLER_UNQUEUED, COMPANY_LESS_URGENT,
	 false},
	{"cooperative", "queued.to_cooperative", CALLER_COOPERATIVE, CALLER_QUEUED, COMPANY_NONE,
	 false},
	{"locked", "queued.to_locked", CALLER_LOCKED, CALLER_QUEUED, COMPANY_NONE, false},
	{"masked", "queued.to_masked", CALLER_MASKED, CALLER_QUEUED, COMPANY_NONE, false},
};

#define WAITER_PRIO      (STATES_PRIO - 1)
#define LESS_URGENT_PRIO (STATES_PRIO + 2)

static const struct states_pair *wanted;
static const struct pair_state *state;
static bool wait_was_so;
static bool wake_was_so;
static unsigned int wait_key;

static struct k_thread other;
static K_THREAD_STACK_DEFINE(other_stack, 1024);
static volatile uint32_t other_went_on;

static void other_entry(void *unused_1, void *unused_2, void *unused_3)
{
	(state->company != COMPANY_NONE && wanted->company_waits != NULL ? wanted->company_waits
									 : wanted->wait_once)();
	other_went_on++;
}

/* The other waiter waits, behind who waits already; then it has priority `prio`. */
static void other_waits(int prio)
{
	(void)k_thread_create(&other, other_stack, K_THREAD_STACK_SIZEOF(other_stack), other_entry,
			      NULL, NULL, NULL, WAITER_PRIO, 0, K_NO_WAIT);
	k_thread_priority_set(&other, prio);
}

static bool other_is_waiting(void)
{
	return measure_waits_in(&other, wanted->pair.wait_q);
}

static void wait_before(void)
{
	wait_was_so = true;
	if (wanted->pair.wait.before != NULL) {
		wanted->pair.wait.before();
	}
	switch (state->wait_caller) {
	case CALLER_QUEUED:
		become_queued();
		wait_was_so = is_queued();
		break;
	case CALLER_COOPERATIVE:
		k_thread_priority_set(k_current_get(), K_PRIO_COOP(1));
		break;
	case CALLER_LOCKED:
		k_sched_lock();
		break;
	case CALLER_MASKED:
		wait_key = irq_lock();
		break;
	default:
		break;
	}
}

static void wait_after(struct measure_row *row, intptr_t result)
{
	if (state->wait_caller == CALLER_MASKED) {
		irq_unlock(wait_key);
	} else if (state->wait_caller == CALLER_LOCKED) {
		k_sched_unlock();
	}
	measure_witness(row, "called_so", wait_was_so);
	wanted->pair.wait.after(row, result);
}

static void wake_before(void)
{
	if (state->company != COMPANY_NONE) {
		k_thread_abort(&other);
		other_waits(state->company == COMPANY_EQUAL ? WAITER_PRIO : LESS_URGENT_PRIO);
	}
	if (wanted->pair.wake.before != NULL) {
		wanted->pair.wake.before();
	}
	if (state->wake_caller == CALLER_UNQUEUED) {
		become_unqueued();
	} else {
		become_queued();
	}
	wake_was_so = is_queued() == (state->wake_caller == CALLER_QUEUED) &&
		      (state->company == COMPANY_NONE || other_is_waiting()) &&
		      ((measure_waiter.state & K_THREAD_TIMED) != 0) == state->timed;
}

static void wake_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "called_so", wake_was_so);
	wanted->pair.wake.after(row, result);
}

static void measure_state(void)
{
	const struct measure_operation *wait = &wanted->pair.wait;
	const struct measure_operation *wake = &wanted->pair.wake;
	char wait_id[64];
	char wake_id[64];

	(void)snprintk(wait_id, sizeof(wait_id), "%s/%s", wait->id, state->wait_name);
	(void)snprintk(wake_id, sizeof(wake_id), "%s/%s", wake->id, state->wake_name);
	if (state->company != COMPANY_NONE) {
		other.state = K_THREAD_DEAD; /* nothing to abort the first time */
	}
	measure_pair(&(struct measure_pair){
		.wait = {wait_id, wait->text, state->timed ? wanted->wait_timed : wait->window,
			 wait_before, wait_after},
		.wake = {wake_id, wake->text, wake->window, wake_before, wake_after},
		.wait_q = wanted->pair.wait_q,
	});
	if (state->company != COMPANY_NONE) {
		k_thread_abort(&other);
	}
}

/* ---- waking without a switch: more urgent and held up, or not more urgent ---- */

static enum caller waking_caller;
static bool waits_suspended;
static int waiting_prio;
static uint32_t other_before;

static void no_switch_before(void)
{
	other_before = other_went_on;
	other_waits(waiting_prio);
	if (waits_suspended) {
		k_thread_suspend(&other);
	}
	if (wanted->pair.wake.before != NULL) {
		wanted->pair.wake.before();
	}
	wait_was_so = other_is_waiting();
}

static intptr_t no_switch_window(struct measure_window *stamps)
{
	return call_as(waking_caller, wanted->pair.wake.window, stamps, &wake_was_so);
}

static void no_switch_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "called_so", wake_was_so && wait_was_so);
	k_thread_priority_set(&other, WAITER_PRIO);
	if (waits_suspended) {
		k_thread_resume(&other);
	}
	measure_witness(row, "woken", other_went_on == other_before + 1);
	k_thread_abort(&other);
}

static void measure_no_switch(const char *name, enum caller caller, int prio, bool suspended)
{
	char id[64];

	waking_caller = caller;
	waiting_prio = prio;
	waits_suspended = suspended;
	(void)snprintk(id, sizeof(id), "%s/%s", wanted->no_switch_id, name);
	measure_single(&(struct measure_operation){id, wanted->pair.wake.text, no_switch_window,
						   no_switch_before, no_switch_after});
}

static void measure_no_switches(void)
{
	state = pair_states; /* nobody else waits */
	measure_no_switch("cooperative", CALLER_COOPERATIVE, WAITER_PRIO, false);
	measure_no_switch("locked", CALLER_LOCKED, WAITER_PRIO, false);
	measure_no_switch("masked", CALLER_MASKED, WAITER_PRIO, false);
	measure_no_switch("isr", CALLER_ISR, WAITER_PRIO, false);
	measure_no_switch("isr.to_less_urgent", CALLER_ISR, LESS_URGENT_PRIO, false);
	measure_no_switch("isr.to_suspended", CALLER_ISR, WAITER_PRIO, true);
	measure_no_switch("queued.to_less_urgent", CALLER_QUEUED, LESS_URGENT_PRIO, false);
	measure_no_switch("unqueued.to_less_urgent", CALLER_UNQUEUED, LESS_URGENT_PRIO, false);
	measure_no_switch("queued.to_suspended", CALLER_QUEUED, WAITER_PRIO, true);
}

void states_pairs(const struct states_pair *pair)
{
	wanted = pair;
	/* Bound: the states. */
	for (state = pair_states; state < pair_states + ARRAY_SIZE(pair_states); state++) {
		if (!pair->alone || (!state->timed && state->company == COMPANY_NONE)) {
			measure_state();
		}
	}
	if (!pair->alone && !pair->pairs_only) {
		measure_no_switches();
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time slicing without a word at the switch.
 *
 * While two ready threads share a priority, a look is taken every eighth of a turn. A
 * running thread's `sp` is stale, and every switch from it writes it: so a look clears
 * it, and if the next one finds it clear, the same thread has run without a break in
 * between. As many looks as make a turn, and it goes behind its equals.
 *
 * Rejected: a deadline set at each switch, as Zephyr has it. It costs two or three dozen
 * instructions a switch, whether anybody shares a priority or not. A time stamp at each
 * switch would cost about five, and be exact; a look is good to an eighth of a turn.
 */
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"

#define LOOKS_PER_TURN   8U
#define PERIOD_OF(ticks) ((ticks) == 0 ? 0U : MAX((ticks) / LOOKS_PER_TURN, 1U))

static struct {
	k_ticks_t ticks;          /* of a turn; 0: threads without their own take none */
	k_ticks_t shortest_own;   /* of all threads' own turns ever; 0: there is none */
	k_ticks_t period;         /* between two looks; 0: nobody takes turns */
	int prio;                 /* turns are for this priority and less urgent ones */
	bool is_looking;          /* the next look is in the wheel */
	struct timeout next_look;
	const struct k_thread *seen; /* by the last look, running */
	k_ticks_t ran;            /* it has, since the look that saw it first */
	struct k_thread *ended;   /* its turn is over; it is about to be switched from */
} slice = {
	.ticks = K_TICKS_CEIL_(CONFIG_TIMESLICE_SIZE, 1000ULL),
	.period = PERIOD_OF(K_TICKS_CEIL_(CONFIG_TIMESLICE_SIZE, 1000ULL)),
	.prio = CONFIG_TIMESLICE_PRIORITY,
};

static k_ticks_t turn_of(const struct k_thread *thread)
{
#ifdef CONFIG_TIMESLICE_PER_THREAD
	if (thread->slice_ticks != 0) {
		return thread->slice_ticks;
	}
#endif
	return thread->prio >= slice.prio ? slice.ticks : 0;
}

static void tell_expired(struct k_thread *thread)
{
#ifdef CONFIG_TIMESLICE_PER_THREAD
	if (thread->slice_ticks != 0 && thread->slice_expired != NULL) {
		thread->slice_expired(thread, thread->slice_data);
	}
#endif
}

/* Is another thread of the running one's priority ready? */
static bool shares_level(const struct k_thread *current)
{
	unsigned int level = PRIO_LEVEL(current->prio);

	if ((k_cpu.levels & ready_level_bit(level)) == 0) {
		return false;
	}
	return k_cpu.level[level] != current || current->next != current;
}

/* Are there two ready threads of one preemptible priority? The idle thread has no equals. */
static bool anybody_shares(void)
{
	const struct k_thread *current = k_cpu.current;
	uint32_t levels = k_cpu.levels << CONFIG_NUM_COOP_PRIORITIES >> CONFIG_NUM_COOP_PRIORITIES;

	if (thread_is_ready(current) && current->prio >= 0 && shares_level(current)) {
		return true;
	}
	/* Bound: the preemptible priorities. */
	while (levels != 0) {
		unsigned int level = (unsigned int)__builtin_clz(levels);

		if (k_cpu.level[level]->next != k_cpu.level[level]) {
			return true;
		}
		levels &= ~ready_level_bit(level);
	}
	return false;
}

/* Its ring turns in sched_preempt(), which only a raised threshold makes consider equals. */
static void end_turn(struct k_thread *current)
{
	tell_expired(current);
	if ((current->state & K_THREAD_QUEUED) != 0) {
		ready_remove(current);
	}
	if (current->state == 0) {
		slice.ended = current;
		current->threshold = (int8_t)(current->prio + 1);
		arch_request_switch();
	}
}

static void look(struct timeout *timeout);

static void look_at(k_ticks_t when)
{
	slice.is_looking = true;
	slice.next_look.expire = look;
	timeout_add(&slice.next_look, when);
}

/* ISR. */
static void look(struct timeout *timeout)
{
	struct k_thread *current = k_cpu.current;
	k_ticks_t turn = turn_of(current);

	slice.is_looking = false;
	slice.ran += slice.period;
	if (current != slice.seen || current->sp != NULL) {
		slice.seen = current;
		slice.ran = 0;
		current->sp = NULL;
	}
	if (turn != 0 && slice.ran >= turn && current->threshold == current->prio &&
	    thread_is_ready(current) && shares_level(current)) {
		slice.seen = NULL;
		end_turn(current);
	}
	if (!slice.is_looking && slice.period != 0 && anybody_shares()) {
		look_at(timeout->when + slice.period);
	}
}

static void start_looking(void)
{
	slice.seen = NULL;
	look_at(clock_ticks() + slice.period);
}

void slice_ready(const struct k_thread *thread)
{
	if (slice.is_looking || slice.period == 0 || thread->prio < 0) {
		return;
	}
	if ((k_cpu.levels & ready_level_bit(PRIO_LEVEL(thread->prio))) != 0 ||
	    (k_cpu.current->prio == thread->prio && k_cpu.current != thread)) {
		start_looking();
	}
}

bool slice_end_turn(struct k_thread *current)
{
	if (likely(slice.ended == NULL)) {
		return false;
	}
	if (slice.ended != current || current->state != 0) {
		slice.ended = NULL; /* stopped, or switched from, in the meantime */
		return false;
	}
	slice.ended = NULL;
	sched_set_threshold(current);
	ready_add_last(current);
	return k_cpu.best->prio == current->prio;
}

/* The shortest turn in use decides how often to look. */
static void turns_changed(void)
{
	k_ticks_t shortest = slice.ticks;

	if (slice.shortest_own != 0 && (shortest == 0 || slice.shortest_own < shortest)) {
		shortest = slice.shortest_own;
	}
	slice.period = PERIOD_OF(shortest);
	if (slice.is_looking) {
		timeout_cancel(&slice.next_look);
		slice.is_looking = false;
	}
	if (slice.period != 0 && anybody_shares()) {
		start_looking();
	}
}

void k_sched_time_slice_set(int32_t slice_ms, int prio)
{
	unsigned int key = arch_irq_lock();

	slice.ticks = K_TICKS_CEIL_(slice_ms, 1000ULL);
	slice.prio = MAX(prio, 0);
	turns_changed();
	arch_irq_unlock(key);
}

#ifdef CONFIG_TIMESLICE_PER_THREAD
void k_thread_time_slice_set(struct k_thread *thread, int32_t slice_ticks,
			     k_thread_timeslice_fn_t expired, void *data)
{
	unsigned int key = arch_irq_lock();
	k_ticks_t ticks = slice_ticks <= 0 ? 0 : (k_ticks_t)slice_ticks;

	thread->slice_ticks = ticks;
	thread->slice_expired = expired;
	thread->slice_data = data;
	if (ticks != 0 && (slice.shortest_own == 0 || ticks < slice.shortest_own)) {
		slice.shortest_own = ticks;
	}
	turns_changed();
	arch_irq_unlock(key);
}
#endif

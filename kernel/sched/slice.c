/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time slicing: threads of one preemptible priority take turns, and a turn that is
 * interrupted by more urgent threads goes on afterwards with what is left of it.
 *
 * The time a thread has had of its turn is kept in the thread, in cycles of the timer, and
 * charged at each switch from it, but only while it can matter: k_cpu.sliced has a bit for
 * each level where ready threads share, or where one has begun a turn. While it is 0, a
 * switch tests it and that is all. One timeout ends turns, whoever runs: if it comes too
 * early for the running thread it is armed again for the rest, and it is moved only when a
 * thread is switched to that has less left. So a switch hardly ever touches the wheel.
 *
 * Turns end at ticks, at the nearest. What one was too long or too short by, also because
 * interrupts were masked or the scheduler locked, the thread's next one is made shorter or
 * longer by: so equals that take turns stay within a tick of equal shares, whoever else
 * runs in step with what.
 *
 * What holds, interrupts masked:
 *  1. a level with two ready threads that are preemptible has its bit;
 *  2. a ready thread whose slice_used is not 0 has its level's bit;
 *  3. a thread that is not ready, but for one that ISRs have just stopped, has a slice_used
 *     of 0: it begins a turn when it is ready again;
 *  4. slice.counting: the running thread is charged from slice.since on, and the timeout
 *     is armed for the end of its turn or before (not while it is overdue because the
 *     scheduler is locked). Never without a bit.
 *
 * Rejected: a time-out set anew at each switch and a whole new turn for whoever is
 * switched to, as in Zephyr: it costs two or three dozen instructions a switch, and with a
 * more urgent thread that wakes more often than a turn lasts, turns never end. Looking
 * from time to time whether the same thread still runs: free at a switch, but it sees
 * no more than samples, and what runs in step with them is never seen or always.
 */
#include "kernel/sched/sched.h"
#include "kernel/time/timeout.h"
#include "kernel/time/clock.h"
#include "drivers/timer.h"

/* Cycles: how far ahead the timeout is armed, so that differences of the counter have a sign. */
#define FURTHEST                 0x40000000U
#define AT_MOST_FURTHEST(cycles) ((uint32_t)MIN((cycles), (int64_t)FURTHEST))
#define TICKS_TO_CYCLES(ticks)   ((int64_t)((uint64_t)(ticks) * CLOCK_CYCLES_PER_TICK))
/* Turns end at the nearest tick: with less than this left, cycles, at the one that is now. */
#define HALF_A_TICK              (CLOCK_CYCLES_PER_TICK / 2)
/* k_thread.slice_ticks: as long as the system's, with a function of its own to be told. */
#define SYSTEMS_LENGTH           UINT32_MAX
/* Nobody shares with the idle thread: its level's bit says that somebody is to be told. */
#define TELLS_BIT                (1U << (NUM_LEVELS > 32 ? K_IDLE_PRIO : NUM_LEVELS - 1))

static struct {
	int64_t turn;         /* cycles; 0: threads without their own take none */
	uint32_t whole;       /* the same, at most FURTHEST */
	int prio;             /* turns are for this priority and less urgent ones */
	unsigned int telling; /* threads whose function is to be told of each expiry */
	uint32_t tells_bit;   /* TELLS_BIT while there are any */
	bool counting;        /* the running thread takes a turn */
	bool is_armed;
	uint32_t left; /* cycles that the running thread had left at `since`, at most FURTHEST */
	uint32_t since; /* timer: the running thread is charged up to here */
	uint32_t due; /* timer: the timeout comes at the nearest tick */
	struct timeout timeout;
} slice = {
	.turn = TICKS_TO_CYCLES(K_TICKS_CEIL_(CONFIG_TIMESLICE_SIZE, 1000ULL)),
	.whole = AT_MOST_FURTHEST(TICKS_TO_CYCLES(K_TICKS_CEIL_(CONFIG_TIMESLICE_SIZE, 1000ULL))),
	.prio = CONFIG_TIMESLICE_PRIORITY,
};

#if NUM_LEVELS > 32
BUILD_ASSERT(CONFIG_NUM_PREEMPT_PRIORITIES <= 31,
	     "at most 31 preemptible priorities with time slicing");

/*
 * One word all the same, since assembly asks for it: bit n is priority n's, the others take no
 * turns.
 */
static uint32_t level_bit(const struct k_thread *thread)
{
	return thread->prio < 0 ? 0 : 1U << (unsigned int)thread->prio;
}

static uint32_t levels_in_use(void)
{
	return (uint32_t)(k_cpu.levels >> CONFIG_NUM_COOP_PRIORITIES);
}
#else
static uint32_t level_bit(const struct k_thread *thread)
{
	return ready_level_bit(PRIO_LEVEL(thread->prio));
}

static uint32_t levels_in_use(void)
{
	return k_cpu.levels;
}
#endif

#ifdef CONFIG_TIMESLICE_PER_THREAD
static uint32_t own_ticks(const struct k_thread *thread)
{
	return thread->slice_ticks == SYSTEMS_LENGTH ? 0 : thread->slice_ticks;
}

static bool has_own(const struct k_thread *thread)
{
	return thread->slice_ticks != 0;
}

static bool tells(const struct k_thread *thread)
{
	return thread->slice_ticks != 0 && thread->slice_expired != NULL;
}

static void tell_expired(struct k_thread *thread)
{
	if (tells(thread)) {
		thread->slice_expired(thread, thread->slice_data);
	}
}
#else
static uint32_t own_ticks(const struct k_thread *thread)
{
	return 0;
}

static bool has_own(const struct k_thread *thread)
{
	return false;
}

static bool tells(const struct k_thread *thread)
{
	return false;
}

static void tell_expired(struct k_thread *thread)
{
}
#endif

/* The length of its turns, cycles; 0: it takes none. */
static int64_t turn_of(const struct k_thread *thread)
{
	uint32_t ticks = own_ticks(thread);

	if (thread->prio < 0) {
		return 0;
	}
	if (ticks != 0) {
		return TICKS_TO_CYCLES(ticks);
	}
	return thread->prio >= slice.prio ? slice.turn : 0;
}

/* Is another thread of the running one's priority ready? */
static bool shares_level(const struct k_thread *current)
{
	unsigned int level = PRIO_LEVEL(current->prio);

	if (current->prio < 0 || (k_cpu.levels & ready_level_bit(level)) == 0) {
		return false;
	}
	return k_cpu.level[level] != current || current->next != current;
}

/* ---- counting ---- */

static void turn_expired(struct timeout *timeout);

static __noinline void arm_earlier(uint32_t ahead, uint32_t now)
{
	if (slice.is_armed) {
		timeout_cancel(&slice.timeout);
	}
	slice.is_armed = true;
	slice.due = now + ahead;
	slice.timeout.expire = turn_expired;
	timeout_add(&slice.timeout, clock_tick_nearest(ahead));
}

/* Have the timeout come `ahead` cycles from `now`, the timer, or earlier. */
static void arm(uint32_t ahead, uint32_t now)
{
	if (!slice.is_armed || (int32_t)(now + ahead - slice.due) < 0) {
		arm_earlier(ahead, now);
	}
}

/* From `now` on `running` runs, and has been charged for what was before. */
static void count(struct k_thread *running, uint32_t now)
{
	int64_t turn;

	slice.since = now;
	slice.counting = false;
	if (running->slice_used == 0 && !tells(running) && !shares_level(running)) {
		k_cpu.sliced &= ~level_bit(running) | slice.tells_bit;
		return;
	}
	k_cpu.sliced |= level_bit(running);
	if (running->slice_used == 0 && !has_own(running)) { /* the usual case, in 32 bits */
		if (running->prio < slice.prio || slice.whole == 0) {
			return;
		}
		slice.left = slice.whole;
	} else {
		turn = turn_of(running);
		if (turn == 0) {
			return;
		}
		turn -= running->slice_used;
		slice.left = turn < 0 ? 0U : AT_MOST_FURTHEST(turn);
	}
	slice.counting = true;
	arm(slice.left, now);
}

static void charge(struct k_thread *current, uint32_t now)
{
	if (slice.counting) {
		current->slice_used += (uint32_t)(now - slice.since);
		slice.since = now;
	}
}

/* What the next turn is shorter by. It has one: of what is more than a turn nothing is left. */
static int64_t carried(int64_t used, int64_t turn)
{
	return MIN(used - turn, turn);
}

void slice_recount(struct k_thread *current)
{
	uint32_t now = timer_cycles();

	charge(current, now);
	count(current, now);
}

/* ---- what the scheduler tells ---- */

void slice_shared(struct k_thread *thread)
{
	if (thread->prio < 0 || (k_cpu.sliced & level_bit(thread)) != 0) {
		return;
	}
	k_cpu.sliced |= level_bit(thread);
	if (k_cpu.current->prio == thread->prio) {
		slice_recount(k_cpu.current);
	}
}

/*
 * Its turn goes on, unless hardly anything is left of it: then its equals are next. Who is
 * to be told of it gets the rest, and is told when it is over.
 */
static __noinline void preempted(struct k_thread *out, uint32_t now)
{
	bool is_over = slice.left < FURTHEST && now - slice.since + HALF_A_TICK >= slice.left;

	charge(out, now);
	if (is_over && out->next != out && !tells(out)) {
		out->slice_used = carried(out->slice_used, turn_of(out));
		ready_go_behind(out);
	}
}

/*
 * A turn goes on if its thread was preempted: it is ready still, and the first of its
 * equals. One that yielded is not, as long as it has any.
 */
void slice_switch(struct k_thread *out, struct k_thread *in)
{
	uint32_t now = timer_cycles();

	if (!thread_is_ready(out)) {
		out->slice_used = 0;
	} else if (out->threshold > out->prio) {
		/* Its turn is over, see go_behind(); the next begins when this one ended. */
		sched_set_threshold(out);
		now = slice.since;
	} else if (!ready_is_first(out)) {
		out->slice_used = 0;
	} else if (slice.counting) {
		preempted(out, now);
	}
	k_cpu.sliced &= levels_in_use() | level_bit(in);
	count(in, now);
}

intptr_t slice_sched_switch(struct k_thread *current, struct k_thread *next, unsigned int key)
{
	switch_hooks(current, next);
	k_cpu.current = next;
	return arch_switch(current, next, key & ARCH_IRQ_KEY_BIT);
}

void slice_stay(struct k_thread *current)
{
	sched_set_threshold(current);
	slice_recount(current);
}

/*
 * One that is raised past equals whose turn it was, to let go of what a more urgent thread
 * waits for, comes back with no turn left: else it would go on before them, each time.
 */
void slice_charge(struct k_thread *thread, int prio)
{
	if (thread == k_cpu.current) {
		charge(thread, timer_cycles());
	} else if (prio < thread->prio && (thread->state & K_THREAD_QUEUED) != 0 &&
		   !ready_is_first(thread)) {
		thread->slice_used = MAX(thread->slice_used, turn_of(thread));
	}
}

void slice_moved(struct k_thread *thread)
{
	if (!thread_is_ready(thread)) {
		return;
	}
	if (thread == k_cpu.current) {
		count(thread, timer_cycles());
	} else if (thread->slice_used != 0) {
		k_cpu.sliced |= level_bit(thread);
	}
}

/* ---- the end of a turn ---- */

/* Only a raised threshold makes sched_preempt() consider equals. ISR. */
static void go_behind(struct k_thread *current)
{
	if ((current->state & K_THREAD_QUEUED) != 0) {
		ready_remove(current);
	}
	ready_add_last(current);
	current->threshold = (int8_t)(current->prio + 1);
	arch_request_switch();
}

/*
 * ISR. A threshold that is not the thread's priority: it has locked the scheduler, and is
 * asked again by k_sched_unlock(); or it is about to be switched from.
 */
static void turn_expired(struct timeout *timeout)
{
	struct k_thread *current = k_cpu.current;
	uint32_t now = timer_cycles();
	int64_t turn;

	slice.is_armed = false;
	if (!slice.counting) {
		return;
	}
	charge(current, now);
	turn = turn_of(current);
	if (turn - current->slice_used >= (int64_t)HALF_A_TICK) {
		count(current, now);
		return;
	}
	if (current->threshold != current->prio ||
	    (current->wait_flags & TRAVERSAL_FLAG_CEILING) != 0) {
		return; /* and who walks keeps its place to the end: traversal.c */
	}
	current->slice_used = carried(current->slice_used, turn);
	tell_expired(current);
	if (current->threshold == current->prio && turn_of(current) != 0 && shares_level(current)) {
		go_behind(current);
		return;
	}
	if (!tells(current)) {
		current->slice_used = 0;
	}
	count(current, now);
}

/* ---- settings ---- */

/* The running thread begins a turn by the new settings. */
static void settings_changed(void)
{
	struct k_thread *current = k_cpu.current;

	current->slice_used = 0;
	count(current, timer_cycles());
}

void k_sched_time_slice_set(int32_t slice_ms, int prio)
{
	unsigned int key = irq_lock();

	slice.turn = slice_ms <= 0 ? 0 : TICKS_TO_CYCLES(K_TICKS_CEIL_(slice_ms, 1000ULL));
	slice.whole = AT_MOST_FURTHEST(slice.turn);
	slice.prio = MAX(prio, 0);
	settings_changed();
	irq_unlock(key);
}

#ifdef CONFIG_TIMESLICE_PER_THREAD
void k_thread_time_slice_set(struct k_thread *thread, int32_t slice_ticks,
			     k_thread_timeslice_fn_t expired, void *data)
{
	unsigned int key = irq_lock();

	if ((thread->state & K_THREAD_DEAD) != 0) {
		irq_unlock(key);
		return;
	}
	slice_thread_ended(thread);
	if (slice_ticks > 0) {
		thread->slice_ticks = (uint32_t)slice_ticks;
	} else {
		thread->slice_ticks = expired != NULL ? SYSTEMS_LENGTH : 0;
	}
	thread->slice_expired = expired;
	thread->slice_data = data;
	thread->slice_used = 0;
	if (tells(thread)) {
		slice.telling++;
		slice.tells_bit = TELLS_BIT;
		k_cpu.sliced |= TELLS_BIT;
	}
	if (thread == k_cpu.current) {
		settings_changed();
	} else {
		slice_recount(k_cpu.current);
	}
	irq_unlock(key);
}

void slice_forget(struct k_thread *thread)
{
	if (tells(thread) && --slice.telling == 0) {
		slice.tells_bit = 0;
		k_cpu.sliced &= ~TELLS_BIT;
	}
	thread->slice_ticks = 0;
}
#endif

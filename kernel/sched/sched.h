/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler, as the rest of the kernel sees it: pend, wake, reschedule.
 *
 * The running thread is in the ready queue or not, whichever cost less on the way
 * to where it is. A thread woken by one it outranks is handed the CPU without ever
 * being queued; the thread it displaces stays queued where it was. So the commonest
 * pattern of a real-time program, an urgent thread that wakes, works and blocks
 * again, touches the ready queue not once. Rejected: keeping the running thread
 * always queued (FreeRTOS, ThreadX) or never queued: both pay an insertion, a
 * removal and a search for each such pair.
 *
 * Invariants (thread context, interrupts masked only by the kernel itself):
 *  1. every ready thread other than the running one is in the ready queue;
 *  2. k_cpu.best is the head of the most urgent level; the idle thread is always
 *     queued, so there is one;
 *  3. if the running thread is queued and preemptible, it is k_cpu.best.
 *
 * A blocking function ends in a tail call of one of these: interrupts masked on
 * entry, `key` restored before it returns to the caller of the kernel.
 */
#ifndef FOLIOT_KERNEL_SCHED_H
#define FOLIOT_KERNEL_SCHED_H

#include "kernel/base/kernel.h"
#include "kernel/sched/metairq.h"
#include "kernel/hooks/period.h"
#include "kernel/sched/ready.h"
#include "kernel/sched/switch.h"
#include "kernel/sched/wait_q.h"

/*
 * Blocking, waking, yielding and ending have a way that serves any state ("Any", where it
 * stands, and which states come there usually), and short ones for the usual states. Where size
 * goes first, or priorities do not decide alone (metairq.h, deadline.c), the former does it all.
 */
#define PRIO_DECIDES (!IS_ENABLED(CONFIG_METAIRQ) && !IS_ENABLED(CONFIG_SCHED_DEADLINE))
#ifdef __clang_analyzer__
extern const bool fast_paths; /* or it objects to all that goes unused in one of the builds */
#define FAST_PATHS fast_paths
#else
#define FAST_PATHS (!IS_ENABLED(CONFIG_SIZE_OPTIMIZATIONS) && PRIO_DECIDES)
#endif

/*
 * Is a switch arch_switch() and nothing else, and are there short ways? Then who may call nobody
 * does the rest of one itself (kernel/syscall/fast.h).
 */
#if defined(CONFIG_SWITCH_HOOKS) || defined(CONFIG_TIMESLICING)
#define SWITCH_IS_PLAIN false
#else
#define SWITCH_IS_PLAIN FAST_PATHS
#endif

/*
 * k_thread.wait_flags: what kind of object a thread waits for, where that matters to
 * others. The low bits are the object's own (event.c).
 */
#define WAIT_FLAG_JOIN  0x40U
#define WAIT_FLAG_MUTEX 0x80U

/* Does it inherit, or another from it? Whatever becomes of it goes along a row then. */
static inline bool sched_lends_or_inherits(const struct k_thread *thread)
{
	return thread->contended != NULL || ((thread->state & K_THREAD_PENDING) != 0 &&
					     (thread->wait_flags & WAIT_FLAG_MUTEX) != 0);
}

/* It leaves its wait next, and nobody is told. Returns the queue by which it lent, if it did. */
static inline _wait_q_t *sched_lends_no_longer(struct k_thread *thread)
{
	if ((thread->state & K_THREAD_PENDING) == 0 ||
	    (thread->wait_flags & WAIT_FLAG_MUTEX) == 0) {
		return NULL;
	}
	thread->wait_flags = 0;
	return thread->pended_on;
}

/* The same of a thread that does not wait, but walks: traversal.c. */
#define TRAVERSAL_FLAG_STOPS   0x02U /* it has been suspended, and stops when it is over */
#define TRAVERSAL_FLAG_CEILING 0x04U /* others run in between; wake_data has priorities */
#define TRAVERSAL_FLAG_ENDS    0x08U /* it has been aborted, and ends when the traversal does */
#define TRAVERSAL_FLAG_FINISHES \
	0x10U /* the traversal goes on to its end, whatever happens to the thread */
#define TRAVERSAL_FLAGS (TRAVERSAL_FLAG_CEILING | TRAVERSAL_FLAG_FINISHES)

#define THRESHOLD_NEVER  INT8_MIN /* cooperative, or the scheduler is locked */
#define THRESHOLD_ALWAYS INT8_MAX /* cannot go on itself */

/*
 * A wait with a time-out begins by arming that, in a step of its own: behind it interrupts come in,
 * and whoever is more urgent runs. The thread is ready like any other until it waits, but for
 * K_THREAD_TIMED, which goes when its time does. So a wait never moves the alarm, and nothing that
 * comes in between makes it begin anew. True: the caller looks once more whether it has to wait,
 * and calls sched_disarm() if not; once a call. False: none or for ever, or in an ISR. Size first,
 * all is one step. Rejected: windows behind the moment when a thread has joined a queue, while it
 * neither runs nor waits (docs/worst-case.md).
 */
#define ARMS_FIRST !IS_ENABLED(CONFIG_SIZE_OPTIMIZATIONS)
#ifdef CONFIG_SIZE_OPTIMIZATIONS
#define sched_arm_first(timeout, timeout_value, key) false
#define sched_disarm()                               ((void)0)
#else
bool sched_arm_first(k_timeout_t timeout, int timeout_value, unsigned int key);
void sched_disarm(void);
#endif

/* Has what was armed ended while the running thread was about to wait? */
static inline bool sched_is_over(k_timeout_t timeout)
{
	return ARMS_FIRST && timeout.ticks != K_TICKS_FOREVER &&
	       (*(volatile uint8_t *)&k_cpu.current->state & K_THREAD_TIMED) == 0;
}

/*
 * Block the running thread on wait_q (NULL: on time alone), with a time-out that is armed. Returns
 * the waker's value; `timeout_value` when the time is over; -EBUSY for K_NO_WAIT; -EWOULDBLOCK in
 * an ISR. With a timeout_value of 0 the latter two are 0 as well, for calls that return NULL.
 */
intptr_t sched_pend_slow(_wait_q_t *wait_q, k_timeout_t timeout, unsigned int key,
			 int timeout_value);

/* The same, for callers that have a time-out most of the time, and have armed it. */
intptr_t sched_pend_timed(_wait_q_t *wait_q, k_timeout_t timeout, unsigned int key,
			  int timeout_value);

/*
 * The same without the switch, and without the checks: for objects that have more to
 * do between blocking and switching. Thread context; timeout is not K_NO_WAIT, and armed here if it
 * is not yet.
 */
void sched_pend_prepare(_wait_q_t *wait_q, k_timeout_t timeout, int timeout_value);

/*
 * Wake the first waiter of wait_q, which is not empty: its blocking call returns
 * `value`. Switches to it if it outranks the caller; restores key. Returns what the
 * caller had put in k_cpu.current->wake_value, so that a caller with a result of its
 * own to return can end in a tail call, too.
 */
intptr_t sched_wake_first(_wait_q_t *wait_q, intptr_t value, unsigned int key);

/*
 * Take `thread` out of its wait and make it ready, without switching: for wakers of
 * several threads, which end with sched_reschedule().
 */
void sched_wake(struct k_thread *thread, intptr_t value);

/*
 * Wake `thread`, whatever it waits for, and switch to it if it outranks the caller and is not
 * suspended as well; restore key. Returns as sched_wake_first() does.
 */
intptr_t sched_wake_switch(struct k_thread *thread, intptr_t value, unsigned int key);

/* Start `thread` now or in some time, not never; returns it. */
k_tid_t thread_start_after(struct k_thread *thread, k_timeout_t delay);

/* A thread became ready that is in no queue; no switch. */
void sched_ready(struct k_thread *thread);

/* A thread became ready that is in no queue; switch to it if it outranks the caller. */
void sched_ready_switch(struct k_thread *thread, unsigned int key);

/*
 * Switch if something more urgent is ready; restore key. In an ISR, or where the
 * caller had masked interrupts, the switch follows as soon as it may.
 */
void sched_reschedule(unsigned int key);

/* Effective priority changed; moves the thread in whatever queue it is in. */
void sched_set_prio(struct k_thread *thread, int prio);

/* Arm a thread's time-out; it ends the thread's wait with timeout_value, or starts it. */
void sched_arm_timeout(struct k_thread *thread, k_timeout_t timeout, int timeout_value);

/*
 * The threshold of one that is cooperative or has locked the scheduler: only meta-IRQs are below.
 */
static inline int8_t sched_threshold_fixed(const struct k_thread *thread)
{
#ifdef CONFIG_METAIRQ
	return thread == k_cpu.walker ? THRESHOLD_NEVER : MIN(thread->prio, METAIRQ_LIMIT);
#else
	return THRESHOLD_NEVER;
#endif
}

/* Recompute the preemption threshold after a change of priority or of locks. */
static inline void sched_set_threshold(struct k_thread *thread)
{
	bool fixed = thread->prio < 0 || thread->sched_locks != 0 || thread == k_cpu.walker;

	thread->threshold = fixed ? sched_threshold_fixed(thread) : thread->prio;
}

/* Whether a thread, while it runs, makes way for any that is more urgent. */
static inline bool sched_is_preemptible(const struct k_thread *thread)
{
	if (IS_ENABLED(CONFIG_METAIRQ)) { /* any threshold may be a meta-IRQ's */
		return thread->prio >= 0 && thread->sched_locks == 0;
	}
	return thread->threshold != THRESHOLD_NEVER;
}

/* The priority of who would run if the running thread stopped, or gave way. */
#define sched_best_prio() metairq_prio(metairq_instead(k_cpu.best))

/* Is `next`, of the running thread's priority, to preempt it all the same? (deadline.c) */
#ifdef CONFIG_SCHED_DEADLINE
bool deadline_preempts(const struct k_thread *next, const struct k_thread *current);
#else
#define deadline_preempts(next, current) false /* a macro: see metairq.h */
#endif

/* Is `next` to run in place of the running thread `current`? */
#define sched_outranks(next, current) \
	(metairq_prio(next) < (current)->threshold || deadline_preempts(next, current))

/* `thread` is suspended: it goes no further, whatever else it waits for; no switch. */
static inline void thread_stop(struct k_thread *thread)
{
	if ((thread->state & K_THREAD_QUEUED) != 0) {
		ready_remove(thread);
	}
	metairq_forget(thread);
	thread->state |= K_THREAD_SUSPENDED;
	slice_new_turn(thread);
}

/* Take a thread out of whatever queue it is in, and disarm its time-out. */
void sched_unlink(struct k_thread *thread);

/*
 * Work that grows with what others ask for is a traversal: it is done in steps, each of them
 * masked, of CONFIG_MASKED_BYTES that are copied, CONFIG_MASKED_STEPS that are looked at, or one
 * that is woken. After each sched_traversal_window() lets interrupts in, and a thread that is more
 * urgent than the traversal's ceiling runs: that of the caller, or of the most urgent one in the
 * queues that sched_traversal_ceiling() was told of, which begins the traversal. So nobody who is
 * woken runs before all are, and whoever joins meanwhile is in front of them. A traversal that
 * sched_traversal_finishes() goes on to its end even if the traversing thread is aborted or
 * suspended meanwhile, which ends or stops then; sched_traversal_waking() is both. What a traversal
 * stands on may have gone after a window.
 *
 * A traversal that sched_traversal_begin() begins lets nobody run: a traversing thread that an ISR
 * aborts or suspends stops at its end. sched_traversal_end() is sched_reschedule() too, and
 * sched_traversal_alone_leave() what it does before, of such a traversal. All with the `key` of the
 * traversing thread's call, and nothing is opened that was masked before it; who may not be
 * switched from walks without a ceiling.
 */
void sched_traversal_begin(unsigned int key);
void sched_traversal_alone_leave(struct k_thread *walker);
void sched_traversal_ceiling(const _wait_q_t *wait_q, unsigned int key);
void sched_traversal_finishes(bool finishes, unsigned int key);
void sched_traversal_waking(const _wait_q_t *wait_q, unsigned int key);
void sched_traversal_end(unsigned int key) __attribute__((weak)); /* as below */
/*
 * Begins one, or goes on with it, in which `thread` ends: its caller is as urgent as that. True:
 * another thread has ended it meanwhile; the traversal is over, and key restored.
 */
bool sched_traversal_of_end(struct k_thread *thread, unsigned int key) __attribute__((weak));
/*
 * `thread` ends in it. Another one leaves its queue, and waits where nobody wakes it, so that whom
 * it lent to, its caller, its mutexes, what it named and polls, its stack and the rest of its end
 * are a step each; then the traversal is over, and key restored: true. Of the running one the
 * traversal is over, too, and the rest is one step, since it runs on the stack that it gives back:
 * false, and masked.
 */
bool sched_traversal_ends(struct k_thread *thread, unsigned int key) __attribute__((weak));
/* Masked throughout, of one with a ceiling, whose caller goes on to wait. */
void sched_traversal_leave(unsigned int key);

/*
 * `thread` is aborted between two steps of a traversal that is to be finished first: it does that
 * as urgently as its end is waited for by the caller. Restores key. Weak, as the functions in
 * inherit.h are: where nothing walks, nothing calls it.
 */
void sched_traversal_ends_thread(struct k_thread *thread, unsigned int key) __attribute__((weak));

/* Is the caller, who may be switched from, in a traversal with a ceiling? */
static inline bool sched_is_traversing(unsigned int key)
{
	return (k_cpu.current->wait_flags & TRAVERSAL_FLAG_CEILING) != 0 && arch_may_switch(key);
}

/* Is it in such a traversal, which is finished before it ends, or stops? */
static inline bool sched_traversal_is_finished(const struct k_thread *thread)
{
	return unlikely((thread->wait_flags & TRAVERSAL_FLAGS) == TRAVERSAL_FLAGS) &&
	       (thread->state & K_THREAD_PENDING) == 0;
}

/*
 * Begin a traversal that wakes all who wait, with `value`, or go on with one: masked no longer than
 * one takes, however many there are. Who joins meanwhile is not woken. Returns how many there were;
 * to be ended by sched_traversal_end().
 */
unsigned int sched_wake_all(_wait_q_t *wait_q, intptr_t value, unsigned int key);

#define TRAVERSAL_MASKED \
	(ARCH_IRQ_KEY_OPEN ^ ARCH_IRQ_KEY_BIT) /* a key: its windows let nothing in */

static inline void sched_traversal_window(unsigned int key)
{
	if ((key & ARCH_IRQ_KEY_BIT) == ARCH_IRQ_KEY_OPEN) {
		arch_irq_unlock(key);
		(void)arch_irq_lock();
	}
}

static inline int8_t sched_traversal_prio(const struct k_thread *walker)
{
	return (int8_t)walker->wake_data;
}

/* What it has behind the traversal. */
static inline int8_t sched_traversal_own_prio(const struct k_thread *walker)
{
	return (int8_t)(walker->wake_data >> 8);
}

/*
 * Somebody gives a thread that may be in a traversal with a ceiling the priority `prio`, its own
 * behind that. Returns what it has until then: no less than the ceiling, or whom it has woken would
 * run before all are.
 */
static inline int sched_traversal_set_own_prio(struct k_thread *thread, int prio)
{
	if ((thread->state & K_THREAD_PENDING) != 0) {
		return prio;
	}
	thread->wake_data = (uintptr_t)(uint8_t)prio << 8 | (uint8_t)thread->wake_data;
	return MIN(prio, sched_traversal_prio(thread));
}

/* Has the traversing thread been aborted meanwhile, in a traversal that finishes? */
static inline bool sched_traversal_is_to_end(unsigned int key)
{
	return arch_may_switch(key) &&
	       (*(volatile uint8_t *)&k_cpu.current->wait_flags & TRAVERSAL_FLAG_ENDS) != 0;
}

/* Has `waiter` joined since the traversal began, whose ceiling is no more urgent? */
static inline bool sched_traversal_is_new(const struct k_thread *waiter, unsigned int key)
{
	return arch_may_switch(key) && waiter->prio < sched_traversal_prio(k_cpu.current);
}

/*
 * Traversals that pass waiters whom they do not concern. sched_traversal_past(): the one behind
 * `thread`, with interrupts let in after some `*steps`; sched_traversal_on(): `thread` itself after
 * a window. Where handlers have moved it meanwhile, the first of the queue. NULL at the end.
 * sched_traversal_stop() ends a traversal as sched_traversal_end() does, but stays masked, for a
 * caller that goes on to block: false where it was stopped meanwhile, and goes on now, and what the
 * traversal had found may be gone.
 */
/*
 * Counts waiting threads that go to other places, and those that end their waits while a traversal
 * stands on one of them (K_THREAD_STOOD_ON: so that nobody is woken straight meanwhile). A
 * traversal asks this, and not the thread, whose block may be anything by then.
 */
extern uint32_t sched_moves;
struct k_thread *sched_traversal_on(const _wait_q_t *wait_q, struct k_thread *thread,
				    unsigned int key);
bool sched_traversal_stop(unsigned int key);

static inline struct k_thread *sched_traversal_past(const _wait_q_t *wait_q,
						    struct k_thread *thread, unsigned int *steps,
						    unsigned int key)
{
	struct k_thread *next = wait_q_next(wait_q, thread);

	(*steps)++;
	return *steps % CONFIG_MASKED_STEPS == 0 ? sched_traversal_on(wait_q, next, key) : next;
}

/*
 * `thread`, unlinked, cannot go on. Switches away if it is the running one (from an
 * ISR: when that ends); restores key.
 */
void sched_stop(struct k_thread *thread, unsigned int key);

/*
 * Debug builds assert the invariants: 1 and 2 where a thread blocks, all of them where
 * one is woken by a caller that may be switched from.
 */
#ifdef CONFIG_ASSERT
void sched_check(void);
void sched_check_wake(unsigned int key);
#else
static inline void sched_check(void)
{
}

static inline void sched_check_wake(unsigned int key)
{
}
#endif

/* From the running thread to `next`, both settled; returns when switched back. */
#ifdef CONFIG_SWITCH_HOOKS
intptr_t sched_switch(struct k_thread *current, struct k_thread *next, unsigned int key);
#else
static inline intptr_t sched_switch(struct k_thread *current, struct k_thread *next,
				    unsigned int key)
{
	if (slice_is_on()) {
		return slice_sched_switch(current, next, key);
	}
	switch_hooks(current, next);
	k_cpu.current = next;
	return arch_switch(current, next, key & ARCH_IRQ_KEY_BIT);
}
#endif

/* In front of some who wait already: joins them, and switches. */
intptr_t sched_pend_in_front(_wait_q_t *wait_q, unsigned int key);

/* The running thread, settled but for wait_q, joins that and switches. Calls nobody but last. */
static inline intptr_t sched_pend_switch(_wait_q_t *wait_q, struct k_thread *current,
					 unsigned int key)
{
	if (likely(wait_q->head == NULL)) {
		wait_q->head = current;
		current->next = current;
		current->prev = current;
	} else if (unlikely(!wait_q_append(wait_q, current))) {
		return sched_pend_in_front(wait_q, key);
	}
	return sched_switch(current, k_cpu.best, key);
}

/* The same for a running thread that is preemptible and not queued: it goes on later. */
intptr_t sched_switch_unqueued(struct k_thread *current, struct k_thread *next, unsigned int key);

/* From the running thread, which goes on later, to `next`, which outranks it. */
static inline intptr_t sched_switch_preempting(struct k_thread *current, struct k_thread *next,
					       unsigned int key)
{
	if (unlikely(current->state != K_THREAD_QUEUED)) {
		return sched_switch_unqueued(current, next, key);
	}
	return sched_switch(current, next, key);
}

#endif /* FOLIOT_KERNEL_SCHED_H */

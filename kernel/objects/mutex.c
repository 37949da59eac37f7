/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes. While nobody waits, a mutex is its owner and a count, and is in no list:
 * re-locking and nested unlocking need no masking, since only the owner changes the
 * two fields once they are its own. A mutex enters its owner's `contended` list with
 * its first waiter; from that list the owner's inherited priority is computed, so it
 * is right with several mutexes, whichever order they are unlocked in, and when a
 * waiter times out, is aborted or changes its own priority.
 *
 * A thread may end while it holds mutexes. Those that others wait for are in its list, and
 * lose their owner there and then. One that nobody waits for is in no list: its owner is
 * found by its generation, which leads to nobody then (generation.h). Rejected: a list of all
 * mutexes a thread holds, which every lock and unlock would pay for.
 */
#include "kernel/hooks/inherit.h"
#include "kernel/time/timeout.h"
#include "kernel/hooks/object.h"
#include "kernel/hooks/user.h"
#include "kernel/objects/mutex.h"
#include "kernel/objects/operation.h"

int k_mutex_init(struct k_mutex *mutex)
{
	object_init_begin(mutex, mutex);
	*mutex = (struct k_mutex)K_MUTEX_INITIALIZER;
	object_init_end(mutex, mutex);
	return 0;
}

/*
 * Its owner has ended; others wait, or are about to. It is locked by nobody, whichever generations
 * come again, and in no list.
 */
static void mutex_lost(struct k_mutex *mutex)
{
	mutex->owner = NULL;
	mutex->generation = GENERATION_ENDED;
	mutex->link = NULL;
}

struct k_thread *mutex_living_owner(struct k_mutex *mutex)
{
	struct k_thread *owner = mutex_owner(mutex);

	if (owner == NULL && mutex->generation != GENERATION_ENDED && mutex->wait_q.head == NULL) {
		mutex_lost(mutex);
	}
	return owner;
}

/* `heir` has left the queue, and owns the mutex from now on. It has got its generation. */
/* Model: mutex.hand_over */
static inline void bequeath(struct k_mutex *mutex, struct k_thread *heir)
{
	mutex_own(mutex, heir);
	if (mutex->wait_q.head != NULL) {
		contended_add(heir, mutex);
	}
}

/* The first waiter owns the mutex from now on, which has no owner; no switch. */
static void hand_to_first(struct k_mutex *mutex, int result)
{
	struct k_thread *heir = mutex->wait_q.head;

	heir->wait_flags = 0; /* nobody falls by that: who inherited has let go of it */
	sched_wake(heir, result);
	bequeath(mutex, heir);
}

/* Another thread held it when it ended; or it is the caller's first mutex; or as below. */
static __noinline int lock_slow(struct k_mutex *mutex, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	/* Bound: D, as others ran while the owner's row was gone along; else it is once. */
	do {
		bool is_free = mutex->generation == GENERATION_NOBODY;

		/* Model: mutex.lock_free, mutex.lock_after_end, mutex_steps.free_by_now */
		if (is_free || (IS_ENABLED(CONFIG_MUTEX_ROBUST) && mutex_owner(mutex) == NULL &&
				mutex->wait_q.head == NULL && !arch_in_isr())) {
			(void)generation_of(current);
			mutex_own(mutex, current);
			sched_disarm();
			arch_irq_unlock(key);
			return is_free ? 0 : -EOWNERDEAD;
		}
		/* Model: mutex.lock_refused */
		if (timeout.ticks == 0 || arch_in_isr()) {
			return (int)sched_pend_slow(&mutex->wait_q, timeout, key, -EAGAIN);
		}
		/* Bound: D, its time came in a window. Model: mutex_steps.is_over. */
		if (sched_is_over(timeout)) {
			arch_irq_unlock(key);
			return -EAGAIN;
		}
	} while (inherit_ahead(mutex, key));
	(void)generation_of(current); /* its heirs have one */
	/* Model: mutex.lock_wait, mutex_steps.wait, mutex_steps.wait_behind */
	mutex_wait_lending(mutex, timeout);
	return (int)sched_switch(current, k_cpu.best, key);
}

/* Goes on with its time-out armed, which is put aside while it has short ways. */
static __noinline int lock_slow_armed(struct k_mutex *mutex, k_timeout_t timeout, unsigned int key)
{
	if (ARMS_FIRST && timeout.ticks != K_TICKS_FOREVER) {
		k_cpu.current->state |= K_THREAD_TIMED;
	}
	return lock_slow(mutex, timeout, key);
}

/*
 * Another thread holds it, which is ready to run: the caller waits, and lets it inherit. Without a
 * call, since nobody else is concerned.
 */
static __noinline int lock_contended(struct k_mutex *mutex, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *owner = mutex_owner(mutex);

	if (unlikely((!ARMS_FIRST && timeout.ticks != K_TICKS_FOREVER) || owner == NULL ||
		     owner->state != K_THREAD_QUEUED || current->generation == GENERATION_NONE ||
		     !arch_may_switch(key) || slice_is_on())) {
		return lock_slow_armed(mutex, timeout, key);
	}
	sched_check();
	if (current->state != 0) {
		ready_unlink_inline(current);
	}
	if (likely(mutex->wait_q.head == NULL)) {
		contended_add(owner, mutex);
	} else {
		mutex_changes++;
	}
	/* Model: mutex.lock_wait, mutex_steps.wait */
	current->state = K_THREAD_PENDING;
	current->wait_flags = WAIT_FLAG_MUTEX;
	current->pended_on = &mutex->wait_q;
	wait_q_add_inline(&mutex->wait_q, current);
	if (likely(current->prio < owner->prio)) {
		ready_unlink_inline(owner);
		owner->state = 0;
		owner->prio = current->prio;
		sched_set_threshold(owner);
		ready_add_last_inline(owner);
	}
	if (ARMS_FIRST && timeout.ticks != K_TICKS_FOREVER) {
		current->state = K_THREAD_PENDING | K_THREAD_TIMED;
	}
	return (int)sched_switch(current, k_cpu.best, key);
}

/* With a time-out, or none (an owner may have ended). Model: mutex_steps.begin, mutex_steps.arm. */
static __noinline int lock_timed(struct k_mutex *mutex, k_timeout_t timeout, unsigned int key)
{
	if (mutex->generation == GENERATION_NOBODY || !sched_arm_first(timeout, -EAGAIN, key) ||
	    *(volatile uint32_t *)&mutex->generation == GENERATION_NOBODY ||
	    sched_is_over(timeout)) {
		return lock_slow(mutex, timeout, key);
	}
	k_cpu.current->state &= (uint8_t)~K_THREAD_TIMED;
	return lock_contended(mutex, timeout, key);
}

/*
 * As unlock_slow(), but the caller, who waits next, falls first, for nobody may come in between.
 */
static __noinline void pass_on(struct k_mutex *mutex, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	int prio = inherit_without(mutex, key);

	if (mutex->wait_q.head == NULL) {
		mutex_disown(mutex);
		return;
	}
	contended_remove(mutex);
	hand_to_first(mutex, 0);
	if (prio != current->prio) {
		sched_set_prio(current, prio);
	}
}

void mutex_release(struct k_mutex *mutex, unsigned int key)
{
	if (mutex->lock_count > 1) {
		mutex->lock_count--;
	} else if (mutex->wait_q.head != NULL) {
		pass_on(mutex, key);
	} else {
		mutex_disown(mutex);
	}
}

/* Model: mutex.owner_gone */
void mutex_owner_gone(struct k_mutex *mutex)
{
	contended_remove(mutex);
	if (IS_ENABLED(CONFIG_MUTEX_ROBUST) && mutex->lock_count != 0) { /* else mutex.h's */
		hand_to_first(mutex, -EOWNERDEAD);
		return;
	}
	mutex_lost(mutex);
}

/* The last unlock while somebody waits: the caller falls in a step of its own. */
/* Model: mutex.unlock_pass_on, mutex_steps.pass_on, mutex_steps.fall, mutex_steps.reschedule */
static __noinline int unlock_slow(struct k_mutex *mutex, unsigned int key)
{
	const uint32_t generation = mutex->generation;

	contended_remove(mutex);
	hand_to_first(mutex, 0);
	sched_traversal_window(key);
	mutex_inherit(generation, key);
	sched_traversal_window(key);
	sched_reschedule(key);
	return 0;
}

/*
 * The usual last unlock while somebody waits: the caller has inherited from the first waiter,
 * by this mutex and no other. It falls back to its own priority and the heir goes on, unless
 * others of the heir's priority have been ready for longer.
 */
static __noinline int unlock_contended(struct k_mutex *mutex, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *heir = mutex->wait_q.head;
	struct k_thread *next = heir;

	if (unlikely((heir->state & (uint8_t)~K_THREAD_TIMED) != K_THREAD_PENDING ||
		     current->contended != mutex || mutex->next_contended != NULL ||
		     current->threshold != heir->prio || current->base_prio <= heir->prio ||
		     !arch_may_switch(key) || slice_is_on())) {
		return unlock_slow(mutex, key);
	}
	if ((heir->state & K_THREAD_TIMED) != 0) {
		timeout_cancel(&heir->timeout);
	}
	/* Model: mutex.unlock_pass_on */
	current->contended = NULL;
	wait_q_remove_first_inline(&mutex->wait_q, heir);
	heir->wait_flags = 0;
	heir->wake_value = 0;
	heir->state = 0;
	bequeath(mutex, heir);
	if (current->state != 0) {
		ready_unlink_inline(current);
		current->state = 0;
	}
	current->prio = current->base_prio;
	current->threshold = current->base_prio;
	current->wake_value = 0;
	if (unlikely(k_cpu.best->prio <= heir->prio)) {
		next = k_cpu.best;
		ready_add_last_inline(heir);
	}
	ready_add_first_inline(current);
	return (int)sched_switch(current, next, key);
}

static inline intptr_t refuse_or_wait(struct k_mutex *mutex, k_timeout_t timeout, unsigned int key)
{
	if (timeout.ticks == 0 && mutex->generation != GENERATION_NOBODY &&
	    !IS_ENABLED(CONFIG_MUTEX_ROBUST)) {
		return done(-EBUSY, key);
	}
	if (ARMS_FIRST && timeout.ticks != K_TICKS_FOREVER) {
		return lock_timed(mutex, timeout, key);
	}
	return lock_contended(mutex, timeout, key);
}

#define LOCK_CONTENDED(mutex, timeout) refuse_or_wait(mutex, timeout, key)
/* The short way knows by its threshold who is preemptible. */
#define UNLOCK_CONTENDED(mutex) \
	(PRIO_DECIDES ? unlock_contended(mutex, key) : unlock_slow(mutex, key))
#include "kernel/objects/mutex_ops.h"

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes. While nobody waits, a mutex is its owner and a count, and is in no list:
 * re-locking and nested unlocking need no masking, since only the owner changes the
 * two fields once they are its own. A mutex enters its owner's `contended` list with
 * its first waiter; from that list the owner's inherited priority is computed, so it
 * is right with several mutexes, whichever order they are unlocked in, and when a
 * waiter times out, is aborted or changes its own priority.
 */
#include "kernel/sched/sched.h"
#include "kernel/inspect/object.h"
#include "kernel/objects/mutex.h"

int k_mutex_init(struct k_mutex *mutex)
{
	object_init_begin(mutex, mutex);
	*mutex = (struct k_mutex)K_MUTEX_INITIALIZER;
	object_init_end(mutex, mutex);
	return 0;
}

int mutex_effective_prio(const struct k_thread *thread)
{
	int prio = thread->base_prio;

	/* Bound: the mutexes that `thread` holds. */
	for (const struct k_mutex *m = thread->contended; m != NULL; m = m->next_contended) {
		if (m->wait_q.head->prio < prio) {
			prio = m->wait_q.head->prio;
		}
	}
	return prio;
}

static void contended_remove(struct k_thread *owner, struct k_mutex *mutex)
{
	struct k_mutex **link = &owner->contended;

	/* Bound: the mutexes that `owner` holds. */
	while (*link != mutex) {
		link = &(*link)->next_contended;
	}
	*link = mutex->next_contended;
}

/* Let `owner` inherit what it is entitled to now, and whom it waits for, and so on. */
static void inherit(struct k_thread *owner)
{
	for (int hops = 0; hops < CONFIG_MUTEX_CHAIN_MAX; hops++) {
		int prio = mutex_effective_prio(owner);
		const struct k_mutex *blocked_on = mutex_waited_for(owner);

		if (prio == owner->prio) {
			return;
		}
		sched_set_prio(owner, prio);
		if (blocked_on == NULL) {
			return;
		}
		owner = blocked_on->owner;
	}
}

void mutex_waiters_changed(struct k_mutex *mutex)
{
	struct k_thread *owner = mutex->owner;

	if (owner == NULL) {
		return;
	}
	if (mutex->wait_q.head == NULL) {
		contended_remove(owner, mutex);
	}
	inherit(owner);
}

static __noinline int lock_contended(struct k_mutex *mutex, k_timeout_t timeout, unsigned int key)
{
	struct k_thread *current = k_cpu.current;

	if (timeout.ticks != 0 && !arch_in_isr()) {
		struct k_thread *owner = mutex->owner;

		if (mutex->wait_q.head == NULL) {
			mutex->next_contended = owner->contended;
			owner->contended = mutex;
		}
		current->wait_flags = WAIT_FLAG_MUTEX;
		sched_pend_prepare(&mutex->wait_q, timeout, -EAGAIN);
		inherit(owner);
		return (int)sched_switch(current, k_cpu.best, key);
	}
	return (int)sched_pend_slow(&mutex->wait_q, timeout, key, -EAGAIN);
}

int k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout)
{
	struct k_thread *current = k_cpu.current;
	unsigned int key;

	K_ASSERT(!arch_in_isr(), "mutex-in-isr");
	if (likely(mutex->owner == current)) {
		mutex->lock_count++;
		return 0;
	}
	key = arch_irq_lock();
	if (likely(mutex->owner == NULL)) {
		mutex->owner = current;
		mutex->lock_count = 1;
		arch_irq_unlock(key);
		return 0;
	}
	return lock_contended(mutex, timeout, key);
}

/* The last unlock while somebody waits: it owns the mutex from now on. No switch. */
static void pass_on(struct k_mutex *mutex)
{
	struct k_thread *current = mutex->owner;
	struct k_thread *heir = mutex->wait_q.head;

	contended_remove(current, mutex);
	mutex->owner = NULL; /* nobody inherits while the heir leaves the queue */
	sched_wake(heir, 0);
	mutex->owner = heir;
	mutex->lock_count = 1;
	if (mutex->wait_q.head != NULL) {
		mutex->next_contended = heir->contended;
		heir->contended = mutex;
	}
	inherit(current);
}

void mutex_release(struct k_mutex *mutex)
{
	if (mutex->lock_count > 1) {
		mutex->lock_count--;
	} else if (mutex->wait_q.head != NULL) {
		pass_on(mutex);
	} else {
		mutex->owner = NULL;
		mutex->lock_count = 0;
	}
}

static __noinline int unlock_last(struct k_mutex *mutex)
{
	unsigned int key = arch_irq_lock();

	if (likely(mutex->wait_q.head == NULL)) {
		mutex->owner = NULL;
		mutex->lock_count = 0;
		arch_irq_unlock(key);
		return 0;
	}
	pass_on(mutex);
	sched_reschedule(key);
	return 0;
}

int k_mutex_unlock(struct k_mutex *mutex)
{
	struct k_thread *current = k_cpu.current;
	uint32_t left;

	K_ASSERT(!arch_in_isr(), "mutex-in-isr");
	if (unlikely(mutex->owner != current)) {
		K_ASSERT(false, "unlock-of-a-mutex-not-owned");
		return mutex->owner == NULL ? -EINVAL : -EPERM;
	}
	left = mutex->lock_count - 1;
	if (unlikely(left == 0)) {
		return unlock_last(mutex);
	}
	mutex->lock_count = left;
	__asm__ volatile("" ::: "memory"); /* store first, and the result needs no copy of r0 */
	return 0;
}

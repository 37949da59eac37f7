/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Priority inheritance: an owner has the priority of the most urgent that waits for one of its
 * mutexes, and so has whom it waits for itself.
 *
 * A row of owners and a list of mutexes are as long as others make them, so they are gone along in
 * steps: an owner, or CONFIG_MASKED_STEPS mutexes. Between two steps others lock, unlock, end and
 * change priorities. So an owner is named by its generation, what it is entitled to is computed
 * anew where something changed meanwhile (mutex_changes), and whoever changes something goes along
 * the row from there; what two do to one owner comes to the same. An owner that has what it is
 * entitled to ends the row: whom it waits for has it, too, or somebody is on the way there.
 *
 * Who goes along a row that is not its own has the priority that goes along meanwhile, and finishes
 * (sched_walk_waking()). Who waits itself sees to the rest of the row first, while it is in no
 * queue yet (inherit_ahead()).
 */
#include "kernel/objects/mutex.h"
#include "kernel/hooks/inherit.h"
#include "kernel/sched/sched.h"

#define MASKED (ARCH_IRQ_KEY_OPEN ^ ARCH_IRQ_KEY_BIT) /* a key: no interrupts are let in */

uint32_t mutex_changes;

static struct k_mutex *waited_for(const struct k_thread *thread)
{
	if ((thread->state & K_THREAD_PENDING) == 0 || thread->pended_on == NULL ||
	    (thread->wait_flags & WAIT_FLAG_MUTEX) == 0) {
		return NULL;
	}
	return CONTAINER_OF(thread->pended_on, struct k_mutex, wait_q);
}

int inherit_effective_prio(const struct k_thread *thread)
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

/* The same in steps, but for what it inherits by `but`. *thread: NULL where it has ended. */
static int entitled(uint32_t generation, const struct k_mutex *but, struct k_thread **thread,
		    unsigned int key)
{
	const struct k_mutex *mutex = NULL;
	unsigned int steps = 0;
	uint32_t changes;
	int prio = 0;

	/* Bound: the mutexes that it holds, and anew where something changed in between. */
	do {
		if (mutex == NULL) {
			*thread = generation_thread(generation);
			if (*thread == NULL || (*thread)->contended == NULL) {
				return *thread == NULL ? 0 : (*thread)->base_prio;
			}
			mutex = (*thread)->contended;
			prio = (*thread)->base_prio;
		}
		if (mutex != but && mutex->wait_q.head->prio < prio) {
			prio = mutex->wait_q.head->prio;
		}
		mutex = mutex->next_contended;
		if (mutex == NULL) {
			return prio;
		}
		changes = mutex_changes;
		if (++steps % CONFIG_MASKED_STEPS == 0) {
			sched_walk_window(key);
			if (*(volatile uint32_t *)&mutex_changes != changes) {
				mutex = NULL;
			}
		}
	} while (true);
}

int inherit_without(const struct k_mutex *mutex, unsigned int key)
{
	struct k_thread *current;

	return entitled(k_cpu.current->generation, mutex, &current, key);
}

/*
 * Who has that generation inherits what it is entitled to now, and whom it waits for, and so on,
 * with interrupts let in after each. What rises ends after CONFIG_MUTEX_CHAIN_MAX owners; what
 * falls follows as far as anything ever rose, which several rises together may have carried
 * further.
 */
static void inherit(uint32_t generation, int hops, unsigned int key)
{
	/* Bound: the owners that wait for one another in a row, each once: priorities settle. */
	for (;; hops++) {
		struct k_thread *owner;
		int prio = entitled(generation, NULL, &owner, key);
		const struct k_mutex *blocked_on;

		if (owner == NULL || prio == owner->prio ||
		    (prio < owner->prio && hops == CONFIG_MUTEX_CHAIN_MAX)) {
			return;
		}
		blocked_on = waited_for(owner);
		sched_set_prio(owner, prio);
		if (blocked_on == NULL) {
			return;
		}
		mutex_changes++;
		generation = blocked_on->generation;
		sched_walk_window(key);
	}
}

/* Somebody has left its queue, or has another place there. */
static void left_queue(struct k_mutex *mutex)
{
	mutex_changes++;
	if (mutex->wait_q.head == NULL) {
		contended_forget(mutex);
	}
}

void inherit_waiter_moved(_wait_q_t *wait_q)
{
	struct k_mutex *mutex = CONTAINER_OF(wait_q, struct k_mutex, wait_q);

	left_queue(mutex);
	inherit(mutex->generation, 0, MASKED);
}

/* It is there. */
static void set_prio(struct k_thread *thread, int prio, unsigned int key)
{
	const struct k_mutex *mutex;
	uint32_t owner;

	if ((thread->wait_flags & WALK_FLAG_CEILING) != 0) {
		prio = sched_walk_set_own_prio(thread, prio);
	}
	thread->base_prio = (int8_t)prio;
	mutex_changes++;
	prio = entitled(thread->generation, NULL, &thread, key);
	if (thread == NULL) {
		return;
	}
	sched_set_prio(thread, prio);
	slice_new_turn(thread);
	mutex = waited_for(thread);
	if (mutex == NULL) {
		return;
	}
	mutex_changes++;
	owner = mutex->generation;
	sched_walk_ceiling(&mutex->wait_q, key);
	sched_walk_window(key);
	inherit(owner, 0, key);
}

void inherit_prio_set(struct k_thread *thread, int prio, unsigned int key)
{
	const _wait_q_t as_urgent = {thread};
	const uint32_t generation = generation_of(thread);

	sched_walk_waking(&as_urgent, key);
	if (generation_thread(generation) == thread) {
		set_prio(thread, prio, key);
	}
	sched_walk_end(key);
}

/*
 * The owner of a mutex, which waits itself, gets the running thread's priority before that waits
 * for it. Nothing stands for that yet: it is gone where the owner's is computed anew, as it has to
 * be where the running thread does not come to wait.
 */
static void lend_ahead(uint32_t generation, unsigned int key)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *owner = generation_thread(generation);
	const struct k_mutex *blocked_on;

	if (owner == NULL || owner->prio <= current->prio) {
		return;
	}
	blocked_on = waited_for(owner);
	sched_set_prio(owner, current->prio);
	if (blocked_on != NULL) {
		const uint32_t next = blocked_on->generation;

		mutex_changes++;
		sched_walk_window(key);
		inherit(next, 1, key);
	}
}

bool inherit_ahead(const struct k_mutex *mutex, unsigned int key)
{
	const struct k_thread *current = k_cpu.current;
	const struct k_thread *owner = mutex_owner(mutex);
	const uint32_t generation = mutex->generation;

	if (owner == NULL || owner->prio <= current->prio || waited_for(owner) == NULL) {
		return false;
	}
	sched_walk_finishes(true, key);
	sched_walk_window(key);
	lend_ahead(generation, key);
	sched_walk_window(key);
	owner = generation_thread(generation);
	if (sched_walk_is_to_end(key) || *(volatile uint32_t *)&mutex->generation != generation ||
	    owner == NULL || owner->prio > current->prio) {
		inherit(generation, 0, key);
		(void)sched_walk_stop(key);
		return true;
	}
	sched_walk_leave(key);
	return false;
}

/* ---- the end of a thread ---- */

bool inherit_thread_ends(struct k_thread *thread, unsigned int key)
{
	const _wait_q_t as_urgent = {thread};
	const uint32_t generation = generation_of(thread);

	if (thread == k_cpu.current) {
		sched_walk_ceiling(&as_urgent, key); /* as urgent as it is until it has ended */
		/* Bound: the mutexes it holds that others wait for; whoever ends it goes on. */
		while (thread->contended != NULL) {
			mutex_owner_gone(thread->contended);
			sched_walk_window(key);
		}
		return false;
	}
	sched_walk_waking(&as_urgent, key);
	if (generation_thread(generation) != thread) {
		sched_walk_end(key);
		return true;
	}
	return false;
}

uint32_t inherit_unlink(struct k_thread *thread)
{
	struct k_mutex *mutex = waited_for(thread);

	if (mutex == NULL) {
		sched_unlink(thread);
		return GENERATION_NOBODY;
	}
	thread->wait_flags = 0; /* so that nobody falls yet */
	sched_unlink(thread);
	left_queue(mutex);
	return mutex->generation;
}

void inherit_thread_ended(struct k_thread *thread, uint32_t lent_to, bool in_steps,
			  unsigned int key)
{
	const unsigned int steps = in_steps && thread != k_cpu.current ? key : MASKED;
	struct k_mutex *left = thread->contended; /* its block may be another's in between */

	thread->contended = NULL;
	if (left != NULL) {
		left->link = &left;
		mutex_changes++;
	}
	inherit(lent_to, 0, steps);
	__asm__ volatile("" : "+m"(left)); /* who leaves the last of a queue takes it out */
	/* Bound: the mutexes it held that others wait for. */
	while (left != NULL) {
		mutex_owner_gone(left);
		sched_walk_window(steps);
		__asm__ volatile("" : "+m"(left));
	}
}

void inherit_walk_end(unsigned int key)
{
	sched_walk_end(key);
}

void mutex_wait_lending(struct k_mutex *mutex, k_timeout_t timeout)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *owner = mutex_living_owner(mutex);

	if (owner != NULL && mutex->wait_q.head == NULL) {
		contended_add(owner, mutex);
	}
	current->wait_flags = WAIT_FLAG_MUTEX;
	sched_pend_prepare(&mutex->wait_q, timeout, -EAGAIN);
	mutex_changes++;
	inherit(mutex->generation, 0, MASKED);
}

#ifdef CONFIG_IPC
void mutex_inherit(struct k_thread *owner)
{
	if (owner != NULL) {
		inherit(generation_of(owner), 0, MASKED);
	}
}

void mutex_move_waiters(struct k_mutex *mutex, struct k_thread *owner)
{
	struct k_thread *last = mutex_owner(mutex);

	mutex->owner = owner;
	mutex->generation = owner->generation;
	if (last == owner || mutex->wait_q.head == NULL) {
		return;
	}
	if (last != NULL) {
		contended_remove(mutex);
		mutex_inherit(last);
	}
	contended_add(owner, mutex);
	mutex_inherit(owner);
}
#endif

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
 * (sched_traversal_waking()). The waiter itself sees to the rest of the row first, while it is in
 * no queue yet (inherit_ahead()).
 */
#include "kernel/objects/mutex.h"
#include "kernel/hooks/inherit.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/sched/sched.h"

uint32_t mutex_changes;

static struct k_mutex *waited_for(const struct k_thread *thread)
{
	if ((thread->state & K_THREAD_PENDING) == 0 || thread->pended_on == NULL ||
	    (thread->wait_flags & WAIT_FLAG_MUTEX) == 0) {
		return NULL;
	}
	return CONTAINER_OF(thread->pended_on, struct k_mutex, wait_q);
}

/* Model: threads.inherit_effective_prio */
static int effective_prio(const struct k_thread *thread, int prio)
{
	/* Bound: M, the mutexes that `thread` holds. */
	for (const struct k_mutex *m = thread->contended; m != NULL; m = m->next_contended) {
		if (m->wait_q.head->prio < prio) {
			prio = m->wait_q.head->prio;
		}
	}
	return prio;
}

int inherit_effective_prio(const struct k_thread *thread)
{
	return effective_prio(thread, thread->base_prio);
}

/*
 * The same in steps, but for what it inherits by `but`. *thread: NULL where it has ended. No window
 * behind the last step: who stops waiting by time changes what this returns, and no count.
 */
static int entitled(uint32_t generation, const struct k_mutex *but, struct k_thread **thread,
		    unsigned int key)
{
	const struct k_mutex *mutex = NULL;
	unsigned int steps = 0;
	uint32_t changes;
	int prio = 0;

	/* Bound: M * (D + 1), the mutexes that it holds; anew where something changed. */
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
			sched_traversal_window(key);
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
 * `owner` (NULL: nobody) gets the priority `prio`, whom it waits for inherits what it is entitled
 * to then, and so on, with interrupts let in after each. What rises ends after
 * CONFIG_MUTEX_CHAIN_MAX owners; what falls follows as far as anything ever rose, which several
 * rises together may have carried further.
 * Model: threads.inherit_change, mutex_steps.hop.
 */
static void change(struct k_thread *owner, int prio, unsigned int key)
{
	int hops = 0;

	/* Bound: C, the owners that wait in a row, each once: priorities settle. */
	while (owner != NULL && prio != owner->prio &&
	       (prio > owner->prio || hops++ != CONFIG_MUTEX_CHAIN_MAX)) {
		const struct k_mutex *blocked_on = waited_for(owner);
		uint32_t generation;

		sched_set_prio(owner, prio);
		if (blocked_on == NULL) {
			return;
		}
		mutex_changes++;
		generation = blocked_on->generation;
		sched_traversal_window(key);
		prio = entitled(generation, NULL, &owner, key);
	}
}

/* Model: threads.mutex_inherit */
__noinline void mutex_inherit(uint32_t generation, unsigned int key)
{
	struct k_thread *owner;
	int prio = entitled(generation, NULL, &owner, key);

	change(owner, prio, key);
}

/* Model: threads.mutex_lend */
__noinline void mutex_lend(struct k_thread *owner, int prio, unsigned int key)
{
	if (owner != NULL && owner->prio > prio) {
		change(owner, prio, key);
	}
}

void mutex_left(struct k_mutex *mutex)
{
	K_ASSERT(mutex->link == NULL || *mutex->link == mutex, "inheritance-at-no-mutex");
	mutex_changes++;
	if (mutex->wait_q.head == NULL) {
		contended_forget(mutex);
	}
}

/* Model: mutex.expire, ipc.expire, mutex_steps.expire */
void inherit_waiter_moved(_wait_q_t *wait_q)
{
	struct k_mutex *mutex = CONTAINER_OF(wait_q, struct k_mutex, wait_q);

	mutex_left(mutex);
	mutex_inherit(mutex->generation, TRAVERSAL_MASKED);
}

/* It is there. Model: mutex.prio, ipc.prio. */
static void set_prio(struct k_thread *thread, uint32_t generation, int prio, unsigned int key)
{
	const struct k_mutex *mutex;
	uint32_t owner;

	if ((thread->wait_flags & TRAVERSAL_FLAG_CEILING) != 0) {
		prio = sched_traversal_set_own_prio(thread, prio);
	}
	thread->base_prio = (int8_t)prio;
	mutex_changes++;
	sched_traversal_window(key);
	prio = entitled(generation, NULL, &thread, key);
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
	sched_traversal_ceiling(&mutex->wait_q, key);
	sched_traversal_window(key);
	mutex_inherit(owner, key);
}

void inherit_prio_set(struct k_thread *thread, int prio, unsigned int key)
{
	const _wait_q_t as_urgent = {thread};
	const uint32_t generation = generation_of(thread);

	sched_traversal_waking(&as_urgent, key);
	if (generation_thread(generation) == thread) {
		set_prio(thread, generation, prio, key);
	}
	sched_traversal_end(key);
}

/* Is the running thread, behind its traversal, less urgent than that? */
static bool has_fallen(int prio, unsigned int key)
{
	return sched_is_traversing(key) &&
	       effective_prio(k_cpu.current, sched_traversal_own_prio(k_cpu.current)) > prio;
}

/*
 * The owner, which waits itself, gets the running thread's priority before that waits for it; or
 * that of the first who waits, where the rise by that one has ended before it came to the owner.
 * Nothing stands for that yet: it is gone where the owner's is computed anew, as it has to be where
 * the running thread does not come to wait.
 * Model: threads.inherit_ahead, mutex_steps.ahead, mutex_steps.rise, mutex_steps.for_nothing.
 */
bool inherit_ahead(const struct k_mutex *mutex, unsigned int key)
{
	const struct k_thread *first = mutex->wait_q.head;
	const int own = k_cpu.current->prio;
	const int prio = first != NULL ? MIN(first->prio, own) : own;
	const uint32_t generation = mutex->generation;
	const struct k_thread *owner = generation_thread(generation);
	const unsigned int timed = k_cpu.current->state & K_THREAD_TIMED;

	if (owner == NULL || owner->prio <= prio || waited_for(owner) == NULL) {
		return false;
	}
	sched_traversal_finishes(true, key);
	sched_traversal_window(key);
	mutex_lend(generation_thread(generation), prio, key);
	sched_traversal_window(key);
	owner = generation_thread(generation);
	if (sched_traversal_is_to_end(key) || has_fallen(own, key) ||
	    (*(volatile uint8_t *)&k_cpu.current->state & K_THREAD_TIMED) != timed ||
	    *(volatile uint32_t *)&mutex->generation != generation || owner == NULL ||
	    owner->prio > k_cpu.current->prio) {
		mutex_inherit(generation, key);
		(void)sched_traversal_stop(key);
		return true;
	}
	sched_traversal_leave(key);
	return false;
}

/* ---- the end of a thread ---- */

void inherit_owner_ends(struct k_thread *thread, unsigned int key)
{
	const uint32_t generation = generation_of(thread);

	sched_traversal_window(key); /* what led here was a step */
	/* Bound: M, the mutexes it holds that others wait for; who ends it meanwhile goes on. */
	while (generation_thread(generation) == thread && thread->contended != NULL) {
		mutex_owner_gone(thread->contended);
		sched_traversal_window(key);
	}
}

void inherit_lent(_wait_q_t *lent, unsigned int key)
{
	struct k_mutex *mutex = CONTAINER_OF(lent, struct k_mutex, wait_q);
	const uint32_t generation = mutex->generation;

	mutex_left(mutex);
	sched_traversal_window(key);
	mutex_inherit(generation, key);
}

void inherit_own_end(struct k_thread *thread, unsigned int key)
{
	sched_traversal_window(key); /* what led here was a step */
	ipc_thread_ends(thread);
	inherit_owner_ends(thread, key);
}

/* Model: mutex.end, ipc.end */
void inherit_thread_ended(struct k_thread *thread, unsigned int key)
{
	const unsigned int steps = thread != k_cpu.current ? key : TRAVERSAL_MASKED;
	struct k_mutex *left = thread->contended; /* its block may be another's in between */

	thread->contended = NULL;
	if (left != NULL) {
		left->link = &left;
		mutex_changes++;
	}
	__asm__ volatile("" : "+m"(left)); /* who leaves the last of a queue takes it out */
	/* Bound: M, the mutexes it held that others wait for. */
	while (left != NULL) {
		sched_traversal_window(steps);
		__asm__ volatile("" : "+m"(left));
		if (left != NULL) {
			mutex_owner_gone(left);
		}
		__asm__ volatile("" : "+m"(left));
	}
}

void mutex_wait_lending(struct k_mutex *mutex, k_timeout_t timeout)
{
	struct k_thread *owner = mutex_living_owner(mutex);

	if (owner != NULL && mutex->wait_q.head == NULL) {
		contended_add(owner, mutex);
	}
	k_cpu.current->wait_flags = WAIT_FLAG_MUTEX;
	sched_pend_prepare(&mutex->wait_q, timeout, -EAGAIN);
	mutex_changes++;
	mutex_lend(owner, mutex->wait_q.head->prio, TRAVERSAL_MASKED);
}

#ifdef CONFIG_IPC
uint32_t mutex_move_waiters(struct k_mutex *mutex, struct k_thread *owner)
{
	struct k_thread *last = mutex_owner(mutex);

	mutex->owner = owner;
	mutex->generation = owner->generation;
	if (last == owner || mutex->wait_q.head == NULL) {
		return GENERATION_NOBODY;
	}
	if (last != NULL) {
		contended_remove(mutex);
	}
	contended_add(owner, mutex);
	mutex_lend(owner, mutex->wait_q.head->prio, TRAVERSAL_MASKED);
	return last == NULL ? GENERATION_NOBODY : last->generation;
}
#endif

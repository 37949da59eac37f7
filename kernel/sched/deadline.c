/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Earliest deadline first, among threads of one priority. A level of the ready queue is kept in the
 * order of deadlines, so that its head is still who runs next; a newcomer goes past those that it
 * goes before, from the end.
 *
 * Rejected: a tree, which Zephyr offers besides. It pays from dozens of ready threads of one
 * priority on, and costs each thread two words and each insertion more than a traversal over few.
 *
 * Changing a deadline is no point at which threads are switched, as in Zephyr: so several can
 * be given theirs, one after the other, by a thread of the same priority. The next such point is.
 */
#include "kernel/sched/sched.h"
#include "drivers/timer.h"

/*
 * Of one priority, both ready. Who wakes many in steps goes before whom it has woken, whatever
 * their deadlines: sched.h.
 */
static inline bool goes_before(const struct k_thread *a, const struct k_thread *b)
{
	if (((a->wait_flags | b->wait_flags) & TRAVERSAL_FLAG_CEILING) != 0) {
		return (b->wait_flags & TRAVERSAL_FLAG_CEILING) == 0;
	}
	return deadline_is_earlier(a, b);
}

/* Of its ring's members, the one before which `thread`, the last, belongs; `thread`: there. */
static struct k_thread *place_in_ring(struct k_thread *thread, struct k_thread *head, bool first)
{
	struct k_thread *next = first ? head : thread;

	if (first) {
		/* Bound: O, the threads of the level that go before it. */
		while (next != thread && goes_before(next, thread)) {
			next = next->next;
		}
		return next;
	}
	/* Bound: O, the threads of the level that it goes before. */
	while (next != head && goes_before(thread, next->prev)) {
		next = next->prev;
	}
	return next;
}

/* `thread`, the last of the ring that `head` heads, goes before `next`. */
static void move_before(struct k_thread *thread, struct k_thread *next)
{
	thread->prev->next = thread->next;
	thread->next->prev = thread->prev;
	thread->next = next;
	thread->prev = next->prev;
	next->prev->next = thread;
	next->prev = thread;
}

bool ready_add_by_deadline(struct k_thread *thread, bool first)
{
	unsigned int level = PRIO_LEVEL(thread->prio);
	bool is_head = ready_link_inline(thread, level);

	if (!is_head) {
		struct k_thread *head = k_cpu.level[level];
		struct k_thread *next = place_in_ring(thread, head, first);

		is_head = next == head; /* the last of a ring is before its head as it is */
		if (is_head) {
			k_cpu.level[level] = thread;
		} else if (next != thread) {
			move_before(thread, next);
		}
	}
	is_head = is_head && thread->prio <= k_cpu.best->prio;
	if (is_head) {
		k_cpu.best = thread;
	}
	trace_ready_done();
	slice_ready(thread);
	return is_head;
}

/* A cooperative thread, and one that has locked the scheduler, is preempted by no equal. */
bool deadline_preempts(const struct k_thread *next, const struct k_thread *current)
{
	bool is_preemptible = current->prio >= 0 && current->sched_locks == 0;

#ifdef CONFIG_METAIRQ
	is_preemptible = is_preemptible || current->prio < METAIRQ_LIMIT;
#endif
	return is_preemptible && current->threshold == current->prio &&
	       (current->wait_flags & TRAVERSAL_FLAG_CEILING) == 0 && next->prio == current->prio &&
	       deadline_is_earlier(next, current);
}

/* Out of its queue and in again, where it belongs now. */
static void set_deadline(struct k_thread *thread, uint32_t deadline)
{
	unsigned int key = arch_irq_lock();

	thread->deadline = deadline;
	thread->has_deadline = true;
	sched_set_prio(thread, thread->prio);
	if (arch_in_isr() && sched_outranks(metairq_instead(k_cpu.best), k_cpu.current)) {
		arch_request_switch();
	}
	arch_irq_unlock(key);
}

void k_thread_absolute_deadline_set(k_tid_t thread, int deadline)
{
	set_deadline(thread, (uint32_t)deadline);
}

void k_thread_deadline_set(k_tid_t thread, int deadline)
{
	set_deadline(thread, timer_cycles() + (uint32_t)MAX(deadline, 0));
}

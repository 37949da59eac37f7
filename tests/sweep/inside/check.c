/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's invariants, looked at from outside after each arrival of a sweep: kernel/sched/sched.h
 * names them. With CONFIG_ASSERT the kernel looks at more of them itself, where it is.
 */
#include "sweep.h"

#include "kernel/sched/ready.h"
#include "kernel/sched/wait_q.h"

#define MOST_THREADS 64U

/* What is wrong with a level's list: whoever is in it is ready, of this level, and linked both ways. */
static const char *wrong_level(const struct k_thread *head, unsigned int level)
{
	const struct k_thread *thread = head;
	uint32_t seen = 0;

	/* Bound: MOST_THREADS. */
	do {
		if (seen++ == MOST_THREADS) {
			return "a ready list has no end";
		}
		if (thread->next->prev != thread || thread->prev->next != thread) {
			return "a ready list is not linked both ways";
		}
		if ((thread->state & K_THREAD_QUEUED) == 0 || !thread_is_ready(thread)) {
			return "a thread is in the ready queue and not ready";
		}
		if (PRIO_LEVEL(thread->prio) != level) {
			return "a ready thread is in another priority's list";
		}
		thread = thread->next;
	} while (thread != head);
	return NULL;
}

static const char *wrong_ready_queue(void)
{
	const struct k_thread *current = k_cpu.current;
	const char *wrong = NULL;

	if (k_cpu.levels == 0 || k_cpu.best != ready_search()) {
		return "k_cpu.best is not the most urgent ready thread";
	}
	/* Bound: NUM_LEVELS. */
	for (unsigned int level = 0; level < NUM_LEVELS && wrong == NULL; level++) {
		if ((k_cpu.levels & ready_level_bit(level)) != 0) {
			wrong = wrong_level(k_cpu.level[level], level);
		}
	}
	if (wrong == NULL && !thread_is_ready(current)) {
		wrong = "the running thread is not ready";
	}
	return wrong;
}

const char *sweep_kernel_wrong(void)
{
	unsigned int key = irq_lock();
	const char *wrong = wrong_ready_queue();

	irq_unlock(key);
	return wrong;
}

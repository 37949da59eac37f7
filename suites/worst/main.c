/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls in their costliest states, as far as these are known: the witnesses of `foliot bound`.
 *
 * A bound says what a call can cost at most; that it does cost so much, or nearly, has to be seen. So
 * each object gets sixteen waiters, of equal, falling and mixed priorities, with no time-out and with
 * far ones (rising ones, and near ones, have cost no more), and is given to as a cooperative thread, with interrupts masked, with the
 * scheduler locked, from a handler, by one preempted at once or woken just now, and while the first
 * waiter is suspended. A row holds what could be measured, of calls that did not switch; `foliot bound`
 * sees the others, since it follows each call in the simulator. What has no row is in others.c.
 */
#include "worst.h"

static struct k_thread waiters[WAITERS];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, WAITERS, 1024);
static k_timeout_t timeouts[WAITERS];
static struct measure_row row;
static uint32_t woken;

static const struct object *object;

static struct k_thread kicker;
static K_THREAD_STACK_DEFINE(kicker_stack, 1024);
static K_SEM_DEFINE(kick, 0, 1);

static void kicker_entry(void *unused_1, void *unused_2, void *unused_3)
{
	k_sem_give(&kick);
}

/* The current thread goes on as one that was woken by a thread: nothing has queued it. */
static void be_woken(void)
{
	(void)k_thread_create(&kicker, kicker_stack, K_THREAD_STACK_SIZEOF(kicker_stack),
			      kicker_entry, NULL, NULL, NULL, LAST, 0, K_NO_WAIT);
	k_thread_priority_set(k_current_get(), LAST - 1);
	(void)k_sem_take(&kick, K_FOREVER);
}

static void waiter_entry(void *timeout, void *number, void *unused)
{
	object->wait(*(k_timeout_t *)timeout, (unsigned int)(uintptr_t)number);
	woken++;
}

/* Of equal, falling and mixed priorities; the last joins where the way is longest. */
static int prio_of(unsigned int pattern, int i)
{
	static const int8_t mixed[WAITERS] = {0, 13, 1, 12, 2, 11, 3, 10, 4, 9, 5, 8, 6, 7, 6, 7};

	return pattern == 0 ? 5 : pattern == 1 ? 13 - i % 14 : mixed[i];
}

static k_timeout_t timeout_of(unsigned int pattern, int i)
{
	return pattern == 0 ? K_FOREVER : K_TICKS(0x1234567U * (unsigned int)(i + 1));
}

static void wait_all(unsigned int prios, unsigned int times)
{
	k_thread_priority_set(k_current_get(), LAST);
	woken = 0;
	/* Bound: WAITERS. */
	for (int i = 0; i < WAITERS; i++) {
		timeouts[i] = timeout_of(times, i);
		(void)k_thread_create(&waiters[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]),
				      waiter_entry, &timeouts[i], (void *)(uintptr_t)i, NULL,
				      prio_of(prios, i), 0, K_NO_WAIT);
	}
}

static void end_all(void)
{
	k_thread_priority_set(k_current_get(), LAST);
	/* Bound: WAITERS. */
	for (int i = 0; i < WAITERS; i++) {
		if (object->ends_all) {
			(void)k_thread_join(&waiters[i], K_FOREVER);
		} else {
			k_thread_abort(&waiters[i]);
		}
	}
}

static void wake_in_handler(const void *unused)
{
	struct measure_window window;

	(void)object->wake(&window);
}

/* What wakes, once, so that it does not switch; measured. */
static void wake_measured(enum waker waker)
{
	struct measure_window window;
	unsigned int key = 0;
	intptr_t result;

	if (waker == WAKER_MASKED) {
		key = irq_lock();
	} else if (waker == WAKER_LOCKED) {
		k_sched_lock();
	}
	result = object->wake(&window);
	if (waker == WAKER_MASKED) {
		irq_unlock(key);
	} else if (waker == WAKER_LOCKED) {
		k_sched_unlock();
	}
	measure_add(&row, window.start, window.end);
	measure_witness(&row, "done", result == 0);
}

static void wake(enum waker waker)
{
	struct measure_window window;

	k_thread_priority_set(k_current_get(), waker == WAKER_COOPERATIVE ? -1 : LAST);
	if (waker == WAKER_ISR) {
		irq_offload(wake_in_handler, NULL);
	} else if (waker == WAKER_PREEMPTED) {
		(void)object->wake(&window);
	} else if (waker == WAKER_UNQUEUED) {
		be_woken();
		(void)object->wake(&window);
		(void)k_thread_join(&kicker, K_FOREVER);
	} else if (waker == WAKER_SUSPENDED) {
		k_thread_suspend(&waiters[0]);
		(void)object->wake(&window);
		k_thread_resume(&waiters[0]);
	} else {
		wake_measured(waker);
	}
}

/* Priorities that fall, or in no order; far time-outs; by who goes on, and who does not. */
static bool is_of_few(unsigned int state, enum waker waker)
{
	return state / PRIO_PATTERNS == TIME_PATTERNS - 1U && state % PRIO_PATTERNS != 0 &&
	       (waker == WAKER_COOPERATIVE || waker == WAKER_PREEMPTED);
}

static void in_states(const struct object *given, bool few)
{
	object = given;
	measure_row_begin(&row, object->id, object->text);
	/* Bound: PRIO_PATTERNS * TIME_PATTERNS. */
	for (unsigned int state = 0; state < PRIO_PATTERNS * TIME_PATTERNS; state++) {
		/* Bound: WAKERS. */
		for (enum waker waker = 0; waker < WAKERS; waker++) {
			if (few && !is_of_few(state, waker)) {
				continue;
			}
			object->before();
			wait_all(state % PRIO_PATTERNS, state / PRIO_PATTERNS);
			/* Bound: WAITERS. */
			for (unsigned int i = 0; i < object->wakes; i++) {
				wake(waker);
			}
			end_all();
		}
	}
	if (!few) {
		worst_join(object);
	}
	measure_row_end(&row);
}

void worst_object(const struct object *given)
{
	in_states(given, false);
}

void worst_object_in_few(const struct object *given)
{
	in_states(given, true);
}

int main(void)
{
	measure_begin("worst");
	worst_objects();
	worst_crowds();
	worst_others();
	worst_singly();
	worst_ends();
	k_exit(worst_windows() + (unsigned int)measure_end() == 0 ? 0 : 1);
}

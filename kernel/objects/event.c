/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events. All waiters are judged against the same set of flags before any of them
 * runs; one waiter alone, the common case, is handed the CPU straight.
 */
#include "kernel/sched/sched.h"
#include "kernel/hooks/object.h"
#include "kernel/objects/masked.h"

/* k_thread.wait_flags while a thread waits for events. */
#define WAIT_FLAG_ALL   EVENT_WAIT_ALL
#define WAIT_FLAG_CLEAR 0x02U /* and takes them away */

void k_event_init(struct k_event *event)
{
	object_init_begin(event, event);
	event->wait_q.head = NULL;
	event->events = 0;
	object_init_end(event, event);
}

/* The bits of `wanted` that are set, or 0 if they do not satisfy. */
static inline uint32_t match(uint32_t set, uint32_t wanted, unsigned int flags)
{
	uint32_t found = set & wanted;

	return (flags & WAIT_FLAG_ALL) != 0 && found != wanted ? 0 : found;
}

/* Several wait, or one that is not satisfied, or that takes the bits away. */
static __noinline uint32_t wake_matching(struct k_event *event, uint32_t previous, unsigned int key)
{
	const uint32_t set = event->events;
	unsigned int passed = 0;
	struct k_thread *waiter;

	sched_walk_waking(&event->wait_q, key);
	waiter = event->wait_q.head;
	/*
	 * Bound: the number of waiters; interrupts are let in after each that is woken, or some
	 * that are not.
	 */
	while (waiter != NULL) {
		struct k_thread *next = wait_q_next(&event->wait_q, waiter);
		uint32_t found = match(set, (uint32_t)waiter->wake_data, waiter->wait_flags);

		if (found == 0 || sched_walk_is_new(waiter, key)) {
			waiter = sched_walk_past(&event->wait_q, waiter, &passed, key);
			continue;
		}
		if ((waiter->wait_flags & WAIT_FLAG_CLEAR) != 0) {
			event->events &= ~found; /* at once: an interrupt may set them anew */
		}
		sched_wake(waiter, (intptr_t)found);
		waiter = sched_walk_on(&event->wait_q, next, key);
	}
	sched_walk_end(key);
	return previous;
}

__noinline uint32_t event_update_waking(struct k_event *event, uint32_t previous, unsigned int key)
{
	struct k_thread *waiter = event->wait_q.head;
	uint32_t wanted = (uint32_t)waiter->wake_data;
	uint32_t found = event->events & wanted;

	if (waiter->wait_flags != WAIT_FLAG_ALL) {
		/* Any bit will do; with other flags, none is enough here. */
		wanted = waiter->wait_flags == 0 && found != 0 ? found : ~found;
	}
	if (waiter->next != waiter || found != wanted) {
		return wake_matching(event, previous, key);
	}
	k_cpu.current->wake_value = (intptr_t)previous;
	return (uint32_t)sched_wake_first_inline(&event->wait_q, waiter, (intptr_t)found, key);
}

/* Replace the bits in `mask` by those of `events`. */
static inline uint32_t update(struct k_event *event, uint32_t events, uint32_t mask)
{
	unsigned int key = arch_irq_lock();
	uint32_t previous = event->events;

	event->events = (previous & ~mask) | (events & mask);
	previous &= mask;
	if (unlikely(event->wait_q.head != NULL)) {
		return event_update_waking(event, previous, key);
	}
	arch_irq_unlock(key);
	return previous;
}

uint32_t k_event_post(struct k_event *event, uint32_t events)
{
	return update(event, events, events);
}

uint32_t k_event_set(struct k_event *event, uint32_t events)
{
	return update(event, events, UINT32_MAX);
}

uint32_t k_event_set_masked(struct k_event *event, uint32_t events, uint32_t mask)
{
	return update(event, events, mask);
}

uint32_t k_event_clear(struct k_event *event, uint32_t events)
{
	unsigned int key = arch_irq_lock();
	uint32_t previous = event->events;

	event->events = previous & ~events;
	arch_irq_unlock(key);
	return previous & events;
}

static __noinline uint32_t finish_wait(struct k_event *event, uint32_t found, unsigned int flags,
				       unsigned int key)
{
	if ((flags & WAIT_FLAG_CLEAR) != 0) {
		event->events &= ~found;
	}
	arch_irq_unlock(key);
	return found;
}

static __noinline uint32_t wait_masked(struct k_event *event, uint32_t events, unsigned int flags,
				       k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;
	uint32_t found = match(event->events, events, flags);

	if (found != 0 || events == 0 || timeout.ticks == 0) {
		return finish_wait(event, found, flags, key);
	}
	current->wake_data = events;
	current->wait_flags = (uint8_t)flags;
	return (uint32_t)sched_pend_inline(&event->wait_q, timeout, key, 0);
}

/* After a reset nothing is set, so nothing can match. */
static inline uint32_t reset_and_wait(struct k_event *event, uint32_t events, k_timeout_t timeout,
				      unsigned int flags)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;

	event->events = 0;
	if (unlikely(events == 0)) {
		arch_irq_unlock(key);
		return 0;
	}
	current->wake_data = events;
	current->wait_flags = (uint8_t)flags;
	return (uint32_t)sched_pend_inline(&event->wait_q, timeout, key, 0);
}

/* The parameters of the API's functions again, kept by noipa: a tail call moves none. */
static __attribute__((noipa)) uint32_t reset_and_wait_any(struct k_event *event, uint32_t events,
							  bool reset, k_timeout_t timeout)
{
	return reset_and_wait(event, events, timeout, 0);
}

static __attribute__((noipa)) uint32_t reset_and_wait_all(struct k_event *event, uint32_t events,
							  bool reset, k_timeout_t timeout)
{
	return reset_and_wait(event, events, timeout, WAIT_FLAG_ALL);
}

/*
 * What is set already needs no masking: the flags are read once, and nothing is
 * changed.
 */
uint32_t k_event_wait(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout)
{
	uint32_t found;

	if (reset) {
		return reset_and_wait_any(event, events, reset, timeout);
	}
	found = match(event->events, events, 0);
	return likely(found != 0) ? found : wait_masked(event, events, 0, timeout);
}

uint32_t k_event_wait_all(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout)
{
	uint32_t found;

	if (reset) {
		return reset_and_wait_all(event, events, reset, timeout);
	}
	found = match(event->events, events, WAIT_FLAG_ALL);
	return likely(found != 0) ? found : wait_masked(event, events, WAIT_FLAG_ALL, timeout);
}

static uint32_t wait_safe(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout,
			  unsigned int flags)
{
	return reset ? reset_and_wait(event, events, timeout, flags)
		     : wait_masked(event, events, flags, timeout);
}

uint32_t k_event_wait_safe(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout)
{
	return wait_safe(event, events, reset, timeout, WAIT_FLAG_CLEAR);
}

uint32_t k_event_wait_all_safe(struct k_event *event, uint32_t events, bool reset,
			       k_timeout_t timeout)
{
	return wait_safe(event, events, reset, timeout, WAIT_FLAG_ALL | WAIT_FLAG_CLEAR);
}

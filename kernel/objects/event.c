/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events. All waiters are judged against the same set of flags before any of them
 * runs; one waiter alone, the common case, is handed the CPU straight.
 */
#include "kernel/hooks/object.h"
#include "kernel/objects/event_flags.h"
#include "kernel/objects/operation.h"

void k_event_init(struct k_event *event)
{
	object_init_begin(event, event);
	event->wait_q.head = NULL;
	event->events = 0;
	object_init_end(event, event);
}

/* Several wait, or one that is not satisfied, or that takes the bits away. */
static __noinline uint32_t wake_matching(struct k_event *event, uint32_t previous, unsigned int key)
{
	const uint32_t set = event->events;
	unsigned int passed = 0;
	struct k_thread *waiter;

	sched_traversal_waking(&event->wait_q, key);
	waiter = event->wait_q.head;
	/*
	 * Bound: W * (D + 1), the waiters; interrupts are let in after each that is woken, or some
	 * that are not.
	 */
	while (waiter != NULL) {
		struct k_thread *next = wait_q_next(&event->wait_q, waiter);
		uint32_t found = match(set, (uint32_t)waiter->wake_data, waiter->wait_flags);

		if (found == 0 || sched_traversal_is_new(waiter, key)) {
			waiter = sched_traversal_past(&event->wait_q, waiter, &passed, key);
			continue;
		}
		if ((waiter->wait_flags & WAIT_FLAG_CLEAR) != 0) {
			event->events &= ~found; /* at once: an interrupt may set them anew */
		}
		sched_wake(waiter, FLAGS(found));
		waiter = sched_traversal_on(&event->wait_q, next, key);
	}
	sched_traversal_end(key);
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
	k_cpu.current->wake_value = FLAGS(previous);
	return (uint32_t)sched_wake_first_inline(&event->wait_q, waiter, FLAGS(found), key);
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

static __noinline uint32_t wait_timed(struct k_event *event, uint32_t events, unsigned int flags,
				      k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;
	uint32_t found;

	(void)sched_arm_first(timeout, 0, key);
	found = match(event->events, events, flags);
	if (found != 0 || timeout.ticks == 0) {
		sched_disarm();
		return finish_wait(event, found, flags, key);
	}
	if (!arch_in_isr()) {
		current->wake_data = events;
		current->wait_flags = (uint8_t)flags;
	}
	return (uint32_t)sched_pend_timed(&event->wait_q, timeout, key, 0);
}

static __noinline uint32_t wait_masked(struct k_event *event, uint32_t events, unsigned int flags,
				       k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *current = k_cpu.current;
	uint32_t found = match(event->events, events, flags);

	if (found != 0 || events == 0) {
		return finish_wait(event, found, flags, key);
	}
	if (timeout.ticks != K_TICKS_FOREVER) {
		arch_irq_unlock(key);
		return wait_timed(event, events, flags, timeout);
	}
	current->wake_data = events;
	current->wait_flags = (uint8_t)flags;
	return (uint32_t)sched_pend_inline(&event->wait_q, K_FOREVER, key, 0);
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
	if (timeout.ticks != K_TICKS_FOREVER) {
		arch_irq_unlock(key);
		return wait_timed(event, events, flags, timeout);
	}
	current->wake_data = events;
	current->wait_flags = (uint8_t)flags;
	return (uint32_t)sched_pend_inline(&event->wait_q, K_FOREVER, key, 0);
}

/* The parameters of the API's functions again, kept by noipa: a tail call moves none. */
static __attribute__((noipa)) uint32_t reset_and_k_event_wait(struct k_event *event,
							      uint32_t events, bool reset,
							      k_timeout_t timeout)
{
	return reset_and_wait(event, events, timeout, 0);
}

static __attribute__((noipa)) uint32_t reset_and_k_event_wait_all(struct k_event *event,
								  uint32_t events, bool reset,
								  k_timeout_t timeout)
{
	return reset_and_wait(event, events, timeout, WAIT_FLAG_ALL);
}

#define WAKE_MATCHING(event, previous) event_update_waking(event, previous, key)
#define RESET_AND_WAIT(name, event, events, reset, timeout, flags) \
	reset_and_##name(event, events, reset, timeout)
#define WAIT_FOR_FLAGS(name, event, events, reset, timeout, flags) \
	((intptr_t)wait_masked(event, events, flags, timeout))
#include "kernel/objects/event_ops.h"

uint32_t k_event_set_masked(struct k_event *event, uint32_t events, uint32_t mask)
{
	return (uint32_t)event_update(event, events, mask, arch_irq_lock());
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

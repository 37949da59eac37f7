/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Event objects: 32 flags that threads wait for, any or all of a set.
 */
#ifndef FOLIOT_EVENT_H
#define FOLIOT_EVENT_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

/** An event object. */
struct k_event {
	_wait_q_t wait_q;
	uint32_t events;
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What a k_event is initialised with where it is defined by hand: no flag set. */
#define K_EVENT_INITIALIZER {WAIT_Q_INIT, 0 K_OBJ_CORE_INIT_ K_OBJECT_INIT_}
/** Define an event object, no flag set, ready before any code runs; at file scope. */
#define K_EVENT_DEFINE(name)                       \
	struct k_event name = K_EVENT_INITIALIZER; \
	K_OBJ_CORE_STATIC_(name, event)

/** Prepare an event object with no flag set. Context: either. */
void k_event_init(struct k_event *event);

/**
 * Set the flags in `events`, and wake every thread whose condition now holds.
 * Returns which of `events` were set before.
 * Context: either.
 */
uint32_t k_event_post(struct k_event *event, uint32_t events);

/**
 * Replace all flags by `events`, and wake every thread whose condition now holds.
 * Returns the flags before.
 * Context: either.
 */
uint32_t k_event_set(struct k_event *event, uint32_t events);

/**
 * Replace the flags in `mask` by those of `events`, and wake as k_event_set() does.
 * Returns which of `mask` were set before.
 * Context: either.
 */
uint32_t k_event_set_masked(struct k_event *event, uint32_t events, uint32_t mask);

/**
 * Clear the flags in `events`. Wakes nobody.
 * Returns which of them were set before.
 * Context: either.
 */
uint32_t k_event_clear(struct k_event *event, uint32_t events);

/**
 * Wait for any of `events`. reset: clear all flags first. The flags stay set when the
 * wait ends.
 * Returns the flags of `events` that are set; 0: timed out, none set and K_NO_WAIT was
 * given, `events` was 0, or called from an ISR that would have had to wait (asserted:
 * blocking-call-in-isr).
 * Context: thread (ISR with K_NO_WAIT).
 */
uint32_t k_event_wait(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);

/**
 * As k_event_wait(), for all of `events`.
 * Returns `events`, or 0 as above.
 * Context: thread (ISR with K_NO_WAIT).
 */
uint32_t k_event_wait_all(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);

/**
 * As k_event_wait(), and the flags that are returned are cleared in the same step.
 * Returns the flags of `events` that were set, or 0 as above.
 * Context: thread (ISR with K_NO_WAIT).
 */
uint32_t k_event_wait_safe(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);

/**
 * As k_event_wait_all(), and `events` are cleared in the same step.
 * Returns `events`, or 0 as above.
 * Context: thread (ISR with K_NO_WAIT).
 */
uint32_t k_event_wait_all_safe(struct k_event *event, uint32_t events, bool reset,
			       k_timeout_t timeout);

/** Returns which flags of `mask` are set now. Context: either. */
#ifdef CONFIG_USERSPACE
uint32_t k_event_test(const struct k_event *event, uint32_t mask);
#else
static inline uint32_t k_event_test(const struct k_event *event, uint32_t mask)
{
	return *(const volatile uint32_t *)&event->events & mask;
}
#endif

#endif /* FOLIOT_EVENT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* Event objects: 32 flags that threads wait for, any or all of a set. */
#ifndef FOLIOT_EVENT_H
#define FOLIOT_EVENT_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_event {
	_wait_q_t wait_q;
	uint32_t events;
	K_OBJ_CORE_MEMBER
};

#define K_EVENT_INITIALIZER {WAIT_Q_INIT, 0 K_OBJ_CORE_INIT_}
#define K_EVENT_DEFINE(name)                       \
	struct k_event name = K_EVENT_INITIALIZER; \
	K_OBJ_CORE_STATIC_(name, event)

/* Context: either. */
void k_event_init(struct k_event *event);

/*
 * Change the flags: post adds, set replaces all, set_masked replaces those in mask,
 * clear removes. All but clear wake every thread whose condition now holds. Return
 * the previous values of the flags in question. Context: either.
 */
uint32_t k_event_post(struct k_event *event, uint32_t events);
uint32_t k_event_set(struct k_event *event, uint32_t events);
uint32_t k_event_set_masked(struct k_event *event, uint32_t events, uint32_t mask);
uint32_t k_event_clear(struct k_event *event, uint32_t events);

/*
 * Wait for any, or all, of `events`. reset: clear all flags first. The flags stay
 * set when the wait ends. Return the matching flags, or 0: timed out (or events was
 * 0). Context: thread (ISR with K_NO_WAIT).
 */
uint32_t k_event_wait(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);
uint32_t k_event_wait_all(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);

/* As above, and the flags that are returned are cleared in the same step. */
uint32_t k_event_wait_safe(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout);
uint32_t k_event_wait_all_safe(struct k_event *event, uint32_t events, bool reset,
			       k_timeout_t timeout);

/* Those of `mask` that are set now. Context: either. */
static inline uint32_t k_event_test(const struct k_event *event, uint32_t mask)
{
	return *(const volatile uint32_t *)&event->events & mask;
}

#endif /* FOLIOT_EVENT_H */

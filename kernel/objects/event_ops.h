/* SPDX-License-Identifier: Apache-2.0 */
/* What is done to an event by who may block or wake: operation.h. */

/* Replace the bits in `mask` by those of `events`. */
static ALWAYS_INLINE intptr_t event_update(struct k_event *event, uint32_t events, uint32_t mask,
					   unsigned int key)
{
	uint32_t previous = event->events;

	event->events = (previous & ~mask) | (events & mask);
	previous &= mask;
	if (unlikely(event->wait_q.head != NULL)) {
		return WAKE_MATCHING(event, previous);
	}
	return done(FLAGS(previous), key);
}

OPERATION(uint32_t, k_event_post, (struct k_event *event, uint32_t events), (event, events),
	  IS_USABLE(event, struct k_event, K_OBJ_EVENT))
{
	if (!STAYS_MASKED && unlikely(event->wait_q.head != NULL)) {
		return IN_FULL(k_event_post, event, events);
	}
	return event_update(event, events, events, key);
}

OPERATION(uint32_t, k_event_set, (struct k_event *event, uint32_t events), (event, events),
	  IS_USABLE(event, struct k_event, K_OBJ_EVENT))
{
	if (!STAYS_MASKED && unlikely(event->wait_q.head != NULL)) {
		return IN_FULL(k_event_set, event, events);
	}
	return event_update(event, events, UINT32_MAX, key);
}

/*
 * What is set already needs no masking: the flags are read once, and nothing is changed. Who is to
 * reset them first goes another way.
 */
OPERATION_UNMASKED(uint32_t, k_event_wait,
		   (struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout),
		   (event, events, reset, TIMEOUT(timeout)),
		   IS_USABLE(event, struct k_event, K_OBJ_EVENT))
{
	uint32_t found;

	if (reset) {
		return RESET_AND_WAIT(k_event_wait, event, events, reset, timeout, WAIT_FLAG_ANY);
	}
	found = match(event->events, events, WAIT_FLAG_ANY);
	return likely(found != 0)
		       ? done_unmasked(FLAGS(found))
		       : WAIT_FOR_FLAGS(k_event_wait, event, events, reset, timeout, WAIT_FLAG_ANY);
}

OPERATION_UNMASKED(uint32_t, k_event_wait_all,
		   (struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout),
		   (event, events, reset, TIMEOUT(timeout)),
		   IS_USABLE(event, struct k_event, K_OBJ_EVENT))
{
	if (reset) {
		return RESET_AND_WAIT(k_event_wait_all, event, events, reset, timeout,
				      WAIT_FLAG_ALL);
	}
	/* None at all are found at once, and are none. */
	return likely((event->events & events) == events)
		       ? done_unmasked(FLAGS(events))
		       : WAIT_FOR_FLAGS(k_event_wait_all, event, events, reset, timeout,
					WAIT_FLAG_ALL);
}

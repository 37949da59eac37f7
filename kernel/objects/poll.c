/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for one of several objects. Each object has a list of the events that are waited for at
 * it, in the order of their pollers' priorities; an event is in it from when its poller found
 * nothing there until the poller is told or goes. Each step is masked by itself, so the time
 * interrupts are does not grow with the number of events, but for a thread's end.
 *
 * A poller that was told of one event is told of no other: what comes meanwhile goes to the next
 * one. When it goes on it looks at all its events once more, and reports each that is ready by
 * then, so two may report one object: the later one finds it gone. Rejected: the registration in
 * the thread alone and a look at all objects' events at each wake-up, which is what makes a wake-up
 * by a semaphore cheap today.
 */
#include "kernel/sched/sched.h"
#include "kernel/objects/poll.h"
#include "kernel/protect/user.h"

/* The list of the object that an event is about, and what there is: K_POLL_STATE_*, or 0. */
static struct k_poll_event **look(const struct k_poll_event *event, uint32_t *state)
{
	*state = K_POLL_STATE_NOT_READY;
	switch (event->type) {
	case K_POLL_TYPE_SIGNAL:
		*state = event->signal->signaled != 0 ? K_POLL_STATE_SIGNALED : 0;
		return &event->signal->pollers;
	case K_POLL_TYPE_SEM_AVAILABLE:
		*state = event->sem->count != 0 ? K_POLL_STATE_SEM_AVAILABLE : 0;
		return &event->sem->pollers;
	case K_POLL_TYPE_DATA_AVAILABLE:
		*state = event->queue->head != 0 ? K_POLL_STATE_DATA_AVAILABLE : 0;
		return &event->queue->pollers;
	case K_POLL_TYPE_MSGQ_DATA_AVAILABLE:
		*state = event->msgq->used_msgs != 0 ? K_POLL_STATE_MSGQ_DATA_AVAILABLE : 0;
		return &event->msgq->pollers;
	case K_POLL_TYPE_PIPE_DATA_AVAILABLE:
		*state = event->pipe->used != 0 ? K_POLL_STATE_PIPE_DATA_AVAILABLE : 0;
		return &event->pipe->pollers;
	default:
		K_ASSERT(event->type == K_POLL_TYPE_IGNORE, "bad-poll-type");
		return NULL;
	}
}

/* Bound: the events at the object whose pollers are as urgent. */
static void enter(struct k_poll_event *event, struct k_poll_event **link)
{
	while (*link != NULL && (*link)->poller->prio <= event->poller->prio) {
		link = &(*link)->next;
	}
	event->next = *link;
	event->link = link;
	if (event->next != NULL) {
		event->next->link = &event->next;
	}
	*link = event;
}

static void leave(struct k_poll_event *event)
{
	if (event->link == NULL) {
		return;
	}
	*event->link = event->next;
	if (event->next != NULL) {
		event->next->link = event->link;
	}
	event->link = NULL;
}

/*
 * Look at all events, and enter them where nothing is there, up to the first where something is or
 * somebody has told. Bound: the events; interrupts are let in after each.
 */
bool poll_begin(struct k_poller *poller)
{
	poller->is_polling = true;
	for (int i = 0; i < poller->num_events; i++) {
		struct k_poll_event *event = &poller->events[i];
		unsigned int key = arch_irq_lock();
		uint32_t state;
		struct k_poll_event **pollers = look(event, &state);

		event->link = NULL;
		event->poller = poller;
		poller->num_begun = i + 1;
		if (state != K_POLL_STATE_NOT_READY) {
			event->state |= (uint8_t)state;
			poller->is_polling = false;
		} else if (pollers != NULL && poller->is_polling) {
			enter(event, pollers);
		}
		arch_irq_unlock(key);
	}
	return poller->is_polling;
}

/*
 * Bound: the events; interrupts are let in after each. One that is nowhere stays so, and needs no
 * masking. Of those that were not looked at yet nothing is believed: their poller may end at any
 * time, and what they hold is its user's.
 */
void poll_end(struct k_poller *poller)
{
	for (int i = 0; i < poller->num_begun; i++) {
		struct k_poll_event *event = &poller->events[i];

		if (*(struct k_poll_event * *volatile *)&event->link != NULL) {
			unsigned int key = arch_irq_lock();

			leave(event);
			arch_irq_unlock(key);
		}
	}
}

/*
 * Bound: those who poll the object and are leaving, told of another one or in vain: each is passed
 * once.
 */
void poll_tell(struct k_poll_event **pollers, uint32_t state)
{
	struct k_poll_event *event;

	while ((event = *pollers) != NULL) {
		struct k_poller *poller = event->poller;

		leave(event);
		if (poller->is_polling) {
			event->state |= (uint8_t)state;
			poller->is_polling = false;
			poller->tell(poller, state == K_POLL_STATE_CANCELLED ? -EINTR : 0);
			return;
		}
	}
}

void poll_tell_and_unlock(struct k_poll_event **pollers, uint32_t state, unsigned int key)
{
	poll_tell(pollers, state);
	sched_reschedule(key);
}

/* ---- threads ---- */

struct thread_poller {
	struct k_poller poller; /* first: what k_thread.poller points to */
	struct k_thread *thread;
	_wait_q_t
		/*
		 * alone: nobody looks for those who poll by an object, and none walks past others
		 */
		waits;
	int result; /* told before it waited */
};

static void tell_thread(struct k_poller *poller, int result)
{
	struct thread_poller *told = CONTAINER_OF(poller, struct thread_poller, poller);

	told->result = result;
	if ((told->thread->state & K_THREAD_PENDING) != 0 &&
	    told->thread->pended_on == &told->waits) {
		sched_wake(told->thread, result);
	}
}

/* It was told of an event, and has ended before it could look: the next one is. */
static void pass_on(const struct k_poll_event *event)
{
	uint32_t state;
	struct k_poll_event **pollers = look(event, &state);

	if (state != K_POLL_STATE_NOT_READY && *pollers != NULL) {
		poll_tell(pollers, state);
	}
}

void poll_thread_ended(struct k_thread *thread)
{
	struct k_poller *poller = thread->poller;

	thread->poller = NULL;
	poller->is_polling = false;
	poll_end(poller);
	/* Bound: the events. */
	for (int i = 0; i < poller->num_begun; i++) {
		if (poller->events[i].state != K_POLL_STATE_NOT_READY) {
			pass_on(&poller->events[i]);
		}
	}
}

/*
 * Not to be told of anything yet, or any more, so what is there is read in one load of each,
 * unmasked. Bound: the events.
 */
int poll_look(struct k_poll_event *events, int num_events)
{
	int result = -EAGAIN;

	for (int i = 0; i < num_events; i++) {
		uint32_t state;

		(void)look(&events[i], &state);
		if (state != K_POLL_STATE_NOT_READY) {
			events[i].state |= (uint8_t)state;
			result = 0;
		}
	}
	return result;
}

/* Nothing is there. */
static inline int wait_for_one(struct thread_poller *own, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	int result;

	if (own->poller.is_polling) { /* else told meanwhile */
		(void)sched_pend_slow(&own->waits, timeout, key, -EAGAIN);
		(void)arch_irq_lock();
	}
	/*
	 * Told, if only while the time was over: then it was not in vain. Else from here on the
	 * next one is.
	 */
	result = own->poller.is_polling ? -EAGAIN : own->result;
	own->poller.is_polling = false;
	arch_irq_unlock(key);
	return result;
}

static __noinline int poll_waiting(struct k_poll_event *events, int num_events, k_timeout_t timeout)
{
	struct thread_poller own = {
		.poller = {events, num_events, 0, k_cpu.current->prio, true, tell_thread},
		.thread = k_cpu.current,
	};
	int result = 0;

	k_cpu.current->poller = &own.poller;
	if (poll_begin(&own.poller)) {
		result = wait_for_one(&own, timeout);
	}
	poll_end(&own.poller);
	k_cpu.current->poller = NULL;
	if (num_events > 1 && result != -EAGAIN) {
		(void)poll_look(events, num_events); /* what came since it was told */
	}
	return result;
}

int k_poll(struct k_poll_event *events, int num_events, k_timeout_t timeout)
{
	int result = poll_look(events, num_events);

	if (result == 0 || timeout.ticks == 0 || arch_in_isr()) {
		K_ASSERT(result == 0 || timeout.ticks == 0 || !arch_in_isr(),
			 "blocking-call-in-isr");
		return result;
	}
	return poll_waiting(events, num_events, timeout);
}

/* ---- signals ---- */

void k_poll_signal_init(struct k_poll_signal *sig)
{
	user_init_begin(sig);
	*sig = (struct k_poll_signal)K_POLL_SIGNAL_INITIALIZER(sig);
	user_init_end(sig);
}

void k_poll_signal_reset(struct k_poll_signal *sig)
{
	sig->signaled = 0;
}

void k_poll_signal_check(struct k_poll_signal *sig, unsigned int *signaled, int *result)
{
	unsigned int key = arch_irq_lock();

	*signaled = sig->signaled;
	*result = sig->result;
	arch_irq_unlock(key);
}

int k_poll_signal_raise(struct k_poll_signal *sig, int result)
{
	unsigned int key = arch_irq_lock();

	sig->result = result;
	sig->signaled = 1;
	poll_unlock(sig, K_POLL_STATE_SIGNALED, key);
	return 0;
}

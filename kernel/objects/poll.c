/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for one of several objects. Each object has a list of the events that are waited for at
 * it, in the order of their pollers' priorities; an event is in it from when its poller found
 * nothing there until the poller is told or goes. All is done in steps, so the time interrupts are
 * masked for does not grow with the number of those who poll, nor of their events.
 *
 * A poller that was told of one event is told of no other: what comes meanwhile goes to the next
 * one, the first of the list. So nobody has to be passed by who tells, the events of one that was
 * told, or goes in vain, leave their lists before anybody else is told: in steps of who told it, or
 * its own, whoever comes first; and if neither has, of who tells the next. When it goes on it looks
 * at all its events once more, and reports each that is ready by then, so two may report one
 * object: the later one finds it gone.
 *
 * An event enters as the last and goes forward past those of less urgent pollers; until it is in
 * its place it is as if its poller had not come so far. It is in the list meanwhile, so nothing
 * that happens there between two steps is lost, and there is nothing to begin anew.
 *
 * Rejected: leaving the lists when the told poller runs, since others' events are to be passed
 * then by whoever tells; leaving them when it is told, in one step; the registration in the thread
 * alone and a look at all objects' events at each wake-up, which is what makes a wake-up by a
 * semaphore cheap today.
 */
#include "kernel/sched/sched.h"
#include "kernel/hooks/poll.h"
#include "kernel/hooks/user.h"

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

/* ---- an object's list, a ring ---- */

static void link_before(struct k_poll_event *next, struct k_poll_event *event)
{
	event->next = next;
	event->prev = next->prev;
	next->prev->next = event;
	next->prev = event;
}

/* As the last. */
static void enter(struct k_poll_event *event, struct k_poll_event **pollers)
{
	event->pollers = pollers;
	if (*pollers != NULL) {
		link_before(*pollers, event);
		return;
	}
	event->next = event;
	event->prev = event;
	*pollers = event;
}

static void leave(struct k_poll_event *event)
{
	struct k_poll_event **pollers = event->pollers;

	if (pollers == NULL) {
		return;
	}
	event->pollers = NULL;
	event->next->prev = event->prev;
	event->prev->next = event->next;
	if (*pollers == event) {
		*pollers = event->next != event ? event->next : NULL;
	}
}

/* Is that one to be passed by `event`? One that is on its way itself, or leaves, has no place. */
static inline bool is_passed(const struct k_poll_event *other, const struct k_poll_event *event)
{
	const struct k_poller *poller = other->poller;

	return poller->prio > event->poller->prio || poller->event == other || !poller->is_polling;
}

/* Some places forward. False: it is where it belongs. */
static bool go_forward(struct k_poll_event *event)
{
	struct k_poll_event **pollers = event->pollers;
	struct k_poll_event *next = event;

	/* Bound: CONFIG_MASKED_STEPS. */
	for (int i = 0; i < CONFIG_MASKED_STEPS && next != *pollers && is_passed(next->prev, event);
	     i++) {
		next = next->prev;
	}
	if (next == event) {
		return false;
	}
	leave(event);
	event->pollers = pollers;
	link_before(next, event);
	if (next == *pollers) {
		*pollers = event;
	}
	return true;
}

/* In steps, as long as nothing has come. Masked, and `key` is of before. */
static void enter_in_place(struct k_poll_event *event, struct k_poll_event **pollers,
			   unsigned int key)
{
	struct k_poller *poller = event->poller;

	enter(event, pollers);
	poller->event = event;
	/* Bound: O, the events of less urgent pollers. */
	while (go_forward(event)) {
		sched_traversal_window(key);
		if (!*(volatile bool *)&poller->is_polling) {
			return; /* told: what leads to its event is that now */
		}
	}
	poller->event = NULL;
}

/* ---- who polls no more ---- */

/* Its events are still leaving. Nobody else is in a list who does not poll. */
static struct k_poller *leaving;

/*
 * Some of its events leave. Of those that were not looked at yet nothing is believed: their poller
 * may end at any time, and what they hold is its user's. False: there is none left.
 */
static bool leave_some(struct k_poller *poller)
{
	/* Bound: CONFIG_MASKED_STEPS. */
	for (int i = 0; i < CONFIG_MASKED_STEPS && poller->num_begun > 0; i++) {
		leave(&poller->events[--poller->num_begun]);
	}
	if (poller->num_begun > 0) {
		return true;
	}
	if (leaving == poller) {
		leaving = NULL;
	}
	return false;
}

void poll_stop(struct k_poller *poller)
{
	poller->is_polling = false;
	/* Bound: O, the events that were looked at. */
	while (leave_some(poller)) {
	}
}

/* The same, of which the rest may be done in steps. */
static void begin_to_leave(struct k_poller *poller)
{
	if (unlikely(leaving != NULL)) {
		poll_stop(leaving);
	}
	poller->is_polling = false;
	leaving = poller;
}

/* In steps, whoever's they are. Masked, and `key` is of before. */
static void leave_in_steps(unsigned int key)
{
	struct k_poller *poller;

	/* Bound: O, the events of one that was told, and those told between two steps. */
	while ((poller = *(struct k_poller *volatile *)&leaving) != NULL && leave_some(poller)) {
		sched_traversal_window(key);
	}
}

/*
 * Look at all events, and enter them where nothing is there, until something is or somebody has
 * told. Bound: O, the events; interrupts are let in after each.
 */
bool poll_begin(struct k_poller *poller)
{
	poller->is_polling = true;
	for (int i = 0; i < poller->num_events; i++) {
		struct k_poll_event *event = &poller->events[i];
		unsigned int key = arch_irq_lock();
		uint32_t state;
		struct k_poll_event **pollers = look(event, &state);

		event->pollers = NULL;
		event->poller = poller;
		if (state != K_POLL_STATE_NOT_READY) {
			event->state |= (uint8_t)state;
			begin_to_leave(poller);
		} else if (*(volatile bool *)&poller->is_polling) {
			poller->num_begun = i + 1;
			if (pollers != NULL) {
				enter_in_place(event, pollers, key);
			}
		}
		arch_irq_unlock(key);
	}
	return poller->is_polling;
}

void poll_tell(struct k_poll_event **pollers, uint32_t state)
{
	struct k_poll_event *event;
	struct k_poller *poller;

	if (unlikely(leaving != NULL)) {
		poll_stop(leaving);
	}
	event = *pollers;
	if (event == NULL) {
		return;
	}
	poller = event->poller;
	event->state |= (uint8_t)state;
	poller->event = event;
	poller->is_polling = false;
	leaving = poller;
	poller->tell(poller, state == K_POLL_STATE_CANCELLED ? -EINTR : 0);
}

void poll_tell_and_unlock(struct k_poll_event **pollers, uint32_t state, unsigned int key)
{
	poll_tell(pollers, state);
	sched_traversal_window(key);
	sched_reschedule(key);
	if (!arch_in_isr() && *(struct k_poller *volatile *)&leaving != NULL) {
		key = arch_irq_lock(); /* it has not run yet */
		leave_in_steps(key);
		arch_irq_unlock(key);
	}
}

/* ---- threads ---- */

struct thread_poller {
	struct k_poller poller; /* first: what k_thread.poller points to */
	struct k_thread *thread;
	_wait_q_t
		/*
		 * alone: nobody looks for those who poll by an object, and none goes past others
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

/*
 * Its events leave as those of one that was told do, behind whoever is leaving. If it was told of
 * an event, and ends before it could look, the next one is.
 */
void poll_thread_ends(struct k_thread *thread)
{
	struct k_poller *poller = thread->poller;
	struct k_poll_event **pollers;
	uint32_t state;

	if (leaving != NULL) {
		(void)leave_some(leaving);
		return;
	}
	if (poller->is_polling) {
		poller->event = NULL; /* one that was on its way */
		begin_to_leave(poller);
		return;
	}
	K_ASSERT(poller->num_begun == 0, "poller-still-there");
	thread->poller = NULL;
	if (poller->event != NULL) {
		pollers = look(poller->event, &state);
		if (state != K_POLL_STATE_NOT_READY && *pollers != NULL) {
			poll_tell(pollers, state);
		}
	}
}

/*
 * Not to be told of anything yet, or any more, so what is there is read in one load of each,
 * unmasked. Bound: O, the events.
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
		(void)sched_arm_first(timeout, -EAGAIN, key);
	}
	if (own->poller.is_polling) {
		(void)sched_pend_slow(&own->waits, timeout, key, -EAGAIN);
		(void)arch_irq_lock();
	} else {
		sched_disarm();
	}
	/*
	 * Told, if only while the time was over: then it was not in vain. Else from here on the
	 * next one is.
	 */
	result = own->poller.is_polling ? -EAGAIN : own->result;
	if (own->poller.is_polling) {
		begin_to_leave(&own->poller);
	}
	arch_irq_unlock(key);
	return result;
}

/* Its events are nowhere any more, and it may be told of nothing. */
static void end(struct k_poller *poller)
{
	unsigned int key = arch_irq_lock();

	/* Bound: O, the events; interrupts are let in after some. */
	while (leave_some(poller)) {
		sched_traversal_window(key);
	}
	k_cpu.current->poller = NULL;
	arch_irq_unlock(key);
}

static __noinline int poll_waiting(struct k_poll_event *events, int num_events, k_timeout_t timeout)
{
	struct thread_poller own = {
		.poller = {events, num_events, 0, k_cpu.current->prio, true, tell_thread, NULL},
		.thread = k_cpu.current,
	};
	int result = 0;

	k_cpu.current->poller = &own.poller;
	if (poll_begin(&own.poller)) {
		result = wait_for_one(&own, timeout);
	}
	end(&own.poller);
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

/*@ requires \valid_read(sig) && \valid(signaled) && \valid(result);
  @ assigns *signaled, *result;
  @ ensures *signaled == \old(sig->signaled) && *result == \old(sig->result);
  @*/
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

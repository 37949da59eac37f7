/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What objects and threads tell those who poll. Interrupts masked. Nothing without CONFIG_POLL:
 * then objects have no list of them.
 */
#ifndef FOLIOT_KERNEL_POLL_H
#define FOLIOT_KERNEL_POLL_H

#include "kernel/base/kernel.h"

/* A step of the end of a thread that polls, which it does until none of its events is anywhere. */
void poll_thread_ends(struct k_thread *thread);

#ifdef CONFIG_POLL

/* The first of those who poll an object, of which there is one, is told; no switch. */
void poll_tell(struct k_poll_event **pollers, uint32_t state);
/* The same at the end of a call: switches, and restores key. */
void poll_tell_and_unlock(struct k_poll_event **pollers, uint32_t state, unsigned int key);

/*
 * Of the work items that poll (kernel/work): begin. False: one has come. To be stopped in any case:
 * then it polls no more, and none of its events is anywhere. Interrupts masked.
 */
bool poll_begin(struct k_poller *poller);
void poll_stop(struct k_poller *poller);
/* Mark each event that is ready; interrupts open. Returns 0, or -EAGAIN: none is. */
int poll_look(struct k_poll_event *events, int num_events);

#define poll_init(object) ((object)->pollers = NULL)

#define poll_available(object, state)                           \
	do {                                                    \
		if (unlikely((object)->pollers != NULL)) {      \
			poll_tell(&(object)->pollers, (state)); \
		}                                               \
	} while (0)

/* The end of a call that had something for nobody: restores key. */
#define poll_unlock(object, state, key)                                           \
	do {                                                                      \
		if (unlikely((object)->pollers != NULL)) {                        \
			poll_tell_and_unlock(&(object)->pollers, (state), (key)); \
		} else {                                                          \
			arch_irq_unlock(key);                                     \
		}                                                                 \
	} while (0)

#define poll_is_awaited(object) ((object)->pollers != NULL)

static inline void poll_thread_created(struct k_thread *thread)
{
	thread->poller = NULL;
}

static inline bool poll_thread_polls(const struct k_thread *thread)
{
	return thread->poller != NULL;
}

#else

#define poll_init(object)               ((void)0)
#define poll_available(object, state)   ((void)0)
#define poll_unlock(object, state, key) arch_irq_unlock(key)
#define poll_is_awaited(object)         false

static inline void poll_thread_created(struct k_thread *thread)
{
}

static inline bool poll_thread_polls(const struct k_thread *thread)
{
	return false;
}

#endif

#endif /* FOLIOT_KERNEL_POLL_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* The last of a thread's end, whoever comes to it: thread_end.c at once, traversal.c in steps. */
#ifndef FOLIOT_KERNEL_THREAD_BURY_H
#define FOLIOT_KERNEL_THREAD_BURY_H

#include "kernel/hooks/object.h"
#include "kernel/hooks/poll.h"
#include "kernel/hooks/registry.h"
#include "kernel/hooks/user.h"
#include "kernel/sched/fpu.h"
#include "kernel/sched/sched.h"

/*
 * What every end does, however little the thread was involved in; it is in no queue. True: user
 * threads know its block or its stack, and user_thread_known_ended() is next.
 */
static inline bool thread_bury(struct k_thread *thread)
{
	thread->state = K_THREAD_DEAD;
	slice_thread_ended(thread);
	fpu_thread_ended(thread);
	/* Bound: O, the events that leave. */
	while (poll_thread_polls(thread)) {
		poll_thread_ends(thread);
	}
	object_thread_ended(thread);
	registry_remove(thread);
	return user_thread_ended(thread);
}

#endif /* FOLIOT_KERNEL_THREAD_BURY_H */

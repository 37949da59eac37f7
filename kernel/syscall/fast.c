/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast paths of system calls that are short most of the time: fast.h. On RISC-V they are
 * compiled not to touch some registers, which others do.
 */
#include "kernel/syscall/fast.h"
#include "kernel/objects/event_flags.h"
#include "kernel/objects/mutex.h"
#include "kernel/objects/sem_ops.h"

#define LOCK_CONTENDED(mutex, timeout) IN_FULL(k_mutex_lock, mutex, timeout)
#define UNLOCK_CONTENDED(mutex)        IN_FULL(k_mutex_unlock, mutex)
#include "kernel/objects/mutex_ops.h"

/* ---- events ---- */

#define WAKE_MATCHING(event, previous) wake_matching(event, previous)
/* For ever; else the slow path resets them. */
#define RESET_AND_WAIT(name, event, events, reset, timeout, flags)                                 \
	(waits_here(events, timeout) ? ((event)->events = 0, wait_for_flags(event, events, flags)) \
				     : IN_FULL(name, event, events, reset, timeout))
#define WAIT_FOR_FLAGS(name, event, events, reset, timeout, flags)          \
	(waits_here(events, timeout) ? wait_for_flags(event, events, flags) \
				     : IN_FULL(name, event, events, reset, timeout))

static inline bool waits_here(uint32_t events, k_timeout_t timeout)
{
	return likely(STAYS_MASKED && events != 0 && timeout.ticks == K_TICKS_FOREVER);
}

static inline intptr_t wake_matching(struct k_event *event, uint32_t previous);
static inline intptr_t wait_for_flags(struct k_event *event, uint32_t events, unsigned int flags);

/*
 * Either wait, where it does not stay masked: asked for first, a reset takes no register while the
 * others look.
 */
#undef OPERATION_UNMASKED
#define OPERATION_UNMASKED(type, name, parameters, arguments, is_usable) \
	FAST_PATH(                                                       \
		type, name, parameters, arguments, is_usable,            \
		if (!STAYS_MASKED && unlikely(reset)) { return wait_and_reset arguments; })
GOES_ON(wait_and_reset, (struct k_event * event, uint32_t events, bool reset, k_timeout_t timeout))

static __noinline intptr_t wait_and_reset(struct k_event *event, uint32_t events, bool reset,
					  k_timeout_t timeout)
{
	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return GO_ON(verified, wait_and_reset, event, events, reset, timeout);
	}
	return IN_FULL(wait_and_reset, event, events, reset, timeout);
}

#include "kernel/objects/event_ops.h"

GOES_ON_IN(masked, event_update_waking, struct k_event *, uint32_t, unsigned int, uintptr_t)

/*
 * The flags are changed, and somebody waits; if it is one who waits for any of them or for all, and
 * has them, straight.
 */
static inline intptr_t wake_matching(struct k_event *event, uint32_t previous)
{
	struct k_thread *waiter = event->wait_q.head;
	uint32_t found = event->events & (uint32_t)waiter->wake_data;

	if (waiter->next == waiter && found != 0 && waiter->wait_flags <= WAIT_FLAG_ALL &&
	    (waiter->wait_flags == WAIT_FLAG_ANY || found == (uint32_t)waiter->wake_data)) {
		k_cpu.current->wake_value = FLAGS(previous);
		return sched_wake_first_inline(&event->wait_q, waiter, FLAGS(found),
					       ARCH_IRQ_KEY_OPEN);
	}
	return masked_event_update_waking(event, previous, ARCH_IRQ_KEY_OPEN, NO_WORD,
					  event_update_waking);
}

/* What is set does not do; for ever. */
static inline intptr_t wait_for_flags(struct k_event *event, uint32_t events, unsigned int flags)
{
	struct k_thread *current = k_cpu.current;

	current->wake_data = events;
	current->wait_flags = (uint8_t)flags;
	return sched_pend_inline(&event->wait_q, K_FOREVER, ARCH_IRQ_KEY_OPEN, 0);
}

/* ---- stacks ---- */

#define WAIT_FOR_WORD(stack, data, timeout, in_full) \
	(STAYS_MASKED ? fast_pop_empty(stack, data, timeout) : (in_full))
#define TAKE_WORD(stack, data, timeout, in_full)                                                   \
	(likely(may_be_popped_to(k_cpu.current, data)) ? take_word(stack, data)                    \
	 : STAYS_MASKED ? masked_stack_pop_masked(stack, data, timeout, NO_WORD, stack_pop_masked) \
			: (in_full))

static inline intptr_t take_word(struct k_stack *stack, stack_data_t *data)
{
	if (IS_ENABLED(CONFIG_ARCH_USER_STORES)) {
		return arch_user_call_pop(stack->next, data, &stack->next);
	}
	ARCH_USER_OPEN();
	*data = *--stack->next;
	ARCH_USER_CLOSE();
	return done(0, 0);
}

#include "kernel/objects/stack_ops.h"

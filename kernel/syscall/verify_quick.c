/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls in the case that is short: nobody waits, nobody is woken, nothing is allocated. A
 * port that can enters here first, with interrupts masked since the trap, so that an object that
 * was looked at is still that object when it is used, and nothing has to be saved for a switch:
 * RISC-V with few registers to clear afterwards, Cortex-M in the handler of the call itself.
 *
 * What is not that case is left as it was, for the verifier and the function (arch.h:
 * arch_user_call_verified()), or, where the object was found usable, for the rest of the verifier
 * (arch_user_call_checked(), rest_NAME()). So each of these is a check and a few lines that repeat
 * what the object's own file does first; tests/user holds them to the same results. They call
 * nothing: on RISC-V they are compiled not to touch some registers, which others do.
 */
#include "kernel/syscall/verify_quick.h"
#include "kernel/objects/masked.h"
#include "kernel/objects/mutex.h"
#include "kernel/hooks/poll.h"

/* Where the port can, who blocks or wakes does so masked still. */
#define STAYS_MASKED IS_ENABLED(CONFIG_ARCH_USER_CALLS_MASKED)

GOES_ON_MASKED_1(int, sem_take_masked, struct k_sem *)
GOES_ON_MASKED_2(void, sem_give_masked, struct k_sem *, struct k_thread *)
GOES_ON_MASKED_2(uint32_t, event_update_masked, struct k_event *, uint32_t)
GOES_ON_MASKED_3(uint32_t, event_wait_masked, struct k_event *, uint32_t, unsigned int)
GOES_ON_MASKED_3(int, stack_push_masked, struct k_stack *, stack_data_t, struct k_thread *)
GOES_ON_MASKED_3(int, stack_pop_masked, struct k_stack *, stack_data_t *, k_timeout_t)

int quick_k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
	unsigned int count;

	if (!IS_USABLE(sem, struct k_sem, K_OBJ_SEM)) {
		return GO_ON(verified, k_sem_take, sem, timeout);
	}
	count = sem->count;
	if (likely(count != 0)) {
		sem->count = count - 1;
		return arch_user_call_done(0);
	}
	if (STAYS_MASKED && timeout.ticks == K_TICKS_FOREVER) {
		struct k_thread *current = k_cpu.current;

		if (waits_shortly(&sem->wait_q, current)) {
			return switched(current, wait_shortly(&sem->wait_q, current));
		}
		return masked_sem_take_masked(sem, NO_WORD, NO_WORD, NO_WORD, sem_take_masked);
	}
	return GO_ON(checked, k_sem_take, sem, timeout);
}

void quick_k_sem_give(struct k_sem *sem)
{
	struct k_thread *waiter;

	if (!IS_USABLE(sem, struct k_sem, K_OBJ_SEM)) {
		GO_ON(verified, k_sem_give, sem);
		return;
	}
	waiter = sem->wait_q.head;
	if (unlikely(waiter != NULL || poll_is_awaited(sem))) {
		struct k_thread *current = k_cpu.current;

		if (STAYS_MASKED && waiter != NULL && wakes_shortly(waiter, current)) {
			wake_shortly(&sem->wait_q, waiter, 0, current, 0);
			switched_void(current, waiter);
		} else if (STAYS_MASKED && waiter != NULL) {
			masked_sem_give_masked(sem, waiter, NO_WORD, NO_WORD, sem_give_masked);
		} else {
			GO_ON(checked, k_sem_give, sem);
		}
		return;
	}
	if (likely(sem->count != sem->limit)) {
		sem->count++;
	}
	arch_user_call_ended();
}

int quick_k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout)
{
	struct k_thread *current = k_cpu.current;
	uint32_t generation;

	if (!IS_USABLE(mutex, struct k_mutex, K_OBJ_MUTEX)) {
		return GO_ON(verified, k_mutex_lock, mutex, timeout);
	}
	generation = mutex->generation;
	if (likely(generation == current->generation)) {
		uint32_t count = mutex->lock_count + 1U;

		if (likely(count != 0)) {
			mutex->lock_count = count;
			return arch_user_call_done(0);
		}
		return GO_ON(checked, k_mutex_lock, mutex, timeout);
	}
	if (generation == GENERATION_NOBODY && current->generation != GENERATION_NONE) {
		mutex_own(mutex, current);
		return arch_user_call_done(0);
	}
	return GO_ON(checked, k_mutex_lock, mutex, timeout);
}

int quick_k_mutex_unlock(struct k_mutex *mutex)
{
	const struct k_thread *current;

	if (!IS_USABLE(mutex, struct k_mutex, K_OBJ_MUTEX)) {
		return GO_ON(verified, k_mutex_unlock, mutex);
	}
	current = k_cpu.current;
	if (likely(mutex_is_held_by(mutex, current))) {
		uint32_t left = mutex->lock_count - 1;

		if (likely(left != 0)) {
			mutex->lock_count = left;
			return arch_user_call_done(0);
		}
		if (likely(mutex->wait_q.head == NULL)) {
			mutex_disown(mutex);
			return arch_user_call_done(0);
		}
	}
	return GO_ON(checked, k_mutex_unlock, mutex);
}

/*
 * The flags are changed, and somebody waits; if it is one who waits for any of them or for all, and
 * has them, straight.
 */
static inline uint32_t wake_for(struct k_event *event, uint32_t previous)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *waiter = event->wait_q.head;
	uint32_t found = event->events & (uint32_t)waiter->wake_data;

	if (wakes_shortly(waiter, current) && found != 0 && waiter->wait_flags <= EVENT_WAIT_ALL &&
	    (waiter->wait_flags == EVENT_WAIT_ANY || found == (uint32_t)waiter->wake_data)) {
		wake_shortly(&event->wait_q, waiter, (intptr_t)found, current, (intptr_t)previous);
		return switched_flags(current, waiter);
	}
	return masked_event_update_masked(event, previous, NO_WORD, NO_WORD, event_update_masked);
}

uint32_t quick_k_event_post(struct k_event *event, uint32_t events)
{
	uint32_t previous;

	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return GO_ON(verified, k_event_post, event, events);
	}
	if (!STAYS_MASKED && unlikely(event->wait_q.head != NULL)) {
		return GO_ON(checked, k_event_post, event, events);
	}
	previous = event->events;
	event->events = previous | events;
	previous &= events;
	if (STAYS_MASKED && unlikely(event->wait_q.head != NULL)) {
		return wake_for(event, previous);
	}
	return (uint32_t)arch_user_call_done((int)previous);
}

uint32_t quick_k_event_set(struct k_event *event, uint32_t events)
{
	uint32_t previous;

	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return GO_ON(verified, k_event_set, event, events);
	}
	if (!STAYS_MASKED && unlikely(event->wait_q.head != NULL)) {
		return GO_ON(checked, k_event_set, event, events);
	}
	previous = event->events;
	event->events = events;
	if (STAYS_MASKED && unlikely(event->wait_q.head != NULL)) {
		return wake_for(event, previous);
	}
	return (uint32_t)arch_user_call_done((int)previous);
}

/* Is it to wait for ever? If it is, and that is asked for, the flags are reset. */
static inline bool begins_to_wait(struct k_event *event, uint32_t events, bool reset,
				  k_timeout_t timeout)
{
	if (!STAYS_MASKED || events == 0 || timeout.ticks != K_TICKS_FOREVER) {
		return false;
	}
	if (reset) {
		event->events = 0;
	}
	return true;
}

static inline uint32_t wait_for(struct k_event *event, uint32_t events, unsigned int flags)
{
	struct k_thread *current = k_cpu.current;

	if (waits_shortly(&event->wait_q, current)) {
		current->wake_data = events;
		current->wait_flags = (uint8_t)flags;
		return switched_flags(current, wait_shortly(&event->wait_q, current));
	}
	return masked_event_wait_masked(event, events, flags, NO_WORD, event_wait_masked);
}

/*
 * Either call, where it does not stay masked: asked for first, a reset takes no register while the
 * others look.
 */
static __noinline uint32_t wait_and_reset(struct k_event *event, uint32_t events, bool reset,
					  k_timeout_t timeout)
{
	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return GO_ON(verified, k_event_wait, event, events, reset, timeout);
	}
	return GO_ON(checked, k_event_wait, event, events, reset, timeout);
}

uint32_t quick_k_event_wait(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout)
{
	uint32_t found;

	if (!STAYS_MASKED && unlikely(reset)) {
		return wait_and_reset(event, events, reset, timeout);
	}
	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return GO_ON(verified, k_event_wait, event, events, reset, timeout);
	}
	found = event->events & events;
	if (likely(found != 0 && !reset)) {
		return (uint32_t)arch_user_call_done((int)found);
	}
	if (begins_to_wait(event, events, reset, timeout)) {
		return wait_for(event, events, EVENT_WAIT_ANY);
	}
	return GO_ON(checked, k_event_wait, event, events, reset, timeout);
}

uint32_t quick_k_event_wait_all(struct k_event *event, uint32_t events, bool reset,
				k_timeout_t timeout)
{
	if (!STAYS_MASKED && unlikely(reset)) {
		return wait_and_reset(event, events, reset, timeout);
	}
	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return GO_ON(verified, k_event_wait_all, event, events, reset, timeout);
	}
	if (likely((event->events & events) == events && !reset)) {
		return (uint32_t)arch_user_call_done(
			(int)events); /* none at all are found at once, and are none */
	}
	if (begins_to_wait(event, events, reset, timeout)) {
		return wait_for(event, events, EVENT_WAIT_ALL);
	}
	return GO_ON(checked, k_event_wait_all, event, events, reset, timeout);
}

/*
 * It is full, or somebody waits: then the word is the first one's. A function of its own, as below:
 * six registers are not enough for both, and what they kept on the stack all would pay for.
 */
static __noinline int push_at_limit(struct k_stack *stack, stack_data_t data)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *waiter = stack->wait_q.head;

	if (!STAYS_MASKED || waiter == NULL) {
		return GO_ON(checked, k_stack_push, stack, data);
	}
	if (wakes_shortly(waiter, current)) {
		waiter->wake_data = data;
		wake_shortly(&stack->wait_q, waiter, 0, current, 0);
		return switched(current, waiter);
	}
	return masked_stack_push_masked(stack, data, waiter, NO_WORD, stack_push_masked);
}

int quick_k_stack_push(struct k_stack *stack, stack_data_t data)
{
	stack_data_t *next;

	if (!IS_USABLE(stack, struct k_stack, K_OBJ_STACK)) {
		return GO_ON(verified, k_stack_push, stack, data);
	}
	next = stack->next;
	if (unlikely(next == stack->limit)) {
		return push_at_limit(stack, data);
	}
	*next = data;
	stack->next = next + 1;
	return arch_user_call_done(0);
}

int quick_k_stack_pop(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout)
{
	if (!IS_USABLE(stack, struct k_stack, K_OBJ_STACK)) {
		return GO_ON(verified, k_stack_pop, stack, data, timeout);
	}
	if (STAYS_MASKED &&
	    likely(stack->next == stack->base)) { /* it has the longer way: straight */
		return quick_pop_empty(stack, data, timeout);
	}
	if (likely(stack->next != stack->base && may_be_popped_to(k_cpu.current, data))) {
		if (IS_ENABLED(CONFIG_ARCH_USER_STORES)) {
			return arch_user_call_pop(stack->next, data, &stack->next);
		}
		ARCH_USER_OPEN();
		*data = *--stack->next;
		ARCH_USER_CLOSE();
		return arch_user_call_done(0);
	}
	if (STAYS_MASKED) {
		return masked_stack_pop_masked(stack, data, timeout, NO_WORD, stack_pop_masked);
	}
	return GO_ON(checked, k_stack_pop, stack, data, timeout);
}

/* By number, both: what is above, and what arch_user_call_checked() goes on with. */
extern void (*const quick_table[])(void);
extern void (*const checked_table[])(void);

#ifdef CONFIG_ARCH_USER_CALLS_MASKED
#define SYSCALL_MASKED(name) SYSCALL_QUICK(name)
#endif
#define SYSCALL_QUICK(name) (void (*)(void)) quick_##name,
void (*const quick_table[])(void) = {
#include "kernel/base/syscalls.h"
};

#define SYSCALL_QUICK(name) (void (*)(void)) rest_##name,
void (*const checked_table[])(void) = {
#include "kernel/base/syscalls.h"
};

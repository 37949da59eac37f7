/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls in the case that is short: nobody waits, nobody is woken, nothing is allocated. A port that can enters
 * here first, with interrupts masked since the trap, so that an object that was looked at is still that object when
 * it is used, and nothing has to be saved for a switch: RISC-V with few registers to clear afterwards, Cortex-M
 * in the handler of the call itself.
 *
 * What is not that case is left as it was, for the verifier and the function (arch.h: arch_user_call_verified()), or,
 * where the object was found usable, for the rest of the verifier (arch_user_call_checked(), rest_NAME()). So each of
 * these is a check and a few lines that repeat what the object's own file does first; tests/user holds them to the same
 * results.
 * They call nothing: on RISC-V they are compiled not to touch some registers, which others do.
 */
#define VERIFIER_OF_OTHERS
#include "kernel/protect/verify.h" /* first: it says by which label calls are called */
#include "kernel/objects/mutex.h"
#include "kernel/protect/user_range.h"

#define IS_USABLE(object, type, kind) \
	likely(object_is_usable_masked(object, OBJECT_TAG_OFFSET(type), kind))

#define SYSCALL(name)
#define SYSCALL_VIA(name)
#define SYSCALL_OF_APP(name)
/* The call goes on there, with the arguments that it has: always the last thing that is done. */
#define SYSCALL_QUICK(name)                                                               \
	__typeof__(name) quick_##name;                                                    \
	extern __typeof__(name) go_on_verified_##name __asm__("arch_user_call_verified"); \
	extern __typeof__(name) go_on_checked_##name __asm__("arch_user_call_checked");
#include "kernel/protect/syscalls.h"

int quick_k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
	unsigned int count;

	if (!IS_USABLE(sem, struct k_sem, K_OBJ_SEM)) {
		return go_on_verified_k_sem_take(sem, timeout);
	}
	count = sem->count;
	if (likely(count != 0)) {
		sem->count = count - 1;
		return arch_user_call_done(0);
	}
	return go_on_checked_k_sem_take(sem, timeout);
}

void quick_k_sem_give(struct k_sem *sem)
{
	if (!IS_USABLE(sem, struct k_sem, K_OBJ_SEM)) {
		go_on_verified_k_sem_give(sem);
		return;
	}
	if (unlikely(sem->wait_q.head != NULL)) {
		go_on_checked_k_sem_give(sem);
		return;
	}
	if (likely(sem->count != sem->limit)) {
		sem->count++;
	}
	arch_user_call_ended();
}

int quick_k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout)
{
	struct k_thread *current;
	uint32_t generation, count;

	if (!IS_USABLE(mutex, struct k_mutex, K_OBJ_MUTEX)) {
		return go_on_verified_k_mutex_lock(mutex, timeout);
	}
	current = k_cpu.current;
	generation = mutex->generation;
	count = mutex->lock_count + 1U;
	if (generation == current->generation && likely(count != 0)) {
		mutex->lock_count = count;
		return arch_user_call_done(0);
	}
	if (generation == GENERATION_NOBODY && current->generation != GENERATION_NONE) {
		mutex_own(mutex, current);
		return arch_user_call_done(0);
	}
	return go_on_checked_k_mutex_lock(mutex, timeout);
}

int quick_k_mutex_unlock(struct k_mutex *mutex)
{
	const struct k_thread *current;

	if (!IS_USABLE(mutex, struct k_mutex, K_OBJ_MUTEX)) {
		return go_on_verified_k_mutex_unlock(mutex);
	}
	current = k_cpu.current;
	if (likely(mutex->owner == current && mutex_is_held_by(mutex, current))) {
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
	return go_on_checked_k_mutex_unlock(mutex);
}

uint32_t quick_k_event_post(struct k_event *event, uint32_t events)
{
	uint32_t previous;

	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return go_on_verified_k_event_post(event, events);
	}
	if (unlikely(event->wait_q.head != NULL)) {
		return go_on_checked_k_event_post(event, events);
	}
	previous = event->events;
	event->events = previous | events;
	return (uint32_t)arch_user_call_done((int)(previous & events));
}

uint32_t quick_k_event_set(struct k_event *event, uint32_t events)
{
	uint32_t previous;

	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return go_on_verified_k_event_set(event, events);
	}
	if (unlikely(event->wait_q.head != NULL)) {
		return go_on_checked_k_event_set(event, events);
	}
	previous = event->events;
	event->events = events;
	return (uint32_t)arch_user_call_done((int)previous);
}

uint32_t quick_k_event_wait(struct k_event *event, uint32_t events, bool reset, k_timeout_t timeout)
{
	uint32_t found;

	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return go_on_verified_k_event_wait(event, events, reset, timeout);
	}
	found = event->events & events;
	if (likely(found != 0 && !reset)) {
		return (uint32_t)arch_user_call_done((int)found);
	}
	return go_on_checked_k_event_wait(event, events, reset, timeout);
}

uint32_t quick_k_event_wait_all(struct k_event *event, uint32_t events, bool reset,
				k_timeout_t timeout)
{
	if (!IS_USABLE(event, struct k_event, K_OBJ_EVENT)) {
		return go_on_verified_k_event_wait_all(event, events, reset, timeout);
	}
	if (likely((event->events & events) == events && !reset)) {
		return (uint32_t)arch_user_call_done(
			(int)events); /* none at all are found at once, and are none */
	}
	return go_on_checked_k_event_wait_all(event, events, reset, timeout);
}

int quick_k_stack_push(struct k_stack *stack, stack_data_t data)
{
	stack_data_t *next;

	if (!IS_USABLE(stack, struct k_stack, K_OBJ_STACK)) {
		return go_on_verified_k_stack_push(stack, data);
	}
	next = stack->next;
	if (unlikely(next == stack->limit)) {
		return go_on_checked_k_stack_push(stack, data);
	}
	*next = data;
	stack->next = next + 1;
	return arch_user_call_done(0);
}

/* Memory that is really there: a store to it cannot fail. */
static inline bool may_write_word(const stack_data_t *word)
{
	uintptr_t address = (uintptr_t)word;

	return address % sizeof(*word) == 0 && object_tag_is_in_ram(address) &&
	       user_range_is_own(k_cpu.current, address, sizeof(*word), K_MEM_PARTITION_WRITE_);
}

int quick_k_stack_pop(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout)
{
	if (!IS_USABLE(stack, struct k_stack, K_OBJ_STACK)) {
		return go_on_verified_k_stack_pop(stack, data, timeout);
	}
	if (likely(stack->next != stack->base && may_write_word(data))) {
		*data = *--stack->next;
		return arch_user_call_done(0);
	}
	return go_on_checked_k_stack_pop(stack, data, timeout);
}

/* By number, both: what is above, and what arch_user_call_checked() goes on with. */
extern void (*const quick_table[])(void);
extern void (*const checked_table[])(void);

#define SYSCALL_QUICK(name) (void (*)(void)) quick_##name,
void (*const quick_table[])(void) = {
#include "kernel/protect/syscalls.h"
};

#define SYSCALL_QUICK(name) (void (*)(void)) rest_##name,
void (*const checked_table[])(void) = {
#include "kernel/protect/syscalls.h"
};

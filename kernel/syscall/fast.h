/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fast paths of system calls. A port that can enters here first, with interrupts masked since the
 * trap, so that an object that was looked at is still that object when it is used, and nothing has
 * to be saved for a switch: RISC-V with few registers to clear afterwards, Cortex-M in the handler
 * of the call itself. Each is a look at the objects that the caller named and the body of the
 * operation (kernel/objects/operation.h), whose endings are here. They call nothing: they end in
 * one of the port's functions (arch.h: arch_user_call_...()), the call done, or going on elsewhere
 * with nothing done; tests/user holds both to the same results.
 */
#ifndef FOLIOT_KERNEL_FAST_H
#define FOLIOT_KERNEL_FAST_H

#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h" /* first: it says by which label calls are called */
#include "kernel/hooks/poll.h"
#include "kernel/access/user_range.h"
#include "kernel/sched/sched.h"

#define UNPACKED(...)    __VA_ARGS__
#define TIMEOUT(timeout) (timeout) /* who waits for a while has no fast path */
#define IS_FAST          true

#define IS_USABLE(object, type, kind) \
	likely(object_is_usable_fast(object, OBJECT_TAG_OFFSET(type), kind))

/* Where the port can, who blocks or wakes does so masked still. */
#define STAYS_MASKED IS_ENABLED(CONFIG_ARCH_USER_CALLS_MASKED)

/*
 * By the slow path, with the arguments that the call has: from its verifier on, or past the look
 * that was had here. Always the last thing that is done.
 */
#ifdef ARCH_USER_CALL_KEEPS_WORDS /* or does the port still have them? */
#define GOES_ON(name, parameters)
#define GO_ON(how, name, ...) arch_user_call_##how()
#else
#define GOES_ON(name, parameters)                                                            \
	extern intptr_t go_on_verified_##name parameters __asm__("arch_user_call_verified"); \
	extern intptr_t go_on_checked_##name parameters __asm__("arch_user_call_checked");
#define GO_ON(how, name, ...) go_on_##how##_##name(__VA_ARGS__)
#endif
#define IN_FULL(name, ...) GO_ON(checked, name, __VA_ARGS__)

/* Where it goes on elsewhere before it looks at the object: `leaves` is where, or nothing. */
#define FAST_PATH(type, name, parameters, arguments, is_usable, leaves)                   \
	GOES_ON(name, parameters)                                                         \
	static ALWAYS_INLINE intptr_t body_##name(UNPACKED parameters, unsigned int key); \
	intptr_t fast_##name parameters;                                                  \
	intptr_t fast_##name parameters                                                   \
	{                                                                                 \
		leaves if (!(is_usable))                                                  \
		{                                                                         \
			return GO_ON(verified, name, UNPACKED arguments);                 \
		}                                                                         \
		return body_##name(UNPACKED arguments, ARCH_IRQ_KEY_OPEN);                \
	}                                                                                 \
	static ALWAYS_INLINE intptr_t body_##name(UNPACKED parameters, unsigned int key)
#define OPERATION(type, name, parameters, arguments, is_usable) \
	FAST_PATH(type, name, parameters, arguments, is_usable, )
#define OPERATION_LOOKED_AT          OPERATION
#define OPERATION_UNMASKED           OPERATION
#define OPERATION_UNMASKED_LOOKED_AT OPERATION

/* All of it is masked. */
#define MASK()                ARCH_IRQ_KEY_OPEN
#define APART                 ALWAYS_INLINE intptr_t
#define done_unmasked(result) done(result, ARCH_IRQ_KEY_OPEN)

/*
 * Or there, as the thread that it is, on the stack of system calls, and masked still: in a function
 * with so many words (arch.h: arch_user_call_masked()). It is the fifth; what lies between is
 * anything (NO_WORD).
 */
#define NO_WORD no_word()
#define GOES_ON_IN(entry, function, ...)                                                 \
	extern intptr_t entry##_##function(__VA_ARGS__, __typeof__(function) *) __asm__( \
		"arch_user_call_" #entry);

static inline uintptr_t no_word(void)
{
	uintptr_t word;

	__asm__ volatile("" : "=r"(word)); /* in whatever register it should be */
	return word;
}

GOES_ON_IN(masked, sched_pend_slow, _wait_q_t *, k_timeout_t, unsigned int, int)
GOES_ON_IN(masked, sched_wake_first, _wait_q_t *, intptr_t, unsigned int, uintptr_t)

/* ---- endings ---- */

static inline intptr_t done(intptr_t result, unsigned int key)
{
	return arch_user_call_done(result);
}

/* Nobody polls, and there is no result. */
#define DONE_OFFERING(object, state) arch_user_call_ended()

/*
 * Blocking and waking end in the port's switch, which returns to user mode when the thread runs
 * again, and stay masked in all other states as well, which are functions that call others.
 */
#define SWITCHES_FAST          (STAYS_MASKED && SWITCH_IS_PLAIN)
#define MAY_WAIT(key)          true
#define MAY_WAKE(current, key) ((current)->state == K_THREAD_QUEUED)
#define WAIT_SLOW(wait_q, timeout, key, timeout_value) \
	masked_sched_pend_slow(wait_q, timeout, key, timeout_value, sched_pend_slow)
#define WAKE_SLOW(wait_q, waiter, value, key) \
	masked_sched_wake_first(wait_q, value, key, NO_WORD, sched_wake_first)
#define WAIT_SWITCH(current, next, key) \
	(k_cpu.current = (next), arch_user_call_switch(current, next))
#define WAKE_SWITCH WAIT_SWITCH
#include "kernel/sched/wait_wake.h"

/* Who waits for a while has no fast path. */
#define WAIT(wait_q, timeout, timeout_value, in_full)                                     \
	(likely(STAYS_MASKED && (timeout).ticks == K_TICKS_FOREVER)                       \
		 ? sched_pend_inline(wait_q, K_FOREVER, ARCH_IRQ_KEY_OPEN, timeout_value) \
		 : (in_full))

#define WAKE(wait_q, waiter, value, in_full) \
	(STAYS_MASKED ? wake_ending(wait_q, waiter, value) : (in_full))

/* The call's own result is 0. */
static ALWAYS_INLINE intptr_t wake_ending(_wait_q_t *wait_q, struct k_thread *waiter,
					  intptr_t value)
{
	k_cpu.current->wake_value = 0;
	return sched_wake_first_inline(wait_q, waiter, value, ARCH_IRQ_KEY_OPEN);
}

/* ---- words that are popped ---- */

/*
 * Is it the thread's to write, and memory that is really there? In its stack, or where its domain
 * has words: to look through all partitions takes registers that a fast path has not. All of these
 * begin at words.
 */
static inline bool is_word_near(const struct k_thread *current, const stack_data_t *word)
{
	uintptr_t address = (uintptr_t)word;
	const struct k_mem_domain *domain;

	if (unlikely(address % sizeof(*word) != 0)) {
		return false;
	}
	if (address - (uintptr_t)current->stack_start <
	    (current->stack_size & ~(sizeof(*word) - 1U))) {
		return true;
	}
	domain = current->user.domain;
	return address - domain->words_start < domain->words_size;
}

/*
 * Where the store itself is user mode's, whether it is the thread's is not looked for: but that it
 * is a word, and in memory.
 */
static inline bool may_be_popped_to(const struct k_thread *current, const stack_data_t *word)
{
	uintptr_t address = (uintptr_t)word;

	if (!IS_ENABLED(CONFIG_ARCH_USER_STORES)) {
		return is_word_near(current, word);
	}
	return address % sizeof(*word) == 0 && object_tag_is_in_ram(address);
}

/* Memory that is really there: a store to it cannot fail. */
static inline bool may_write_word(const stack_data_t *word)
{
	uintptr_t address = (uintptr_t)word;

	return address % sizeof(*word) == 0 && object_tag_is_in_ram(address) &&
	       user_range_is_own(k_cpu.current, address, sizeof(*word), K_MEM_PARTITION_WRITE_);
}

/*
 * What a pop that has waited ends with, masked still: the word is stored if that is the thread's
 * own memory still.
 */
int store_word_waited_for(int result, void *data);

/* k_stack_pop() for a user thread, with interrupts masked; they are open when it returns. */
intptr_t stack_pop_masked(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);
GOES_ON_IN(masked, stack_pop_masked, struct k_stack *, stack_data_t *, k_timeout_t, uintptr_t)

/* It begins with an empty stack (fast_wide.c). */
intptr_t fast_pop_empty(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);

#endif /* FOLIOT_KERNEL_FAST_H */

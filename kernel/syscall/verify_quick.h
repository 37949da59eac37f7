/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the quick calls share (verify_quick.c, verify_masked.c): a look at an object, and where a
 * call goes on.
 */
#ifndef FOLIOT_KERNEL_VERIFY_QUICK_H
#define FOLIOT_KERNEL_VERIFY_QUICK_H

#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h" /* first: it says by which label calls are called */
#include "kernel/access/user_range.h"
#include "kernel/sched/sched.h"

#define IS_USABLE(object, type, kind) \
	likely(object_is_surely_usable(object, OBJECT_TAG_OFFSET(type), kind))

/* The call goes on there, with the arguments that it has: always the last thing that is done. */
#define SYSCALL(name)
#define SYSCALL_VIA(name)
#define SYSCALL_OF_APP(name)
#ifdef ARCH_USER_CALL_KEEPS_WORDS /* or does the port still have them? */
#define SYSCALL_QUICK(name)   __typeof__(name) quick_##name;
#define GO_ON(how, name, ...) go_on_##how()
extern intptr_t go_on_verified(void) __asm__("arch_user_call_verified");
extern intptr_t go_on_checked(void) __asm__("arch_user_call_checked");
#else
#define GO_ON(how, name, ...) go_on_##how##_##name(__VA_ARGS__)
#define SYSCALL_QUICK(name)                                                               \
	__typeof__(name) quick_##name;                                                    \
	extern __typeof__(name) go_on_verified_##name __asm__("arch_user_call_verified"); \
	extern __typeof__(name) go_on_checked_##name __asm__("arch_user_call_checked");
#endif
#ifdef CONFIG_ARCH_USER_CALLS_MASKED
#define SYSCALL_MASKED(name)           \
	__typeof__(name) quick_##name; \
	extern __typeof__(name) go_on_verified_##name __asm__("arch_user_call_verified");
#endif
#include "kernel/base/syscalls.h"

/*
 * Or there, as the thread that it is, on the stack of system calls, and masked still: in `rest`, a
 * function with so many words (arch.h: arch_user_call_masked()). It is the fifth; what lies between
 * is anything (NO_WORD).
 */
#define NO_WORD no_word()
#define GOES_ON_AS(entry, type, rest, parameters, ...) \
	extern type masked_##rest(__VA_ARGS__,         \
				  type(*rest_of_it) parameters) __asm__("arch_user_call_" entry);
#define GOES_ON_MASKED_0(type, rest) \
	GOES_ON_AS("masked", type, rest, (void), uintptr_t, uintptr_t, uintptr_t, uintptr_t)
#define GOES_ON_MASKED_1(type, rest, a) \
	GOES_ON_AS("masked", type, rest, (a), a, uintptr_t, uintptr_t, uintptr_t)
#define GOES_ON_MASKED_2(type, rest, a, b) \
	GOES_ON_AS("masked", type, rest, (a, b), a, b, uintptr_t, uintptr_t)
#define GOES_ON_MASKED_3(type, rest, a, b, c) \
	GOES_ON_AS("masked", type, rest, (a, b, c), a, b, c, uintptr_t)

static inline uintptr_t no_word(void)
{
	uintptr_t word;

	__asm__ volatile("" : "=r"(word)); /* in whatever register it should be */
	return word;
}

/*
 * The short ways of blocking and waking as a whole: what kernel/sched/sched.h has of them, and at
 * the end the port's switch, which is the last thing that is done here and returns to user mode
 * when the thread runs again (arch.h: arch_user_call_switch()). All other cases go on above.
 */
#define QUICK_SWITCHES (IS_ENABLED(CONFIG_ARCH_USER_CALLS_MASKED) && SWITCH_IS_PLAIN)
extern int switched(struct k_thread *from, struct k_thread *to) __asm__("arch_user_call_switch");
extern uint32_t switched_flags(struct k_thread *from,
			       struct k_thread *to) __asm__("arch_user_call_switch");
extern void *switched_item(struct k_thread *from,
			   struct k_thread *to) __asm__("arch_user_call_switch");
extern void switched_void(struct k_thread *from,
			  struct k_thread *to) __asm__("arch_user_call_switch");
/*
 * And then, masked still, store_word_waited_for(), with the result of the wait and `word`: it
 * returns the call's.
 */
extern int switched_and_stored(struct k_thread *from, struct k_thread *to,
			       void *word) __asm__("arch_user_call_switch_and_store");

/* Nobody waits there, and the running thread is not queued: for ever, it goes straight. */
static inline bool waits_shortly(const _wait_q_t *wait_q, const struct k_thread *current)
{
	return QUICK_SWITCHES && likely(((uintptr_t)wait_q->head | current->state) == 0);
}

static inline struct k_thread *wait_shortly(_wait_q_t *wait_q, struct k_thread *current)
{
	struct k_thread *next = sched_pend_alone(wait_q, current);

	k_cpu.current = next;
	return next;
}

/*
 * `waiter`, the first, waits alone and for ever, and outranks the running thread, which is queued.
 */
static inline bool wakes_shortly(const struct k_thread *waiter, const struct k_thread *current)
{
	return QUICK_SWITCHES &&
	       !unlikely(waiter->next != waiter || waiter->state != K_THREAD_PENDING ||
			 waiter->prio >= current->threshold || current->state != K_THREAD_QUEUED);
}

/* `result` is what the running thread's call returns. */
static inline void wake_shortly(_wait_q_t *wait_q, struct k_thread *waiter, intptr_t value,
				struct k_thread *current, intptr_t result)
{
	current->wake_value = result;
	wait_q->head = NULL;
	waiter->wake_value = value;
	waiter->state = 0;
	k_cpu.current = waiter;
}

/*
 * Is it the thread's to write, and memory that is really there? In its stack, or where its domain
 * has words: to look through all partitions takes registers that a quick call has not. All of these
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

/*
 * What a pop that has waited ends with, masked still: the word is stored if that is the thread's
 * own memory still.
 */
int store_word_waited_for(int result, void *data);

/* k_stack_pop() for a user thread, with interrupts masked; they are open when it returns. */
int stack_pop_masked(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);

/* Memory that is really there: a store to it cannot fail. */
static inline bool may_write_word(const stack_data_t *word)
{
	uintptr_t address = (uintptr_t)word;

	return address % sizeof(*word) == 0 && object_tag_is_in_ram(address) &&
	       user_range_is_own(k_cpu.current, address, sizeof(*word), K_MEM_PARTITION_WRITE_);
}

/*
 * ---- the rest of quick calls that takes more registers (quick_rest.c): always the last thing that
 * one does ----
 */

/* The key of who was masked before: they open nothing. */
#define STILL_MASKED ARCH_IRQ_KEY_MASKED

/* The stack is empty. */
int quick_pop_empty(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);
/* Nobody waits, nobody polls. */
int32_t quick_queue_link(struct k_queue *queue, void *data, bool last);
/* The first item is a container. */
void *quick_queue_get(struct k_queue *queue);

#endif /* FOLIOT_KERNEL_VERIFY_QUICK_H */

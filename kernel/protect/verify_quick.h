/* SPDX-License-Identifier: Apache-2.0 */
/* What the quick calls share (verify_quick.c, verify_masked.c): a look at an object, and where a call goes on. */
#ifndef FOLIOT_KERNEL_VERIFY_QUICK_H
#define FOLIOT_KERNEL_VERIFY_QUICK_H

#define VERIFIER_OF_OTHERS
#include "kernel/protect/verify.h" /* first: it says by which label calls are called */
#include "kernel/protect/user_range.h"

#define IS_USABLE(object, type, kind) \
	likely(object_is_surely_usable(object, OBJECT_TAG_OFFSET(type), kind))

/* The call goes on there, with the arguments that it has: always the last thing that is done. */
#define SYSCALL(name)
#define SYSCALL_VIA(name)
#define SYSCALL_OF_APP(name)
#define SYSCALL_QUICK(name)                                                               \
	__typeof__(name) quick_##name;                                                    \
	extern __typeof__(name) go_on_verified_##name __asm__("arch_user_call_verified"); \
	extern __typeof__(name) go_on_checked_##name __asm__("arch_user_call_checked");
#ifdef CONFIG_ARCH_USER_CALLS_MASKED
#define SYSCALL_MASKED(name)           \
	__typeof__(name) quick_##name; \
	extern __typeof__(name) go_on_verified_##name __asm__("arch_user_call_verified");
#endif
#include "kernel/protect/syscalls.h"

/*
 * Or there, as the thread that it is, on the stack of system calls, and masked still: in `rest`, a function with so many
 * words (arch.h: arch_user_call_masked()). It is the fifth; what lies between is anything (NO_WORD).
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

/* k_stack_pop() for a user thread, with interrupts masked; they are open when it returns. */
int stack_pop_masked(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);

/* Memory that is really there: a store to it cannot fail. */
static inline bool may_write_word(const stack_data_t *word)
{
	uintptr_t address = (uintptr_t)word;

	return address % sizeof(*word) == 0 && object_tag_is_in_ram(address) &&
	       user_range_is_own(k_cpu.current, address, sizeof(*word), K_MEM_PARTITION_WRITE_);
}

#endif /* FOLIOT_KERNEL_VERIFY_QUICK_H */

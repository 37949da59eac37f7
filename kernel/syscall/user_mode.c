/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a thread comes to user mode. It has two stacks in one piece of memory: in front, the one of
 * its system calls, which no user thread can touch; behind, its own. A user thread's
 * first frame lies on the former, so creating one touches nothing of its stack: that is wiped by
 * the thread itself, before user mode begins.
 */
#include "kernel/access/object_rights.h"
#include "kernel/access/domain.h"
#include "kernel/hooks/user.h"
#include "kernel/syscall/user_entry.h"
#include "lib/string.h"

#define STACK_WIPE 0xaaU /* as CONFIG_INIT_STACKS fills it */

void user_start(void)
{
	arch_user_start();
	domain_start();
}

typedef uint32_t __attribute__((may_alias)) word_t;

#define AT_ONCE 64U

/*
 * So much at once that the loop is little of it; by words. A port with an instruction for several
 * has its own.
 */
#ifndef ARCH_USER_FILL
#define ARCH_USER_FILL fill

static inline void fill(void *start, const void *end, uint32_t pattern)
{
	/* Bound: B / 64. */
	for (word_t *word = start; word != end; word += AT_ONCE / sizeof(*word)) {
		word[0] = word[1] = word[2] = word[3] = pattern;
		word[4] = word[5] = word[6] = word[7] = pattern;
		word[8] = word[9] = word[10] = word[11] = pattern;
		word[12] = word[13] = word[14] = word[15] = pattern;
	}
}
#endif

static void wipe(char *stack, size_t size)
{
	size_t left = size % AT_ONCE;
	char *end = stack + size - left;

	if (likely(stack != end)) {
		ARCH_USER_FILL(stack, end, STACK_WIPE * 0x01010101U); /* it begins at a word */
	}
	memset(end, STACK_WIPE, left);
}

/* On the stack of system calls, in kernel mode: the last that happens there without a call. */
void user_begin(void *p1, void *p2, void *p3)
{
	const struct user_entry begins = *(const struct user_entry *)p1;
	struct k_thread *thread = k_cpu.current;

	wipe(thread->stack_start, thread->stack_size);
	arch_user_enter(
		&begins,
		(char *)ROUND_DOWN(thread->stack_start + thread->stack_size, ARCH_STACK_ALIGN),
		thread->stack_start);
}

void user_thread_made(struct k_thread *thread, const struct user_entry *entry)
{
	user_thread_make(thread, entry);
}

void k_thread_user_mode_enter(k_thread_entry_t entry, void *p1, void *p2, void *p3)
{
	struct k_thread *thread = k_cpu.current;
	struct user_entry *place = user_entry_place(thread);
	unsigned int key;

	if (!user_thread_fits(thread, thread->stack_start, K_USER)) {
		fatal_raise(K_ERR_KERNEL_OOPS, "a stack that is not for user mode");
	}
	*place = (struct user_entry){entry, p1, p2, p3};
	user_access_self(thread);
	arch_user_prepare(thread);
	key = irq_lock();
	thread->options = (uint8_t)((thread->options | K_USER) & ~K_ESSENTIAL);
	arch_user_switch(thread);
	irq_unlock(key);
	arch_user_continue(place, user_begin);
}

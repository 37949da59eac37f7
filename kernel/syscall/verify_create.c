/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system call by which a user thread makes another: looked at, marked and filled in one piece,
 * masked.
 */
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "kernel/access/thread_rights.h"
#include "kernel/syscall/user_entry.h"
#include "kernel/access/user_range.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/thread_create.h"

/* What user_side.c has packed, most often onto its caller's stack: there it is read as it lies. */
static inline void copy_in_args(struct thread_create_args *kept,
				const struct thread_create_args *args)
{
	if (likely(user_words_are_in_stack(k_cpu.current, (uintptr_t)args, sizeof(*args)))) {
		ARCH_USER_OPEN();
		*kept = *args;
		ARCH_USER_CLOSE();
	} else {
		user_copy_in(kept, args, sizeof(*kept));
	}
}

/*
 * May the caller create a thread in that block, on that stack? What nobody allocated is found at
 * once. Masked.
 */
static inline struct object_entry *usable_block(const struct k_thread *block)
{
	const size_t tag_offset = OBJECT_TAG_OFFSET(struct k_thread);

	if (likely(object_is_usable_masked(block, tag_offset, K_OBJ_THREAD | OBJECT_NOT_READY))) {
		return &object_table[object_index_at((uintptr_t)block + tag_offset)];
	}
	return user_usable_block(block);
}

static inline struct object_entry *usable_stack(const char *stack, size_t size)
{
	if (likely(object_is_usable_masked(stack, 0, K_OBJ_THREAD_STACK_ELEMENT))) {
		struct object_entry *entry = &object_table[object_index_at((uintptr_t)stack)];

		return size <= entry->size && size >= ARCH_STACK_MIN ? entry : NULL;
	}
	return user_usable_stack(stack, size);
}

/*
 * All but started. Both are known, so their entries say that they are in use, and their tags for
 * when they are no more. Returns as begin_rights() does.
 */
static inline uint32_t create_in(const struct thread_create_args *args, struct object_entry *block,
				 struct object_entry *stack)
{
	struct k_thread *thread = args->thread;
	struct k_object_tag *stack_tag = (struct k_object_tag *)(uintptr_t)args->stack;

	thread_fill_user(thread, args->stack + ARCH_USER_STACK_RESERVED, args->size, args->prio,
			 args->options);
	thread->user.domain = k_cpu.current->user.domain;
	thread->object_tag.is_ready = 1;
	stack_tag->is_ready = 1;
	mark(stack, true, false);
	user_thread_make(thread, &args->begins);
	return begin_rights(thread, block, K_USER | (args->options & K_INHERIT_PERMS));
}

/*
 * Its rights to allocated objects, before it may run. False: others have ended it, or started it,
 * meanwhile. Masked.
 */
static __noinline bool inherit_rights(const struct k_thread *thread, uint32_t heir,
				      unsigned int *key)
{
	irq_unlock(*key);
	references_inherit(heir);
	*key = irq_lock();
	return generation_thread(heir) == thread && thread->state == K_THREAD_PRESTART;
}

/* Masked, so that neither block nor stack is another thread's before this one has it. */
k_tid_t verify_user_thread_create_packed(const struct thread_create_args *args)
{
	struct thread_create_args kept;
	struct object_entry *block, *stack;
	unsigned int key;
	uint32_t heir;

	copy_in_args(&kept, args);
	if ((kept.options & ~(uint32_t)K_INHERIT_PERMS) != K_USER ||
	    !is_permitted_prio(kept.prio)) {
		fatal_raise_at(K_ERR_KERNEL_OOPS, "a thread that the thread may not create",
			       kept.caller);
	}
	key = irq_lock();
	block = usable_block(kept.thread);
	stack = usable_stack(kept.stack, kept.size);
	if (unlikely(block == NULL || stack == NULL)) {
		irq_unlock(key);
		fatal_raise_at(K_ERR_KERNEL_OOPS, "a block or a stack that the thread may not use",
			       kept.caller);
	}
	heir = create_in(&kept, block, stack);
	if (unlikely(heir != GENERATION_NONE) && !inherit_rights(kept.thread, heir, &key)) {
		irq_unlock(key);
		return kept.thread;
	}
	if (unlikely(kept.delay.ticks != K_TICKS_FOREVER && kept.delay.ticks != 0)) {
		sched_arm_timeout(kept.thread, verify_timeout(kept.delay), 0);
	}
	irq_unlock(key);
	if (kept.delay.ticks == 0) {
		k_thread_start(kept.thread);
	}
	return kept.thread;
}

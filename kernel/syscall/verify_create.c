/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system call by which a user thread makes another, in steps: block and stack are looked at and
 * taken, masked, so that neither is another thread's; they are filled, with interrupts open; the
 * thread is known; and it gets its creator's rights. Until then it is one that has ended, for
 * whoever names it, so nobody ends, starts or suspends it; and its block's tag says that it is
 * taken. It is known before it has a right, since an object that goes meanwhile is taken from those
 * who are. Whoever ends the caller in between waits until all is done, so nothing that was taken is
 * left.
 */
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "kernel/access/thread_rights.h"
#include "kernel/syscall/user_entry.h"
#include "kernel/access/user_range.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/thread_create.h"

/* What user_side.c has packed, most often onto its caller's stack: there it is read as it lies. */
/*@ requires thread_is_sound(k_cpu.current) && \valid(kept);
  @ requires \separated(kept, args, k_cpu.current);
  @ requires stack_has(k_cpu.current, (uintptr_t)args, sizeof(*args)) ==> \valid_read(args);
  @ ensures user_may_touch{Pre}(\at(k_cpu.current, Pre), (uintptr_t)args, sizeof(*args),
  @   (boolean)0);
  @ ensures (uintptr_t)args % sizeof(uintptr_t) == 0 &&
  @   stack_has{Pre}(\at(k_cpu.current, Pre), (uintptr_t)args, sizeof(*args)) ==>
  @   kept->thread == \old(args->thread) && kept->stack == \old(args->stack) &&
  @   kept->size == \old(args->size) && kept->prio == \old(args->prio) &&
  @   kept->options == \old(args->options) && kept->caller == \old(args->caller) &&
  @   kept->delay == \old(args->delay);
  @*/
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
/*@ predicate block_is_free{L}(struct k_thread *block) =
  @   is_there((void *)block, TAG_OF_THREAD, K_OBJ_THREAD + OBJECT_NOT_READY);
  @*/
/*@ requires \valid_read(k_cpu.current);
  @ requires block_is_free((struct k_thread *)block) ==> \valid_read(block);
  @ assigns \nothing;
  @ ensures \result != \null <==>
  @   block_is_free((struct k_thread *)block) && block->object_tag.is_ready == 0;
  @ ensures \result != \null ==>
  @   \result == &object_table[place_of((uintptr_t)block, TAG_OF_THREAD)];
  @*/
static inline struct object_entry *usable_block(const struct k_thread *block)
{
	const size_t tag_offset = OBJECT_TAG_OFFSET(struct k_thread);

	struct object_entry *entry =
		likely(object_is_usable_masked(block, tag_offset, K_OBJ_THREAD | OBJECT_NOT_READY))
			? &object_table[object_index_at((uintptr_t)block + tag_offset)]
			: user_usable_block(block);

	return likely(entry != NULL) && block->object_tag.is_ready == 0 ? entry : NULL;
}

/*@ requires \valid_read(k_cpu.current) && 0 <= (uintptr_t)stack <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result != \null <==> stack_is_there((char *)stack, size);
  @ ensures \result != \null ==> \result == &object_table[place_of((uintptr_t)stack, 0)];
  @*/
static inline struct object_entry *usable_stack(const char *stack, size_t size)
{
	if (likely(object_is_usable_masked(stack, 0, K_OBJ_THREAD_STACK_ELEMENT))) {
		struct object_entry *entry = &object_table[object_index_at((uintptr_t)stack)];

		return size <= entry->size && size >= ARCH_STACK_MIN ? entry : NULL;
	}
	return user_usable_stack(stack, size);
}

/* Both are known, so their entries say that they are in use, and their tags. Masked. */
static inline void take(const struct thread_create_args *args, struct object_entry *block,
			struct object_entry *stack)
{
	struct k_object_tag *stack_tag = (struct k_object_tag *)(uintptr_t)args->stack;

	args->thread->object_tag.is_ready = 1;
	stack_tag->is_ready = 1;
	mark_inhabited(block, false);
	mark_inhabited(stack, false);
}

static inline void fill_taken(const struct thread_create_args *args)
{
	struct k_thread *thread = args->thread;

	thread_fill_user(thread, args->stack + ARCH_USER_STACK_RESERVED, args->size, args->prio,
			 args->options);
	thread->user.domain = k_cpu.current->user.domain;
	user_thread_make(thread, &args->begins);
	begin_with_none(thread);
}

/* Known, and with a right to itself; in a step of its own. Masked. */
static inline void begin_life(struct k_thread *thread, unsigned int key)
{
	struct object_entry *block = object_entry_of_thread(thread);

	if (likely(block != NULL)) { /* NULL: kernel code has forgotten it meanwhile */
		mark_ready(block, true);
		grant_self(thread, block);
	}
	sched_traversal_window(key);
}

/* Its creator's rights, in steps. It is not PRESTART yet, so nobody ends or starts it. Masked. */
static __noinline void inherit_rights(struct k_thread *thread, unsigned int key)
{
	uint32_t heir = GENERATION_NONE;

	if (inherit_defined(thread)) {
		sched_traversal_window(key);
		heir = generation_of(thread);
	}
	sched_traversal_window(key);
	if (heir != GENERATION_NONE) {
		irq_unlock(key);
		references_inherit(heir);
		(void)irq_lock();
	}
}

k_tid_t verify_user_thread_create_packed(const struct thread_create_args *args)
{
	struct thread_create_args kept;
	struct object_entry *block, *stack;
	unsigned int key;

	copy_in_args(&kept, args);
	if ((kept.options & ~(uint32_t)K_INHERIT_PERMS) != K_USER ||
	    !is_permitted_prio(kept.prio)) {
		fatal_raise_at(K_ERR_KERNEL_OOPS, "a thread that the thread may not create",
			       kept.caller);
	}
	key = irq_lock();
	sched_traversal_finishes(true, key);
	sched_traversal_window(key);
	block = usable_block(kept.thread);
	stack = usable_stack(kept.stack, kept.size);
	if (unlikely(block == NULL || stack == NULL)) {
		sched_traversal_end(key);
		fatal_raise_at(K_ERR_KERNEL_OOPS, "a block or a stack that the thread may not use",
			       kept.caller);
	}
	take(&kept, block, stack);
	irq_unlock(key);
	fill_taken(&kept);
	(void)irq_lock();
	begin_life(kept.thread, key);
	if (unlikely((kept.options & K_INHERIT_PERMS) != 0)) {
		inherit_rights(kept.thread, key);
	}
	kept.thread->state = K_THREAD_PRESTART;
	if (unlikely(kept.delay.ticks != K_TICKS_FOREVER && kept.delay.ticks != 0)) {
		sched_arm_timeout(kept.thread, verify_timeout(kept.delay), 0);
	}
	sched_traversal_end(key);
	if (kept.delay.ticks == 0) {
		k_thread_start(kept.thread);
	}
	return kept.thread;
}

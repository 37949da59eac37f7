/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the life of a thread and of an object tells the boundary between user and kernel mode.
 * Nothing without CONFIG_USERSPACE: then each of these is a constant or nothing.
 */
#ifndef FOLIOT_KERNEL_USER_H
#define FOLIOT_KERNEL_USER_H

#include "kernel/base/kernel.h"
#include "kernel/base/user_stack.h"

/*
 * What a user thread begins with; lies at the top of the stack of its system calls. The host asks
 * of its size.
 */
struct user_entry {
	k_thread_entry_t entry;
	void *p1, *p2, *p3;
};

/*
 * The bytes that a traversal of copies has found to be a user thread's own: so long as no thread's
 * memory changes (user_memory_changes) they need not be looked at once more. {0}: none yet.
 */
struct user_known {
	uintptr_t since;
	uintptr_t start;
	size_t size;
};

#ifdef CONFIG_USERSPACE

#include <foliot/user.h>
#include <foliot/mem_domain.h>
#include "kernel/base/thread_marks.h"

/* Before anything else of the kernel: partitions of the application, the port's regions. */
void user_start(void);

/* Is it a user's, or one with rights from its beginning? Then it is made out of line. */
static inline bool user_has_rights(uint32_t options)
{
	return (options & (K_USER | K_INHERIT_PERMS)) != 0;
}

/* May k_thread_create() make such a thread? */
bool user_thread_fits(const struct k_thread *thread, const char *stack, uint32_t options);

/* Before the first thread is created, which is its own creator. */
static inline void user_first(struct k_thread *thread)
{
	thread->user.domain = &k_mem_domain_default;
}

/* The rest for a user thread: the way to user mode, in place of its entry. */
void user_thread_made(struct k_thread *thread, const struct user_entry *entry);

/*
 * Created, all but started: rights of its own, none or its creator's; its creator's domain. Its
 * memory may have been anything. True: user_thread_known() is next. Its end, interrupts masked, is
 * thread_marks.h's: the same whatever it had access to, allocated objects apart.
 */
static inline bool user_thread_created(struct k_thread *thread, size_t reserved)
{
	thread->user.domain = k_cpu.current->user.domain;
	return user_access_created(thread, reserved);
}

/*
 * `thread` is about to end: its rights to allocated objects go, one in a step, if it has any: what
 * stands there in a block that nobody knows are none. As sched_traversal_of_end().
 */
bool user_rights_end(struct k_thread *thread, unsigned int key);
/*
 * `thread` ends, and is in no call any more: one of the allocated objects that it named last or
 * polls is no more referred to by it. What it polls stands on its stack, which has to be its own
 * still. False: there is none. Masked.
 */
bool user_names_end(struct k_thread *thread);

static inline bool user_thread_ends(struct k_thread *thread, unsigned int key)
{
	return unlikely(thread->user.may_refer != 0) && arch_may_switch(key) &&
	       user_rights_end(thread, key);
}

/* Objects that nobody refers to any more are freed. Thread; nothing with interrupts masked. */
static inline void user_reap(void)
{
	extern bool user_has_orphans;
	void references_reap(void);

	if (unlikely(user_has_orphans)) {
		references_reap();
	}
}

/*
 * Copy `bytes` between the kernel's memory and that of `user`, a thread in a system call; `side`
 * says which is which. In steps, each checked against the thread's regions with interrupts masked.
 * Returns false at the first that it may not touch. Context: either.
 */
bool user_copy_message(const struct k_thread *user, void *to, const void *from, size_t bytes,
		       unsigned int side);
/*
 * For copies in steps: look whether all bytes that are left, at `address`, are those of `user`, a
 * thread in a system call, or as many as any step copies: those are known then. False: they are
 * not. A step of its own. Interrupts masked.
 */
bool user_know(struct user_known *known, const struct k_thread *user, uintptr_t address,
	       size_t left, bool write);

/*
 * Counts what may have taken memory from a thread: changes of partitions, and of threads' domains.
 * Never 0.
 */
extern uintptr_t user_memory_changes;

/* Are they known? Interrupts masked until they are copied. */
/*@ requires \valid_read(known) && known->start + known->size <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result <==> known->since == user_memory_changes && known->start <= address &&
  @   address + bytes <= known->start + known->size;
  @*/
static inline bool user_is_known(const struct user_known *known, uintptr_t address, size_t bytes)
{
	uintptr_t offset = address - known->start;

	return likely(known->since == user_memory_changes) && bytes <= known->size &&
	       offset <= known->size - bytes;
}

/* The running thread's buffer was not its own, or is no longer. */
void user_message_fault(void) __attribute__((noreturn));

/*
 * A stack of the pool is to be the running thread's: `size` bytes of memory. Returns it; NULL: no
 * entry, and it went back. Masked; restores key.
 */
k_thread_stack_t *user_stack_allocated(k_thread_stack_t *stack, size_t size, unsigned int key);
/* Returns 0, and it is freed; -EINVAL: it is none such; -EBUSY: a thread lives on it. */
int user_stack_free(k_thread_stack_t *stack);

/* Switched to, interrupts masked. Other threads than users' need nothing. */
static inline void user_switch(struct k_thread *in)
{
	if (!IS_ENABLED(CONFIG_ARCH_USER_LOADS_LATE) && (in->options & K_USER) != 0) {
		arch_user_switch(in);
	}
}

/* What it may touch has changed; masked. */
static inline void user_moved(struct k_thread *thread)
{
	bool is_now = IS_ENABLED(CONFIG_ARCH_USER_LOADS_LATE) || thread == k_cpu.current;

	if (is_now && (thread->options & K_USER) != 0) {
		arch_user_switch(thread);
	}
}

/*
 * An object was initialised, anew perhaps; interrupts as they are. What is written over it in
 * between may not take its index, so that is kept.
 */
void user_object_ready(const void *object, struct k_object_tag *tag, uint16_t index);

#define user_init_begin(object) const uint16_t saved_index_ = (object)->object_tag.index
#define user_init_end(object)   user_object_ready((object), &(object)->object_tag, saved_index_)

/* The running thread is a user's: what goes wrong is its own matter, not the run's. */
static inline bool user_is_running(void)
{
	return k_cpu.current != NULL && (k_cpu.current->options & K_USER) != 0;
}

#else

#define user_init_begin(object) ((void)0)
#define user_init_end(object)   ((void)0)

static inline void user_start(void)
{
}

static inline void user_first(struct k_thread *thread)
{
}

static inline bool user_has_rights(uint32_t options)
{
	return false;
}

static inline bool user_thread_fits(const struct k_thread *thread, const char *stack,
				    uint32_t options)
{
	return true;
}

static inline bool user_thread_created(struct k_thread *thread, size_t reserved)
{
	return false;
}

static inline void user_thread_made(struct k_thread *thread, const struct user_entry *entry)
{
}

static inline void user_thread_known(struct k_thread *thread)
{
}

static inline bool user_thread_ends(struct k_thread *thread, unsigned int key)
{
	return false;
}

static inline bool user_names_end(struct k_thread *thread)
{
	return false;
}

static inline bool user_thread_ended(struct k_thread *thread)
{
	return false;
}

static inline void user_thread_known_ended(struct k_thread *thread)
{
}

static inline void user_stack_ends(struct k_thread *thread)
{
}

static inline void user_switch(struct k_thread *in)
{
}

static inline void user_reap(void)
{
}

static inline bool user_copy_message(const struct k_thread *user, void *to, const void *from,
				     size_t bytes, unsigned int side)
{
	return false; /* nobody asks: there are no user threads */
}

static inline bool user_know(struct user_known *known, const struct k_thread *user,
			     uintptr_t address, size_t left, bool write)
{
	return false;
}

static inline bool user_is_known(const struct user_known *known, uintptr_t address, size_t bytes)
{
	return false;
}

static inline void user_message_fault(void)
{
}

static inline k_thread_stack_t *user_stack_allocated(k_thread_stack_t *stack, size_t size,
						     unsigned int key)
{
	arch_irq_unlock(key);
	return stack;
}

static inline int user_stack_free(k_thread_stack_t *stack)
{
	return 0;
}

static inline bool user_is_running(void)
{
	return false;
}

#endif

#endif /* FOLIOT_KERNEL_USER_H */

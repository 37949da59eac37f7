/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What memory a user thread may name in a call: its stack, its domain's partitions, and, to be
 * read, code and constants. Checked and copied in one, with interrupts masked: what was checked
 * cannot be taken away before it is used.
 */
#include "kernel/access/object_rights.h"
#include "kernel/access/domain.h"
#include "kernel/hooks/user.h"
#include "kernel/access/user_range.h"

/*@ requires thread_is_sound(thread);
  @ assigns \nothing;
  @ ensures \result <==> user_may_touch(thread, (uintptr_t)address, bytes, (boolean)write);
  @*/
static bool may_access(const struct k_thread *thread, const void *address, size_t bytes, bool write)
{
	uint32_t needed = write ? K_MEM_PARTITION_WRITE_ : K_MEM_PARTITION_READ_;

	if (likely(user_range_is_own(thread, (uintptr_t)address, bytes, needed))) {
		return true;
	}
	return !write && arch_user_constant((uintptr_t)address, bytes);
}

bool user_may_access(const void *address, size_t bytes, bool write)
{
	return may_access(k_cpu.current, address, bytes, write);
}

/* As a number: what a user passed as a pointer may be none, and wrap. */
static void *at_offset(const void *start, size_t offset)
{
	return (void *)((uintptr_t)start + offset);
}

/* One step. Masked from the look to the last byte. */
/*@ requires thread_is_sound(user);
  @ assigns ((char *)to)[0 .. bytes - 1];
  @ ensures \result ==> user_may_touch{Pre}(user, side == ARCH_COPY_TO ? (uintptr_t)to
  @   : (uintptr_t)from, bytes, (boolean)(side == ARCH_COPY_TO));
  @ ensures \result ==> was_copied(side, (uintptr_t)to, (uintptr_t)from, bytes);
  @*/
static inline bool copy_step(const struct k_thread *user, void *to, const void *from, size_t bytes,
			     unsigned int side)
{
	const bool write = side == ARCH_COPY_TO;
	unsigned int key = irq_lock();
	bool done = may_access(user, write ? to : from, bytes, write) &&
		    arch_copy_guarded(to, from, bytes, side) == ARCH_COPY_DONE;

	irq_unlock(key);
	return done;
}

/*@ requires thread_is_sound(user) && USER_COPY_MAX < bytes <= INT32_MAX;
  @ assigns ((char *)to)[0 .. bytes - 1];
  @ ensures \result && side == ARCH_COPY_TO ==>
  @   steps_may_be_touched{Pre}(user, (uintptr_t)to, bytes, (boolean)1);
  @ ensures \result && side != ARCH_COPY_TO ==>
  @   steps_may_be_touched{Pre}(user, (uintptr_t)from, bytes, (boolean)0);
  @*/
static __noinline bool copy_in_steps(const struct k_thread *user, void *to, const void *from,
				     size_t bytes, unsigned int side)
{
	bool done = true;

	/*@ loop invariant 0 <= at && at % USER_COPY_MAX == 0;
	  @ loop invariant done && side == ARCH_COPY_TO ==> \forall integer i;
	  @   0 <= i < at && i < bytes && i % USER_COPY_MAX == 0 ==> user_may_touch{Pre}(user,
	  @     (uintptr_t)((uintptr_t)to + i), MIN(bytes - i, USER_COPY_MAX), (boolean)1);
	  @ loop invariant done && side != ARCH_COPY_TO ==> \forall integer i;
	  @   0 <= i < at && i < bytes && i % USER_COPY_MAX == 0 ==> user_may_touch{Pre}(user,
	  @     (uintptr_t)((uintptr_t)from + i), MIN(bytes - i, USER_COPY_MAX), (boolean)0);
	  @ loop assigns at, done, ((char *)to)[0 .. bytes - 1];
	  @ loop variant bytes - at;
	  @*/
	/* Bound: B / USER_COPY_MAX + 1. */
	for (size_t at = 0; at < bytes && done; at += USER_COPY_MAX) {
		done = copy_step(user, at_offset(to, at), at_offset(from, at),
				 MIN(bytes - at, USER_COPY_MAX), side);
	}
	return done;
}

/*@ requires thread_is_sound(user) && bytes <= INT32_MAX;
  @ assigns ((char *)to)[0 .. bytes - 1];
  @ ensures \result && side == ARCH_COPY_TO ==>
  @   steps_may_be_touched{Pre}(user, (uintptr_t)to, bytes, (boolean)1);
  @ ensures \result && side != ARCH_COPY_TO ==>
  @   steps_may_be_touched{Pre}(user, (uintptr_t)from, bytes, (boolean)0);
  @*/
bool user_copy_message(const struct k_thread *user, void *to, const void *from, size_t bytes,
		       unsigned int side)
{
	return likely(bytes <= USER_COPY_MAX) ? copy_step(user, to, from, bytes, side)
					      : copy_in_steps(user, to, from, bytes, side);
}

/*@ requires thread_is_sound(user) && \valid(known) && \separated(known, user, user->user.domain);
  @ assigns *known;
  @ ensures \result ==> known->start == address && known->since == user_memory_changes &&
  @   (known->size == left || known->size == \min(left, USER_COPY_MAX));
  @ ensures \result ==> user_may_touch(user, address, known->size, (boolean)write);
  @ ensures \result <==> user_may_touch(user, address, left, (boolean)write) ||
  @   user_may_touch(user, address, \min(left, USER_COPY_MAX), (boolean)write);
  @ ensures user_may_touch(user, address, left, (boolean)write) ==> known->size == left;
  @*/
bool user_know(struct user_known *known, const struct k_thread *user, uintptr_t address,
	       size_t left, bool write)
{
	if (!may_access(user, (const void *)address, left, write)) {
		const size_t next = MIN(left, USER_COPY_MAX);

		if (!may_access(user, (const void *)address, next, write)) {
			return false;
		}
		left = next;
	}
	*known = (struct user_known){user_memory_changes, address, left};
	return true;
}

void user_message_fault(void)
{
	user_violation("a message's buffer that is not the thread's");
}

void user_verify_readable(const void *address, size_t bytes)
{
	unsigned int key = irq_lock();
	bool may = user_may_access(address, bytes, false);

	irq_unlock(key);
	if (!may) {
		/*@ assert !user_may_touch(k_cpu.current, (uintptr_t)address, bytes, (boolean)0); */
		user_violation("memory that the thread may not read");
	}
}

void user_verify_writable(const void *address, size_t bytes)
{
	unsigned int key = irq_lock();
	bool may = user_may_access(address, bytes, true);

	irq_unlock(key);
	if (!may) {
		/*@ assert !user_may_touch(k_cpu.current, (uintptr_t)address, bytes, (boolean)1); */
		user_violation("memory that the thread may not write");
	}
}

void user_copy_in(void *to, const void *user, size_t bytes)
{
	unsigned int key = irq_lock();
	bool done = user_may_access(user, bytes, false) &&
		    arch_copy_guarded(to, user, bytes, ARCH_COPY_FROM) == ARCH_COPY_DONE;

	irq_unlock(key);
	if (!done) {
		user_violation("memory that the thread may not read");
	}
}

void user_copy_out(void *user, const void *from, size_t bytes)
{
	unsigned int key = irq_lock();
	bool done = user_may_access(user, bytes, true) &&
		    arch_copy_guarded(user, from, bytes, ARCH_COPY_TO) == ARCH_COPY_DONE;

	irq_unlock(key);
	if (!done) {
		user_violation("memory that the thread may not write");
	}
}

bool user_try_copy_in(void *to, const void *user, size_t bytes)
{
	return user_copy_message(k_cpu.current, to, user, bytes, ARCH_COPY_FROM);
}

bool user_try_copy_out(void *user, const void *from, size_t bytes)
{
	return user_copy_message(k_cpu.current, user, from, bytes, ARCH_COPY_TO);
}

void user_copy_out_steps(void *user, const void *from, size_t bytes)
{
	if (!user_try_copy_out(user, from, bytes)) {
		user_violation("memory that the thread may not write");
	}
}

int user_copy_string(char *to, const char *user, size_t size)
{
	/*@ loop invariant 0 <= i <= size;
	  @ loop invariant \forall integer j; 0 <= j < i ==> user_may_touch{Pre}(
	  @   \at(k_cpu.current, Pre), (uintptr_t)((uintptr_t)user + j), 1, (boolean)0);
	  @ loop assigns i, to[0 .. size - 1];
	  @ loop variant size - i;
	  @*/
	/* Bound: B. */
	for (size_t i = 0; i < size; i++) {
		if (!user_try_copy_in(&to[i], at_offset(user, i), 1)) {
			return -EFAULT;
		}
		if (to[i] == '\0') {
			return (int)i;
		}
	}
	return -EINVAL;
}

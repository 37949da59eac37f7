/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What memory is a user thread's own, inline: its stack, or wholly in one partition of its domain.
 */
#ifndef FOLIOT_KERNEL_USER_RANGE_H
#define FOLIOT_KERNEL_USER_RANGE_H

#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>

/*@ predicate range_lies_in(integer address, integer bytes, integer start, integer size) =
  @   start <= address && address + bytes <= start + size;
  @*/
/*@ requires start + size <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result <==> range_lies_in(address, bytes, start, size);
  @*/
static inline bool user_range_lies_in(uintptr_t address, size_t bytes, uintptr_t start, size_t size)
{
	uintptr_t offset = address - start;

	return offset <= size && bytes <= size - offset;
}

/*
 * Words in its stack, where they belong: memory that it may read and write, and that is really
 * there.
 */
/*@ requires \valid_read(thread);
  @ requires (uintptr_t)thread->stack_start + thread->stack_size <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result <==> address % sizeof(uintptr_t) == 0 &&
  @   range_lies_in(address, bytes, (uintptr_t)thread->stack_start, thread->stack_size);
  @*/
static inline bool user_words_are_in_stack(const struct k_thread *thread, uintptr_t address,
					   size_t bytes)
{
	return address % sizeof(uintptr_t) == 0 &&
	       user_range_lies_in(address, bytes, (uintptr_t)thread->stack_start,
				  thread->stack_size);
}

/*
 * May `thread` do what `needed` says (K_MEM_PARTITION_WRITE_, K_MEM_PARTITION_READ_)? Masked, or it
 * may be old.
 */
/*@ predicate stack_has{L}(struct k_thread *thread, integer address, integer bytes) =
  @   range_lies_in(address, bytes, (uintptr_t)thread->stack_start, thread->stack_size);
  @ predicate domain_allows{L}(struct k_mem_domain *domain, integer address, integer bytes,
  @                            integer needed, integer n) =
  @   \exists integer i; 0 <= i < n && (domain->partitions[i].attr & needed) != 0 &&
  @     range_lies_in(address, bytes, domain->partitions[i].start, domain->partitions[i].size);
  @ predicate thread_is_sound{L}(struct k_thread *thread) =
  @   \valid_read(thread) && domain_is_sound(thread->user.domain) &&
  @   is_range((uintptr_t)thread->stack_start, thread->stack_size);
  @ predicate user_owns{L}(struct k_thread *thread, integer address, integer bytes,
  @                        integer needed) =
  @   stack_has(thread, address, bytes) ||
  @   domain_allows(thread->user.domain, address, bytes, needed,
  @                 thread->user.domain->num_partitions);
  @*/
/*@ requires thread_is_sound(thread);
  @ assigns \nothing;
  @ ensures \result <==> user_owns(thread, address, bytes, needed);
  @*/
static inline bool user_range_is_own(const struct k_thread *thread, uintptr_t address, size_t bytes,
				     uint32_t needed)
{
	const struct k_mem_domain *domain = thread->user.domain;

	if (likely(user_range_lies_in(address, bytes, (uintptr_t)thread->stack_start,
				      thread->stack_size))) {
		return true;
	}
	/*@ loop invariant 0 <= i <= domain->num_partitions;
	  @ loop invariant !domain_allows(domain, address, bytes, needed, i);
	  @ loop assigns i;
	  @ loop variant domain->num_partitions - i;
	  @*/
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		const struct k_mem_partition *part = &domain->partitions[i];

		if ((part->attr & needed) != 0 &&
		    user_range_lies_in(address, bytes, part->start, part->size)) {
			return true;
		}
	}
	return false;
}

#endif /* FOLIOT_KERNEL_USER_RANGE_H */

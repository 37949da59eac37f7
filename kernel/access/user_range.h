/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What memory is a user thread's own, inline: its stack, or wholly in one partition of its domain.
 */
#ifndef FOLIOT_KERNEL_USER_RANGE_H
#define FOLIOT_KERNEL_USER_RANGE_H

#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>

static inline bool user_range_lies_in(uintptr_t address, size_t bytes, uintptr_t start, size_t size)
{
	uintptr_t offset = address - start;

	return offset <= size && bytes <= size - offset;
}

/*
 * Words in its stack, where they belong: memory that it may read and write, and that is really
 * there.
 */
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
static inline bool user_range_is_own(const struct k_thread *thread, uintptr_t address, size_t bytes,
				     uint32_t needed)
{
	const struct k_mem_domain *domain = thread->user.domain;

	if (likely(user_range_lies_in(address, bytes, (uintptr_t)thread->stack_start,
				      thread->stack_size))) {
		return true;
	}
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

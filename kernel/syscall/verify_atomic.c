/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System call: an atomic operation, for a core that has no instructions for it. The word lies in
 * the user's memory; that it may be written, and the operation, are one step. Elsewhere the file is
 * empty.
 */
#include "kernel/syscall/verify.h"
#include "kernel/hooks/user.h"

#if __GCC_ATOMIC_LONG_LOCK_FREE != 2
atomic_val_t verify_k_atomic_update_(atomic_t *target, atomic_val_t value, unsigned int operation,
				     atomic_val_t expected)
{
	atomic_val_t old = 0;
	atomic_val_t word = 0;
	unsigned int key = irq_lock();
	bool done = (uintptr_t)target % sizeof(*target) == 0 &&
		    user_may_access(target, sizeof(*target), true) &&
		    arch_copy_guarded(&word, target, sizeof(word), ARCH_COPY_FROM) ==
			    ARCH_COPY_DONE;

	if (done) {
		old = atomic_masked_(&word, value, operation, expected);
		done = arch_copy_guarded(target, &word, sizeof(word), ARCH_COPY_TO) ==
		       ARCH_COPY_DONE;
	}
	irq_unlock(key);
	if (!done) {
		user_violation("memory that the thread may not write");
	}
	return old;
}
#endif

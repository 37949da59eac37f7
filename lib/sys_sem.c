/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sys_sem among user threads: a count in the application's memory. Nobody else writes there for
 * them, so a token that is there costs a user thread no more than changing a word; who finds none
 * waits at that word, as a futex. All of it may be forged by who shares the memory, and whoever
 * calls comes back from that: a kernel thread, too.
 */
#include <zephyr/sys/sem.h>

#ifdef CONFIG_USERSPACE

int sys_sem_init(struct sys_sem *sem, unsigned int initial, unsigned int limit)
{
	if (limit == 0 || limit > INT32_MAX || initial > limit) {
		return -EINVAL;
	}
	sem->limit = (int)limit;
	(void)atomic_set(&sem->futex.val, (atomic_val_t)initial);
	return 0;
}

int sys_sem_give(struct sys_sem *sem)
{
	atomic_val_t count;

	do { /* Bound: as often as others change it in between. */
		count = atomic_get(&sem->futex.val);
		if (count >= sem->limit) {
			return -EAGAIN;
		}
	} while (!atomic_cas(&sem->futex.val, count, count + 1));
	(void)k_futex_wake(&sem->futex, false);
	return 0;
}

/* Returns 0; -EBUSY: there is none; -EINVAL: no count that anybody has made here. */
static int take_what_is_there(struct sys_sem *sem)
{
	atomic_val_t count;

	do { /* Bound: as often as others change it in between. */
		count = atomic_get(&sem->futex.val);
		if (count <= 0) {
			return count == 0 ? -EBUSY : -EINVAL;
		}
	} while (!atomic_cas(&sem->futex.val, count, count - 1));
	return 0;
}

int sys_sem_take(struct sys_sem *sem, k_timeout_t timeout)
{
	k_timepoint_t end = sys_timepoint_calc(timeout);
	int result = take_what_is_there(sem);

	/* Bound: as often as others take what it was woken for. */
	while (result == -EBUSY) {
		result = k_futex_wait(&sem->futex, 0, sys_timepoint_timeout(end));
		if (result == -EAGAIN && !k_is_user_context() && k_is_in_isr()) {
			return result; /* a misuse: it would have had to wait */
		}
		if (result == 0 || result == -EAGAIN) {
			result = take_what_is_there(sem);
		}
	}
	return result;
}

unsigned int sys_sem_count_get(struct sys_sem *sem)
{
	return (unsigned int)atomic_get(&sem->futex.val);
}

#endif

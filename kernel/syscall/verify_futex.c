/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls: futexes. No objects: whoever may read the word may wait at it, who may write it may
 * wake.
 */
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "kernel/objects/futex.h"
#include "kernel/sched/sched.h"

/*@ predicate may_wait{L}(integer futex) =
  @   user_may_touch(k_cpu.current, futex, sizeof(struct k_futex), (boolean)0);
  @*/
/*@ requires caller_is_sound;
  @ ensures \result == -EINVAL || \result == -EACCES || may_wait{Pre}((uintptr_t)futex);
  @ ensures \result == -EINVAL || (uintptr_t)futex % sizeof(futex->val) == 0;
  @ ensures (uintptr_t)futex % sizeof(futex->val) != 0 ==> \result == -EINVAL;
  @ ensures \result == -EINVAL || \result == -EACCES ||
  @   \result == (word_seen == expected ? answered : -EAGAIN);
  @*/
int verify_k_futex_wait(struct k_futex *futex, int expected, k_timeout_t timeout)
{
	unsigned int key;
	uint32_t begun;
	atomic_t value;
	bool is_armed;
	int result;

	K_SYSCALL_NARROW(expected);
	timeout = verify_timeout(timeout);
	is_armed = timeout.ticks == K_TICKS_FOREVER;
	if (!futex_is_aligned(futex)) {
		return -EINVAL;
	}
	/*@ loop invariant futex == \at(futex, Pre) && is_wait(timeout.ticks) && caller_is_sound;
	  @ loop invariant expected == \at(expected, Pre);
	  @ loop invariant may_wait((uintptr_t)futex) ==> may_wait{Pre}((uintptr_t)futex);
	  @*/
	/* Bound: D, the calls of others that wake between the word and the wait. */
	for (;;) {
		begun = futex_wakes_now();
		/*@ ghost moment_of_word = moment; */
		if (!user_try_copy_in(&value, futex, sizeof(value))) {
			result = -EACCES;
			break;
		}
		/*@ ghost word_seen = value; */
		if (value != (atomic_t)expected) {
			result = -EAGAIN;
			break;
		}
		key = arch_irq_lock();
		if (!is_armed) {
			is_armed = true;
			(void)sched_arm_first(timeout, -ETIMEDOUT, key);
		}
		if (likely(futex_wakes_now() == begun)) {
			return futex_wait(futex, timeout, key);
		}
		arch_irq_unlock(key);
	}
	key = arch_irq_lock();
	sched_disarm();
	arch_irq_unlock(key);
	return result;
}

/*@ requires thread_is_sound(k_cpu.current);
  @ ensures \result != -EACCES ==>
  @   user_may_touch{Pre}(\at(k_cpu.current, Pre), (uintptr_t)futex, sizeof(*futex), (boolean)1);
  @*/
int verify_k_futex_wake(struct k_futex *futex, bool wake_all)
{
	unsigned int key = irq_lock();
	bool may = user_may_access(futex, sizeof(*futex), true);

	irq_unlock(key);
	return may ? k_futex_wake(futex, wake_all) : -EACCES;
}

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Futexes: words in memory that threads wait at. The word is the application's own, in a user
 * thread's partition as well as in kernel code's memory; the kernel holds nothing of it but those
 * who wait.
 */
#ifndef FOLIOT_FUTEX_H
#define FOLIOT_FUTEX_H

#include <foliot/time.h>
#include <zephyr/sys/atomic.h>

/** A word that threads wait at; all zero or ATOMIC_INIT() initialise it. */
struct k_futex {
	atomic_t val; /**< changed by atomic operations */
};

/**
 * Wait at a futex until it is woken, if its value is `expected`: looked at and waited for in one
 * step. Whoever is woken looks at the value again.
 * Returns 0; -EAGAIN: the value is another one, or called from an ISR that would have had to wait
 * (asserted: blocking-call-in-isr); -ETIMEDOUT: nobody came in time, or K_NO_WAIT; -EINVAL: not
 * aligned; -EACCES: by a user thread, which may not read there.
 * Context: thread.
 */
int k_futex_wait(struct k_futex *futex, int expected, k_timeout_t timeout);

/**
 * Wake the most urgent thread that waits at a futex, the first among equals, or all of them.
 * Returns how many were woken; -EINVAL: not aligned; -EACCES: by a user thread, which may not write
 * there.
 * Context: either.
 */
int k_futex_wake(struct k_futex *futex, bool wake_all);

#endif /* FOLIOT_FUTEX_H */

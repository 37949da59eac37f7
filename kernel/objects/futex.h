/* SPDX-License-Identifier: Apache-2.0 */
/* Futexes, as verifiers see them. */
#ifndef FOLIOT_KERNEL_FUTEX_H
#define FOLIOT_KERNEL_FUTEX_H

#include "kernel/base/kernel.h"

static inline bool futex_is_aligned(const struct k_futex *futex)
{
	return (uintptr_t)futex % sizeof(futex->val) == 0;
}

/*
 * Calls that wake. Who changes a futex's value wakes those who wait for that behind it. So to wait
 * is right where none has come since the value was read, and reading it is a step of its own.
 */
extern uint32_t futex_wakes;

static inline uint32_t futex_wakes_now(void)
{
	return *(const volatile uint32_t *)&futex_wakes;
}

/* k_futex_wait() from where its value was found as expected, masked; restores key. */
int futex_wait(const struct k_futex *futex, k_timeout_t timeout, unsigned int key);

#endif /* FOLIOT_KERNEL_FUTEX_H */

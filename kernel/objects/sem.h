/* SPDX-License-Identifier: Apache-2.0 */
/* What a semaphore is to the boundary of user mode (kernel/syscall). */
#ifndef FOLIOT_KERNEL_SEM_H
#define FOLIOT_KERNEL_SEM_H

#include "kernel/base/kernel.h"

/*
 * k_sem_init() of one that is in use: who waits is told -EAGAIN, as by k_sem_reset(), and no list
 * is forgotten. Returns as k_sem_init(). Restores key.
 */
int sem_init_again(struct k_sem *sem, unsigned int initial, unsigned int limit, unsigned int key);

#endif /* FOLIOT_KERNEL_SEM_H */

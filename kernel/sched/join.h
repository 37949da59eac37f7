/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the end of a thread tells those who join it. As inherit.h's: a program in which nobody
 * joins, and nothing walks, does not carry it. Interrupts masked.
 */
#ifndef FOLIOT_KERNEL_JOIN_H
#define FOLIOT_KERNEL_JOIN_H

#include "kernel/base/kernel.h"

/* The caller waits until `thread` has ended; restores key. */
int join_wait(struct k_thread *thread, k_timeout_t timeout, unsigned int key);

/*
 * `thread` is about to end and has joiners: all of them are woken, in a traversal, which goes on.
 * Until then nobody makes another thread of its block, however many steps it takes. True: another
 * thread has ended it meanwhile, the traversal is over, and key restored.
 */
bool join_wake_all(struct k_thread *thread, unsigned int key) __attribute__((weak));

#endif /* FOLIOT_KERNEL_JOIN_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduler tells of threads to priority inheritance (objects/inherit.c). The
 * functions are weak: a program that uses no mutex does not carry them, since the kernel is
 * linked from an archive, and they are called only where a mutex is involved. Interrupts
 * masked; where there is a key, they are let in after each step if the call began with them open.
 */
#ifndef FOLIOT_KERNEL_INHERIT_H
#define FOLIOT_KERNEL_INHERIT_H

#include "kernel/base/kernel.h"

/* `thread` has left `wait_q`, a mutex's, or its place there, for whatever reason. */
void inherit_waiter_moved(_wait_q_t *wait_q) __attribute__((weak));

/* The priority `thread` is entitled to: its own or an inherited one. */
int inherit_effective_prio(const struct k_thread *thread) __attribute__((weak));

/* `thread`, which sched_lends_or_inherits(), gets the base priority `prio`. Restores key. */
void inherit_prio_set(struct k_thread *thread, int prio, unsigned int key) __attribute__((weak));

/* `thread` is about to end, in a traversal: waiters for its mutexes are told, in steps. */
void inherit_owner_ends(struct k_thread *thread, unsigned int key) __attribute__((weak));
/* The same of the running thread, and before that whose call it serves. */
void inherit_own_end(struct k_thread *thread, unsigned int key) __attribute__((weak));
/* One that ends waits in `lent` no longer, a mutex's: who inherited from it falls. */
void inherit_lent(_wait_q_t *lent, unsigned int key) __attribute__((weak));
/* It has ended: who waits for its mutexes is told. In steps, unless it is the running one. */
void inherit_thread_ended(struct k_thread *thread, unsigned int key) __attribute__((weak));

#endif /* FOLIOT_KERNEL_INHERIT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduler tells of threads to priority inheritance (objects/mutex.c). The
 * functions are weak: a program that uses no mutex does not carry them, since the kernel is
 * linked from an archive, and they are called only where a mutex is involved. Interrupts
 * masked throughout.
 */
#ifndef FOLIOT_KERNEL_INHERIT_H
#define FOLIOT_KERNEL_INHERIT_H

#include "kernel/core/kernel.h"

/* `thread` has left `wait_q`, a mutex's, or its place there, for whatever reason. */
void inherit_waiter_moved(_wait_q_t *wait_q) __attribute__((weak));

/* The priority `thread` is entitled to: its own or an inherited one. */
int inherit_effective_prio(const struct k_thread *thread) __attribute__((weak));

/* `thread` ends, and holds mutexes that others wait for (k_thread.contended). */
void inherit_owner_ended(struct k_thread *thread) __attribute__((weak));

#endif /* FOLIOT_KERNEL_INHERIT_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of k_thread_create() that a user thread's creation has, too: what is written into the
 * block.
 */
#ifndef FOLIOT_KERNEL_THREAD_CREATE_H
#define FOLIOT_KERNEL_THREAD_CREATE_H

#include "kernel/base/kernel.h"

/*
 * A thread that has `size` bytes from `stack` on, all but PRESTART, without a domain, rights, marks
 * (thread_marks.h) and a frame to begin with, which are its caller's matter. What it is made of was
 * looked at. Context: either.
 */
void thread_fill_user(struct k_thread *thread, char *stack, size_t size, int prio,
		      uint32_t options);

#endif /* FOLIOT_KERNEL_THREAD_CREATE_H */

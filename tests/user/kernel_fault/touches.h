/* SPDX-License-Identifier: Apache-2.0 */
/* A system call that touches its caller's page without leave: see touches.c. */
#ifndef TESTS_USER_KERNEL_FAULT_TOUCHES_H
#define TESTS_USER_KERNEL_FAULT_TOUCHES_H

#include <foliot/kernel.h>

/* The system call; `how` as CONFIG_TOUCHES_USERS_PAGE. Context: thread. */
int touches(volatile unsigned char *byte, int how);
/* The thread's domain has the page. Context: thread, in kernel mode. */
void touches_prepare(k_tid_t thread);
/* Touches it by itself, which is its right, and then by the call. Context: thread, in user mode. */
void touches_as_user(void);

#endif /* TESTS_USER_KERNEL_FAULT_TOUCHES_H */

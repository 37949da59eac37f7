/* SPDX-License-Identifier: Apache-2.0 */
/* System calls of this program's own: one that takes an object, two that take memory. */
#ifndef TESTS_USER_OWN_CALLS_H
#define TESTS_USER_OWN_CALLS_H

#include <foliot/kernel.h>

/* Take one semaphore, then the other. Returns as k_sem_take(). Context: thread. */
int own_take(struct k_sem *first, struct k_sem *second, k_timeout_t timeout);
/* Returns the sum of `size` bytes, or -1: they are not to be read. Context: thread. */
int own_sum(const uint8_t *bytes, size_t size, int *also_here);
/* Returns a string's length, or what k_usermode_string_copy() returns. Context: thread. */
int own_length(const char *text);
/* Takes at least 48 bytes of the stack for each of `depth`: stacks.c. Context: thread. */
int own_deep(int depth);

#endif /* TESTS_USER_OWN_CALLS_H */

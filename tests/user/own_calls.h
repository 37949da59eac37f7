/* SPDX-License-Identifier: Apache-2.0 */
/* System calls of this program's own: one that takes objects, the others memory. */
#ifndef TESTS_USER_OWN_CALLS_H
#define TESTS_USER_OWN_CALLS_H

#include <foliot/kernel.h>

/* Take one semaphore, then the other. Returns as k_sem_take(). Context: thread. */
int own_take(struct k_sem *first, struct k_sem *second, k_timeout_t timeout);
/* Returns the sum of `size` bytes, or -1: they are not to be read. Context: thread. */
int own_sum(const uint8_t *bytes, size_t size, int *also_here);
/* Double up to four values. Returns `count`, or -EINVAL: too many. Context: thread. */
int own_double(int *values, size_t count);
/* Returns a string's length, or what k_usermode_string_copy() returns. Context: thread. */
int own_length(const char *text);

/* What own_asks() asks: a kind of object, or one of these. */
#define OWN_MAY_READ  1000U
#define OWN_MAY_WRITE 1001U
#define OWN_COPY_FROM 1002U /* 4 bytes, whatever `size` is */
#define OWN_COPY_TO   1003U

/*
 * Returns 1 where the caller may use `where`, an object of that kind or `size` bytes of memory; 0: it may
 * not. Context: thread.
 */
int own_asks(const void *where, size_t size, uintptr_t what);
/* x86-64: returns the kernel's flags in a system call. Context: thread. */
uintptr_t own_flags(void);

/* What own_deep() does at the bottom. */
enum own_bottom {
	OWN_RETURNS,
	OWN_SWITCHES,     /* to a thread as urgent as itself, if there is one */
	OWN_IS_PREEMPTED, /* or aborted: waits for an interrupt that does it */
};

/*
 * Take so much of the stack of system calls that at most `left` bytes of it are free, and less than
 * 200 more were; 0 or less: overflow it. Context: thread.
 */
int own_deep(int left, enum own_bottom then);
extern volatile bool own_is_at_bottom;

#endif /* TESTS_USER_OWN_CALLS_H */

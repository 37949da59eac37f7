/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user thread for each test. It leaves what it saw in `seen`, since checks are kernel mode's:
 * what CHECK() counts with is out of its reach.
 */
#ifndef TESTS_USER_USER_H
#define TESTS_USER_USER_H

#include "test.h"

#define USER_PRIO MAIN_PRIO

K_APPMEM_PARTITION_DECLARE(shared);

#define SEEN_MAX 8
extern volatile intptr_t seen[SEEN_MAX];

extern struct k_thread user_thread, other_thread;
#if __STDC_HOSTED__ /* as large as the fake machine makes any */
#define USER_STACK_SIZE ARCH_STACK_ALIGN
#else
#define USER_STACK_SIZE ROUND_UP_CONST_(1024, (int)ARCH_PARTITION_ALIGN)
#endif
/* So large is a small partition, and a power of two; an object of 64 bits with all that configurations add fits in. */
#if __STDC_HOSTED__
#define SMALL_PART 256U /* with object cores a semaphore has more than 128 bytes */
#else
#define SMALL_PART MAX(IS_ENABLED(CONFIG_64BIT) ? 128U : 64U, ARCH_PARTITION_ALIGN)
#endif
K_THREAD_STACK_DECLARE(user_stack, USER_STACK_SIZE);
K_THREAD_STACK_DECLARE(other_stack, USER_STACK_SIZE);

/* Create it, not started: to be given access to what the test is about. */
k_tid_t user_prepare(k_thread_entry_t entry, void *p1, void *p2, void *p3);
/* Start it and wait for its end. Returns true if it ended by itself, false if by a fault. */
bool user_finish(void);
/* Both, for a thread that needs no access to anything. */
bool user_run(k_thread_entry_t entry, void *p1, void *p2, void *p3);

/* The last fatal error: its reason; how many there were. */
extern unsigned int fatal_reason, fatal_count;
/* A kernel thread's is the test's purpose, too. */
extern bool fatal_is_expected;

#endif /* TESTS_USER_USER_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of ARMv7-M share: cortex_m.c. */
#ifndef TESTS_USER_ARCH_CORTEX_M_H
#define TESTS_USER_ARCH_CORTEX_M_H

#include "../user.h"

enum call {
#define SYSCALL(name) CALL_##name,
#define SYSCALL_VIA(name)
#include "kernel/base/syscalls.h"
#undef SYSCALL
#undef SYSCALL_VIA
	NUM_CALLS
};

#define CALLER_SAVED "r0", "r1", "r2", "r3", "r12", "lr", "cc", "memory"

/* The kernel's, out of user mode's reach: 43. */
extern volatile int in_kernel;

/* Run a user thread, which may give `sem`, to its end: was that a fault? */
bool faults(k_thread_entry_t entry, uintptr_t p1, uintptr_t p2);

/* What user threads do: each call of the immediate's other values; a word read or written. */
void calls_with_any_immediate(void *p1, void *p2, void *p3);
void reads_word(void *address, void *p2, void *p3);
void writes_word(void *address, void *word, void *p3);

/* Threads of kernel mode that come and go, 0 and 1; they outrank the user's. */
void begin(int i, k_thread_entry_t entry, const void *arg);
void finish(int i);

#endif /* TESTS_USER_ARCH_CORTEX_M_H */

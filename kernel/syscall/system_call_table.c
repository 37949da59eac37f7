/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of system calls, by their numbers, and what stands behind the end. */
#include "kernel/syscall/verify.h"

extern void (*const syscall_table[])(void);

static void no_such_call(void)
{
	user_violation("no such system call");
}

/* The application's verifiers, declared as what the table makes of all. */
#define SYSCALL_OF_APP(name) void verify_##name(void);
#include <app_syscalls.h>
#undef SYSCALL_OF_APP

#define SYSCALL(name) (void (*)(void)) verify_##name,
#define SYSCALL_VIA(name)

/* The port's entry clamps a number that is too large to the last one. */
void (*const syscall_table[])(void) = {
#include "kernel/base/syscalls.h"
	no_such_call,
};

/*
 * The fast paths, and what a slow one is behind the look that a fast one has had (arch.h:
 * arch_user_call_checked()). A fast path takes words and returns one, whatever its call does.
 */
#undef SYSCALL
#undef SYSCALL_VIA
#define SYSCALL(name)
#define SYSCALL_VIA(name)
#define SYSCALL_OF_APP(name)
#ifdef CONFIG_ARCH_USER_CALLS_MASKED
#define SYSCALL_MASKED(name) SYSCALL_FAST(name)
#endif
#define SYSCALL_FAST(name) void fast_##name(void);
#include "kernel/base/syscalls.h"

extern void (*const fast_table[])(void);
extern void (*const checked_table[])(void);

#ifdef CONFIG_ARCH_USER_CALLS_MASKED
#define SYSCALL_MASKED(name) SYSCALL_FAST(name)
#endif
#define SYSCALL_OF_APP(name)
#define SYSCALL_FAST(name) fast_##name,
void (*const fast_table[])(void) = {
#include "kernel/base/syscalls.h"
};

#define SYSCALL_OF_APP(name)
#define SYSCALL_FAST(name) (void (*)(void)) checked_##name,
void (*const checked_table[])(void) = {
#include "kernel/base/syscalls.h"
};

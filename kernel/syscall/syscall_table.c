/* SPDX-License-Identifier: Apache-2.0 */
/* The table of system calls, and what stands behind its end. */
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

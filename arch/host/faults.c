/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exceptions: what the processor of this computer traps on reaches the process as a
 * signal, and the kernel as a fault with registers, like on any other machine. The
 * handler runs on a stack of its own, since the fault may be an overflow of the
 * thread's. Under AddressSanitizer all but a guarded copy's are the sanitizer's: it tells
 * more.
 */
#define _GNU_SOURCE /* names of registers */
#include <signal.h>
#include <ucontext.h>

#include <foliot/fatal.h>
#include "kernel/hooks/user.h"
#include "arch/arch.h"
#include "copy.h"
#include "faults.h"
#include "host.h"

#ifdef __SANITIZE_ADDRESS__
#define NUM_SIGNALS 2 /* that a copy can cause */

static const int numbers[NUM_SIGNALS] = {SIGSEGV, SIGBUS};
static struct sigaction sanitizers[NUM_SIGNALS];

static void on_signal(int number, siginfo_t *info, void *context)
{
	if (!host_copy_has_faulted(context)) {
		sanitizers[number == SIGBUS].sa_sigaction(number, info, context);
	}
}

void faults_catch(void)
{
	struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
	};

	for (unsigned int i = 0; i < NUM_SIGNALS; i++) {
		(void)sigaction(numbers[i], &action, &sanitizers[i]);
	}
}

/* Leaks are looked for at the end, with stacks that the leak checker does not know. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#else

const char *const arch_fault_names[ARCH_FAULT_REGISTERS] = {
	"rip", "rsp", "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp",
	"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
};
static const int indexes[ARCH_FAULT_REGISTERS] = {
	REG_RIP, REG_RSP, REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP,
	REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
};

static char fault_stack[65536];

static const char *cause_of(int number)
{
	switch (number) {
	case SIGSEGV:
		return "access to an address that is not there";
	case SIGBUS:
		return "bus error";
	case SIGILL:
		return "illegal instruction";
	default:
		return "arithmetic fault";
	}
}

/* The thread is left for good from the signal's stack, of which nothing is needed any more. */
static void on_signal(int number, siginfo_t *info, void *context)
{
	const ucontext_t *state = context;
	uintptr_t values[ARCH_FAULT_REGISTERS];
	struct fault fault = {K_ERR_CPU_EXCEPTION, cause_of(number),
			      (uintptr_t)state->uc_mcontext.gregs[REG_RIP],
			      arch_in_isr() ? FATAL_IN_ISR : FATAL_IN_THREAD};

#ifdef CONFIG_USERSPACE
	if (user_is_running() && !host_user_mode && fault.where == FATAL_IN_THREAD) {
		fault.where = FATAL_FOR_ALL; /* in a system call */
	}
	host_user_mode = false;
#endif

	if (host_copy_has_faulted(context)) {
		return;
	}
	fatal_check_again(fault.pc);
	for (unsigned int i = 0; i < ARCH_FAULT_REGISTERS; i++) {
		values[i] = (uintptr_t)state->uc_mcontext.gregs[indexes[i]];
	}
	host_cpu.masked = true;
	fatal_report(&fault, values);
	thread_exit();
}

void faults_catch(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
	stack_t stack = {.ss_sp = fault_stack, .ss_size = sizeof(fault_stack)};
	struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
	};

	(void)sigaltstack(&stack, NULL);
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		(void)sigaction(numbers[i], &action, NULL);
	}
}
#endif

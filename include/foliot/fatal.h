/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fatal errors: what is printed (a record for the lab and lines for people), and
 * the hook an application may define to act on one.
 */
#ifndef FOLIOT_FATAL_H
#define FOLIOT_FATAL_H

#include <foliot/util.h>

/** What a fatal error is. */
enum k_fatal_error_reason {
	K_ERR_CPU_EXCEPTION,  /**< the core trapped */
	K_ERR_SPURIOUS_IRQ,   /**< an interrupt nobody connected */
	K_ERR_STACK_CHK_FAIL, /**< a stack overflowed */
	K_ERR_KERNEL_OOPS,    /**< k_oops() */
	K_ERR_KERNEL_PANIC,   /**< k_panic() or a failed assertion */
};

/** Registers as the port saved them: its own, opaque here. */
struct arch_esf;

/**
 * Called after the report is printed, with interrupts masked; of a user thread's own fault by that
 * thread, in kernel mode on the stack of its system calls, with interrupts open. `reason` is one of
 * k_fatal_error_reason; `frame` the registers, NULL where software raised the error. The default
 * ends the run with status 1; an application may define its own. If that returns, the faulting
 * thread is aborted; the run ends with status 1 if it was a panic, in an ISR, or before threads
 * run.
 * A fault in it ends the run, with one line that says so.
 * Context: either.
 */
void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame);

/**
 * Report `reason` as raised by software, then as k_sys_fatal_error_handler() says. Does
 * not return from a panic; from an oops in a thread neither, the thread ends.
 * Context: either.
 */
void k_fatal_raise(unsigned int reason);

/** A fatal error of the calling thread: see k_fatal_raise(). Context: either. */
#define k_oops()  k_fatal_raise(K_ERR_KERNEL_OOPS)
/** A fatal error of the whole system: the run ends. Context: either. */
#define k_panic() k_fatal_raise(K_ERR_KERNEL_PANIC)

/**
 * End the run: 0 is success. On simulators and emulators the process ends with `status`;
 * on a board the core halts. Does not return.
 * Context: either.
 */
void k_exit(int status) __attribute__((noreturn));

#endif /* FOLIOT_FATAL_H */

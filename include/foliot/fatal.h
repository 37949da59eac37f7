/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fatal errors: what is printed (a record for the lab and lines for people), and
 * the hook an application may define to act on one.
 */
#ifndef FOLIOT_FATAL_H
#define FOLIOT_FATAL_H

#include <foliot/util.h>

enum k_fatal_error_reason {
	K_ERR_CPU_EXCEPTION,  /* the core trapped */
	K_ERR_SPURIOUS_IRQ,   /* an interrupt nobody connected */
	K_ERR_STACK_CHK_FAIL, /* a stack overflowed */
	K_ERR_KERNEL_OOPS,    /* k_oops() */
	K_ERR_KERNEL_PANIC,   /* k_panic() or a failed assertion */
};

/*
 * Called after the report is printed, with interrupts masked; the default ends the
 * run with status 1. If an application's own version returns, the faulting thread
 * is aborted, unless the fault was a panic or in an ISR. Context: either.
 */
void k_sys_fatal_error_handler(unsigned int reason, const void *frame);

/* Report `reason` as raised by software. Context: either. Does not return from a panic. */
void k_fatal_raise(unsigned int reason);

#define k_oops()  k_fatal_raise(K_ERR_KERNEL_OOPS)
#define k_panic() k_fatal_raise(K_ERR_KERNEL_PANIC)

/*
 * End the run: 0 is success. On simulators and emulators the process ends; on a
 * board the core halts. Context: either. Does not return.
 */
void k_exit(int status) __attribute__((noreturn));

#endif /* FOLIOT_FATAL_H */

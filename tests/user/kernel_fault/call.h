/* SPDX-License-Identifier: Apache-2.0 */
/* What stores where nothing is, in the caller's mode and in the kernel's. */
#ifndef TESTS_USER_KERNEL_FAULT_CALL_H
#define TESTS_USER_KERNEL_FAULT_CALL_H

/* Context: thread. */
void store(volatile unsigned int *address);
/* A system call. Context: thread. */
int stores_in_kernel_mode(void);

#endif /* TESTS_USER_KERNEL_FAULT_CALL_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* arch_copy_guarded() on the fake machine: the part in assembly, and its faults. */
#ifndef FOLIOT_ARCH_HOST_COPY_H
#define FOLIOT_ARCH_HOST_COPY_H

#define HOST_COPY_FAULTED 1

#ifndef __ASSEMBLER__
#include <ucontext.h>

#include "arch/arch.h"

enum arch_copy_fault host_copy(void *to, const void *from, size_t bytes, unsigned int untrusted);

/*
 * If the signal is a guarded copy's and the untrusted side's: has the process go on at the
 * fix-up, and is true.
 */
bool host_copy_has_faulted(ucontext_t *context);
#endif

#endif /* FOLIOT_ARCH_HOST_COPY_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* What every file of the kernel knows: the public API, the port, the CPU's state. */
#ifndef FOLIOT_KERNEL_KERNEL_H
#define FOLIOT_KERNEL_KERNEL_H

#include <foliot/kernel.h>
#include <foliot/cpu.h>
#include "arch/arch.h"

BUILD_ASSERT(NUM_LEVELS <= 64, "at most 63 priorities, cooperative and preemptible");

/*
 * Makes the compiler forget what it knows of a value. GCC 12 for Thumb-2 keeps values
 * that are compared with zero in callee-saved registers, with a push and a pop around
 * a leaf function that has registers left; this talks it out of that. Costs nothing.
 */
#define OPAQUE(value) __asm__("" : "+r"(value))

/*
 * A function that user mode calls without a trap, needing no right for what it does: without a
 * canary, since those of the kernel's files are compared with a word that user mode cannot read.
 */
#ifdef CONFIG_USERSPACE
#define IN_EITHER_MODE __attribute__((no_stack_protector)) ARCH_EITHER_MODE
#else
#define IN_EITHER_MODE
#endif

/*
 * In a file that calls the system call NAME and does not define it, behind its includes: the
 * function itself is called and not its stub, which would ask for the mode, and may lie where the
 * kernel does not execute (SMEP).
 */
#ifdef CONFIG_USERSPACE
#define CALLS_DIRECTLY(name) extern __typeof__(name) name __asm__("__real_" #name)
#else
#define CALLS_DIRECTLY(name) BUILD_ASSERT(true, #name)
#endif

extern bool kernel_started; /* threads run */

/*
 * k_system_heap(), for what is in every program: where there is none, the linker fetches no heap
 * for it.
 */
static inline struct k_heap *heap_of_system(void)
{
	return CONFIG_HEAP_MEM_POOL_SIZE == 0 ? NULL : k_system_heap();
}

#endif /* FOLIOT_KERNEL_KERNEL_H */

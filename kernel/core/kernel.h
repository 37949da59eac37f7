/* SPDX-License-Identifier: Apache-2.0 */
/* What every file of the kernel knows: the public API, the port, the CPU's state. */
#ifndef FOLIOT_KERNEL_KERNEL_H
#define FOLIOT_KERNEL_KERNEL_H

#include <foliot/kernel.h>
#include <foliot/cpu.h>
#include "arch/arch.h"

BUILD_ASSERT(NUM_LEVELS <= 32, "one bitmap word holds the ready levels");

/*
 * Makes the compiler forget what it knows of a value. GCC 12 for Thumb-2 keeps values
 * that are compared with zero in callee-saved registers, with a push and a pop around
 * a leaf function that has registers left; this talks it out of that. Costs nothing.
 */
#define OPAQUE(value) __asm__("" : "+r"(value))

extern bool kernel_started; /* threads run */

#endif /* FOLIOT_KERNEL_KERNEL_H */

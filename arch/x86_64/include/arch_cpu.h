/* SPDX-License-Identifier: Apache-2.0 */
/* What the core does not know of itself: see struct cpu. */
#ifndef FOLIOT_ARCH_CPU_H
#define FOLIOT_ARCH_CPU_H

#include <stdint.h>

struct arch_cpu {
	uintptr_t in_isr;        /* the interrupted stack pointer, or 0; trap.S */
	uint32_t switch_pending; /* at the end of the outermost interrupt */
};

#endif /* FOLIOT_ARCH_CPU_H */

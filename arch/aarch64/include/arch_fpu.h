/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's floating-point and SIMD registers, while another's, or a handler's, are in the core
 * (CONFIG_FPU): arch/aarch64/floating_point.inc.
 */
#ifndef FOLIOT_ARCH_FPU_H
#define FOLIOT_ARCH_FPU_H

#include <stdint.h>

struct arch_fpu {
	uint64_t vectors[2 * 32];
	uint64_t control, status; /* FPCR, FPSR */
};

/* For assembly. */
struct aarch64_fpu {
	const struct arch_fpu *on; /* that of who runs, and may use them; NULL: they trap */
	struct arch_fpu *owner; /* what is in the registers, and not in memory; NULL: nobody's */
};

extern struct aarch64_fpu aarch64_fpu;

/* Nobody needs it any more. Interrupts masked. */
static inline void arch_fpu_forget(const struct arch_fpu *fpu)
{
	if (aarch64_fpu.owner == fpu) {
		aarch64_fpu.owner = NULL;
	}
}

#endif /* FOLIOT_ARCH_FPU_H */

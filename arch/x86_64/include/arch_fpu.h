/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's floating-point registers, while they are not in the core (CONFIG_FPU):
 * arch/x86_64/floating_point.inc.
 */
#ifndef FOLIOT_ARCH_FPU_H
#define FOLIOT_ARCH_FPU_H

#include <stdint.h>

#define X86_64_FPU_ALIGN 16U /* of what FXSAVE stores; a thread's block may lie at multiples of 8 */

struct arch_fpu {
	uint64_t image[(512U + X86_64_FPU_ALIGN) / 8U - 1U];
};

/*
 * Where the registers that are in the core belong, and who runs may use them; NULL: they trap, and
 * are as at reset.
 */
extern struct arch_fpu *x86_64_fpu_live;

/* What was of a thread that ended. */
extern struct arch_fpu x86_64_fpu_nobodys;

static inline struct arch_fpu *x86_64_fpu_image(struct arch_fpu *fpu)
{
	return (struct arch_fpu *)(((uintptr_t)fpu + X86_64_FPU_ALIGN - 1U) &
				   ~(uintptr_t)(X86_64_FPU_ALIGN - 1U));
}

/* Nobody needs it any more. Interrupts masked. */
static inline void arch_fpu_forget(struct arch_fpu *fpu)
{
	if (x86_64_fpu_live == x86_64_fpu_image(fpu)) {
		x86_64_fpu_live = x86_64_fpu_image(&x86_64_fpu_nobodys);
	}
}

#endif /* FOLIOT_ARCH_FPU_H */

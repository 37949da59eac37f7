/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floating-point registers of who uses them for the first time, or leaves kernel mode: see
 * floating_point.inc.
 */
#include "kernel/base/kernel.h"
#include <arch_fpu.h>

#define CR0_MP (1UL << 1)
#define CR0_EM (1UL << 2)
#define CR0_TS (1UL << 3)

#define CR4_FXSR (1UL << 9) /* FXSAVE saves xmm, too, and SSE is there */
#define CR4_XMM  (1UL << 10) /* its errors have an exception of their own */

#define CONTROL_AT_RESET 0x37FU /* all errors are masked, 64 bits of precision, to the nearest */
#define MXCSR_AT_RESET   0x1F80U

struct arch_fpu *x86_64_fpu_live;
struct arch_fpu x86_64_fpu_nobodys;

/* For assembly: what a handler computes with, and what registers hold that are nobody's. */
struct arch_fpu x86_64_fpu_of_handlers __aligned(X86_64_FPU_ALIGN);
const uint32_t x86_64_fpu_at_reset[128] __aligned(X86_64_FPU_ALIGN) = {
	[0] = CONTROL_AT_RESET,
	[6] = MXCSR_AT_RESET,
};

/* boot.S, trap.S and user.S call them. */
void x86_64_fpu_init(void);
void x86_64_fpu_used(void);
void x86_64_fpu_drop(void);

static void save(struct arch_fpu *fpu)
{
	__asm__ volatile("fxsave64 %0" : "=m"(*(char(*)[512])fpu));
}

/*
 * FNINIT: of the last instruction's address AMD's cores restore nothing, as long as there was no
 * error.
 */
static void restore(const void *image)
{
	__asm__ volatile("fninit\n\tfxrstor64 %0" ::"m"(*(const char(*)[512])image));
}

static void let_trap(void)
{
	uintptr_t cr0;

	__asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
	__asm__ volatile("mov %0, %%cr0" ::"r"((cr0 & ~CR0_EM) | CR0_MP | CR0_TS) : "memory");
}

void x86_64_fpu_init(void)
{
	uintptr_t cr0, cr4;

	__asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
	__asm__ volatile("mov %0, %%cr4" ::"r"(cr4 | CR4_FXSR | CR4_XMM) : "memory");
	__asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
	__asm__ volatile("mov %0, %%cr0" ::"r"(cr0 & ~(CR0_EM | CR0_TS)) : "memory");
	restore(x86_64_fpu_at_reset);
	let_trap();
}

/* The registers have trapped: who runs has them from now on. Masked, in an exception. */
void x86_64_fpu_used(void)
{
	struct k_thread *current = k_cpu.current;

	__asm__ volatile("clts");
	if (arch_in_isr()) {
		if (x86_64_fpu_live != NULL) {
			save(x86_64_fpu_live);
		}
		restore(x86_64_fpu_at_reset);
		x86_64_fpu_live = &x86_64_fpu_of_handlers;
	} else if (current == NULL) { /* at start */
		x86_64_fpu_live = x86_64_fpu_image(&x86_64_fpu_nobodys);
	} else if (current->fpu == NULL) {
		current->fpu = x86_64_fpu_image(&current->fpu_state);
		x86_64_fpu_live = current->fpu;
	} else { /* a handler has computed meanwhile */
		restore(current->fpu);
		x86_64_fpu_live = current->fpu;
	}
}

/* User mode begins, and is to find nothing that kernel mode left. Masked, in the running thread. */
void x86_64_fpu_drop(void)
{
	k_cpu.current->fpu = NULL;
	if (x86_64_fpu_live != NULL) {
		restore(x86_64_fpu_at_reset);
		x86_64_fpu_live = NULL;
		let_trap();
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From reset, or a loader, to the kernel at EL1: registers, memory, vectors, address
 * translation. A hypervisor's level (EL2), which many loaders leave the core at, is left at
 * once and for all. EL3 is not served: firmware has been there before.
 */
#include "offsets.h"

#define PSTATE_EL1H_MASKED 0x3c5
#define SCTLR_EL1_AT_RESET 0x30d00800 /* the bits that are one, all else off */
#define HCR_EL2_RW         0x80000000 /* EL1 is AArch64 */
#define CNTHCTL_EL2_OPEN   3          /* EL1 may use counter and timers */
#define CPTR_EL2_OPEN      0x33ff     /* traps nothing */
#define PMCR_N_SHIFT       11
#define PMCR_N_BITS        5
#define PMCR_ON            0x45 /* enabled, from 0, 64 bits */
#define PMCCNTR_BIT        0x80000000

	.section .text.boot, "ax"
	.globl _start
	.type _start, @function
_start:
	msr daifset, #15
	mrs x0, mpidr_el1
	tst x0, #0xffffff
	b.ne park
	mrs x0, currentel
	cmp x0, #2 << 2
	b.ne at_el1
	mov x0, #HCR_EL2_RW
	msr hcr_el2, x0
	mov x0, #CNTHCTL_EL2_OPEN
	msr cnthctl_el2, x0
	msr cntvoff_el2, xzr
	mov x0, #CPTR_EL2_OPEN
	msr cptr_el2, x0
	msr hstr_el2, xzr
	mrs x0, midr_el1
	msr vpidr_el2, x0
	mrs x0, mpidr_el1
	msr vmpidr_el2, x0
	mrs x0, pmcr_el0 /* all event counters are EL1's */
	ubfx x0, x0, #PMCR_N_SHIFT, #PMCR_N_BITS
	msr mdcr_el2, x0
	ldr x0, =SCTLR_EL1_AT_RESET
	msr sctlr_el1, x0
	mov x0, #PSTATE_EL1H_MASKED
	msr spsr_el2, x0
	adr x0, at_el1
	msr elr_el2, x0
	eret
at_el1:
	ldr x0, =SCTLR_EL1_AT_RESET
	msr sctlr_el1, x0
	isb
	msr spsel, #1
	adrp x0, aarch64_isr_stack_top
	add sp, x0, :lo12:aarch64_isr_stack_top
	adrp x0, aarch64_vectors
	add x0, x0, :lo12:aarch64_vectors
	msr vbar_el1, x0
	msr cpacr_el1, xzr /* floating point traps */
	mov x0, #PMCR_ON
	msr pmcr_el0, x0
	msr pmccfiltr_el0, xzr
	mov x0, #PMCCNTR_BIT
	msr pmcntenset_el0, x0
	adrp x0, _bss_start
	add x0, x0, :lo12:_bss_start
	adrp x1, _bss_end
	add x1, x1, :lo12:_bss_end
1:	cmp x0, x1
	b.hs 2f
	stp xzr, xzr, [x0], #16
	b 1b
2:	bl aarch64_mmu_init
	bl aarch64_irq_init
	b kernel_start

park: /* the other cores, where a loader starts all of them */
	wfe
	b park
	.size _start, . - _start

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From reset, or a loader, to the kernel at its level: registers, memory, vectors, address
 * translation. A hypervisor's level (EL2), which many loaders leave the core at, is left at
 * once and for all, unless it is the kernel's. EL3 is not served: firmware has been there before.
 *
 * At EL2 (CONFIG_AARCH64_EL2) all exceptions of EL0 are the kernel's (TGE). With the host
 * extensions that is a regime of its own (E2H), in which all else is as at EL1. Without, EL0's
 * stage 1 is off by TGE, and its memory is what stage 2 says (user.c), cached by DC: without that
 * it would be Device.
 */
#include <arch_level.h>
#include <board.h>
#include <offsets.h>
#include "frames.h"

#define PSTATE_EL1H_MASKED 0x3c5
#ifdef CONFIG_AARCH64_PAN
/* the bits that are one, all else off: an exception sets PAN (SPAN is 0) */
#define SCTLR_EL1_AT_RESET 0x30500800
#else
#define SCTLR_EL1_AT_RESET 0x30d00800 /* the bits that are one, all else off */
#endif
#define HCR_EL2_RW         0x80000000 /* EL1 is AArch64 */
#define HCR_EL2_TGE        (1 << 27)
#define HCR_EL2_E2H        (1 << 34)
#define HCR_EL2_DC         (1 << 12)
#define HCR_EL2_VM         (1 << 0)
#define SCTLR_EL2_AT_RESET 0x30c50830
#define PMCCFILTR_EL2      0x08000000 /* EL2's are counted, too */
#define CNTHCTL_EL2_OPEN   3          /* EL1 may use counter and timers */
#define PMCR_N_SHIFT       11
#define PMCR_N_BITS        5
#define PMCR_ON            0x45 /* enabled, from 0, 64 bits */
#define PMCCNTR_BIT        0x80000000

#ifdef BOARD_LOADED_AT
	.section .text.loaded, "ax"
	b _start
#endif

	.section .text.boot, "ax"
	.globl _start
	.type _start, @function
_start:
	msr daifset, #15
	mrs x0, mpidr_el1
	tst x0, #0xffffff
	b.ne park
#ifdef BOARD_SPIN_TABLE
	/*
	 * Those whom the loader has wait for an event would go on doing so: called here, they
	 * sleep.
	 */
	mov x0, #BOARD_SPIN_TABLE
	adr x1, park
	mov x2, #BOARD_SPIN_CORES
1:	str x1, [x0], #8
	subs x2, x2, #1
	b.ne 1b
	dsb sy
	sev
#endif
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
#ifdef CONFIG_AARCH64_EL2
#ifdef CONFIG_AARCH64_VHE
	ldr x0, =HCR_EL2_RW | HCR_EL2_TGE | HCR_EL2_E2H
	msr hcr_el2, x0
	isb
	ldr x0, =SCTLR_EL1_AT_RESET /* EL2's own, by that name now */
	msr sctlr_el1, x0
	msr cpacr_el1, xzr /* floating point traps */
#else
	ldr x0, =HCR_EL2_RW | HCR_EL2_TGE | HCR_EL2_DC | HCR_EL2_VM
	msr hcr_el2, x0
	ldr x0, =SCTLR_EL2_AT_RESET
	msr sctlr_el2, x0
	mov x0, #CPTR_EL2_NO_FP
	msr cptr_el2, x0
#ifdef CONFIG_FPU
	mov x0, #CPACR_FPEN /* which CPTR_EL2 says for user mode, too */
	msr cpacr_el1, x0
#else
	msr cpacr_el1, xzr /* user mode's */
#endif
#endif
	isb
	b at_level
at_el1: /* there is no EL2 to stay at: nothing else would be right */
	wfe
	b at_el1
at_level:
#else
	mov x0, #PSTATE_EL1H_MASKED
	msr spsr_el2, x0
	adr x0, at_el1
	msr elr_el2, x0
	eret
at_el1:
	ldr x0, =SCTLR_EL1_AT_RESET
	msr sctlr_el1, x0
	msr cpacr_el1, xzr /* floating point traps */
	isb
#endif
	msr spsel, #1
	adrp x0, aarch64_isr_stack_top
	add sp, x0, :lo12:aarch64_isr_stack_top
	adrp x0, aarch64_vectors
	add x0, x0, :lo12:aarch64_vectors
	msr AARCH64_OWN(vbar), x0
	mov x0, #PMCR_ON
	msr pmcr_el0, x0
#ifdef CONFIG_AARCH64_EL2
	mov x0, #PMCCFILTR_EL2
#else
	mov x0, #0
#endif
	msr pmccfiltr_el0, x0
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
	msr daifset, #15
	wfi
	b park
	.size _start, . - _start

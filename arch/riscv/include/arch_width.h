/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The width of the registers, for assembly and for what has to know their number of bytes: RV32 and
 * RV64 are one source. Words of the kernel's that are 32 bits on both are loaded by lw as ever.
 */
#ifndef FOLIOT_ARCH_WIDTH_H
#define FOLIOT_ARCH_WIDTH_H

#if __riscv_xlen == 64
#define REG_L    ld
#define REG_S    sd
#define REG_DATA .dword
#define REGBYTES 8
#define REGSHIFT 3
#else
#define REG_L    lw
#define REG_S    sw
#define REG_DATA .word
#define REGBYTES 4
#define REGSHIFT 2
#endif

/* What a switch saves, bytes: key, ra, s0 to s11; padded to the ABI's alignment of stacks. */
#define ARCH_SWITCH_FRAME_SIZE ((REGBYTES * 14 + 15) / 16 * 16)

/* The first PMP entry of a domain's: pmp.c has what lies in front. */
#ifndef CONFIG_STACK_GUARD_HW
#define ARCH_DOMAIN_FIRST 4
#elif !defined(CONFIG_RISCV_PMP_MML)
#define ARCH_DOMAIN_FIRST 5
#else
#define ARCH_DOMAIN_FIRST 6
#endif

#endif /* FOLIOT_ARCH_WIDTH_H */

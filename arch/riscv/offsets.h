/* SPDX-License-Identifier: Apache-2.0 */
/* Structure offsets that assembly uses; asserted against the compiler's in offsets.c. */
#ifndef FOLIOT_RISCV_OFFSETS_H
#define FOLIOT_RISCV_OFFSETS_H

#include <arch_width.h>

#define THREAD_SP         0
#define THREAD_WAKE_VALUE (REGBYTES * 3)
#define THREAD_PRIO       (REGBYTES * 5)
#define THREAD_THRESHOLD  (REGBYTES * 5 + 1)
#define THREAD_STATE      (REGBYTES * 5 + 2)
#if __riscv_xlen == 64
#define THREAD_STACK_START 120
#elif defined(CONFIG_TIMEOUT_64BIT)
#define THREAD_STACK_START 76
#else
#define THREAD_STACK_START 64
#endif
#define THREAD_GUARD_END (THREAD_STACK_START + REGBYTES * 2) /* CONFIG_STACK_GUARD */
#ifdef CONFIG_STACK_GUARD
#define THREAD_DOMAIN (THREAD_STACK_START + REGBYTES * 3) /* CONFIG_USERSPACE */
#else
#define THREAD_DOMAIN (THREAD_STACK_START + REGBYTES * 2)
#endif
#define THREAD_TLS              THREAD_DOMAIN /* CONFIG_THREAD_LOCAL_STORAGE: never both */
#define THREAD_USER_START       (THREAD_DOMAIN + REGBYTES)
#define THREAD_USER_END         (THREAD_DOMAIN + REGBYTES * 2)
#define THREAD_MESSAGE          (THREAD_DOMAIN + REGBYTES * 3) /* CONFIG_IPC, as well */
#define MESSAGE_WORD(n)         (THREAD_MESSAGE + REGBYTES * (n))
/*
 * Of a domain, which begins with what is the port's: pmpaddr from the first of its own on, then the
 * configurations.
 */
#define DOMAIN_ADDRESS(n)       (REGBYTES * ((n) - ARCH_DOMAIN_FIRST))
#define DOMAIN_CONFIGURATION(n) (REGBYTES * (BOARD_PMP_ENTRIES - ARCH_DOMAIN_FIRST + (n)))
#define DOMAIN_IS_LONG \
	DOMAIN_CONFIGURATION(BOARD_PMP_ENTRIES / REGBYTES - ARCH_DOMAIN_FIRST / REGBYTES)
#define STATE_DEAD  8
#define CPU_CURRENT 0
#define CPU_BEST    REGBYTES
#define CPU_IN_ISR  (REGBYTES * 2)
#define CPU_SWITCH  (REGBYTES * 3)
#define CPU_SLICED  (REGBYTES * 4) /* CONFIG_TIMESLICING */

/* A switch frame: key, ra, s0 to s11. */
#define FRAME_KEY  0
#define FRAME_RA   REGBYTES
#define FRAME_S(n) (REGBYTES * (2 + (n)))
#define FRAME_SIZE ARCH_SWITCH_FRAME_SIZE

/* struct riscv_kept (user_fault.h). */
#define KEPT_REGISTERS (REGBYTES * 8)
#define KEPT_SIZE      (REGBYTES * 44)

/*
 * What an interrupt saves: the caller-saved registers. Where it ends in a switch, mepc and mstatus
 * below.
 */
#define IRQ_FRAME_SIZE  (REGBYTES * 16)
#define TRAP_STATE_SIZE (REGBYTES * 4)

/* The guarded copy: see copy.S and trap.S. */
#define COPY_FROM    1
#define COPY_TO      2
#define COPY_FAULTED 1

#define MSTATUS_MPIE 0x80
#define MSTATUS_MPP  0x1800

#endif /* FOLIOT_RISCV_OFFSETS_H */

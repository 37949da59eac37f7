/* SPDX-License-Identifier: Apache-2.0 */
/* Structure offsets that assembly uses; asserted against the compiler's in offsets.c. */
#ifndef FOLIOT_AARCH64_OFFSETS_H
#define FOLIOT_AARCH64_OFFSETS_H

#define THREAD_SP         0
#define THREAD_WAKE_VALUE 24
#define THREAD_PRIO       40
#define THREAD_THRESHOLD  41
#define THREAD_STATE      42
#define THREAD_OPTIONS    43
#ifdef CONFIG_STACK_GUARD
#define THREAD_FPU 144 /* CONFIG_FPU: its floating-point registers' place, or 0 */
#else
#define THREAD_FPU 136
#endif
#ifdef CONFIG_FPU
#define THREAD_DOMAIN (THREAD_FPU + 8) /* CONFIG_USERSPACE; behind it its stack's pages */
#else
#define THREAD_DOMAIN THREAD_FPU
#endif
#define THREAD_TLS      THREAD_DOMAIN /* CONFIG_THREAD_LOCAL_STORAGE: never both */
#define THREAD_MESSAGE  (THREAD_DOMAIN + 16) /* CONFIG_IPC, as well */
#define MESSAGE_WORD(n) (THREAD_MESSAGE + 8 * (n))
#define CPU_CURRENT     0
#define CPU_BEST        8
#define CPU_IN_ISR      16
#define CPU_SWITCH      24
#define CPU_SLICED      32 /* CONFIG_TIMESLICING */

/* A switch frame: x19 to x30, key; padded to the ABI's alignment. */
#define FRAME_X(n) (8 * ((n) - 19))
#define FRAME_KEY  96
#define FRAME_SIZE 112

/* What an interrupt saves: x0 to x18 and x30. A switch puts a trap's state below it. */
#if defined(CONFIG_USERSPACE) || defined(CONFIG_FPU) /* and where it returns to */
#define IRQ_FRAME_SIZE   176
#define IRQ_FRAME_RETURN 160
#else
#define IRQ_FRAME_SIZE 160
#endif
#define TRAP_STATE_SIZE 32

/* What a system call keeps: x30 and the user's sp. */
#define USER_FRAME_SIZE 16

/* struct aarch64_kept (user_fault.h). */
#define KEPT_PSTATE    64
#define KEPT_REGISTERS 72
#define KEPT_SIZE      352

/*
 * Of a memory domain: whose stack is open, the tables, and what the TLB is told of RAM's first
 * page.
 */
#define DOMAIN_OPEN   0
#define DOMAIN_FORGET 16
#define DOMAIN_PAGES  4096

/* In place of a stack's pages: none is open. No stack has so many. */
#define STACK_OF_NOBODY 0x8000000000000000

/* Of a page of the last level: user mode has access, too. */
#define TABLE_USERS 0x40

/* Behind stage 2: what a page of an open stack has besides its address. */
#define STAGE2_OPEN_LOW  0x7ff
#define STAGE2_OPEN_HIGH 0x40000000000000

/* struct arch_fpu (arch_fpu.h). */
#define FPU_CONTROL 512
#define FPU_SIZE    528

/* Who may use floating point: the kernel and user mode, or neither. */
#define CPACR_FPEN     0x300000
#define CPTR_EL2_OPEN  0x33ff /* of EL2 with EL1 below, or stage 2: traps nothing */
#define CPTR_EL2_NO_FP 0x37ff

/* What an exception saves: x0 to x30, sp, pc. */
#define FAULT_SP 31
#define FAULT_PC 32

/* The guarded copy: see copy.S and trap.S. */
#define COPY_FROM    1
#define COPY_TO      2
#define COPY_FAULTED 1

/* PSTATE's mask of interrupts, where DAIF and SPSR have it. */
#define PSTATE_I 0x80

/* Of a thread's options: K_USER. */
#define OPTION_USER_BIT 2

/* Of SPSR: level and stack; 0 is user mode. */
#define SPSR_MODE      15
#define SPSR_PAN_SHIFT 22
#define SPSR_EL0       0

/* ESR_EL1: the exception's class; of a data abort, whether it was a store. */
#define ESR_EC_SHIFT         26
#define ESR_WNR_SHIFT        6
#define ESR_STATUS           0x3f
#define ESR_STATUS_ALIGNMENT 0x21
#define ESR_REFUSED_MASK     0xfc00003c /* class, the kind of fault */
#define ESR_REFUSED          0x9400000c /* EC_DATA_ABORT, of permission */
#define EC_UNKNOWN           0x00
#define EC_FP                0x07
#define EC_BAD_STATE         0x0e
#define EC_SVC               0x15
#define EC_SYSREG            0x18
#define EC_INSN_ABORT_0      0x20
#define EC_INSN_ABORT        0x21
#define EC_PC_ALIGNMENT      0x22
#define EC_DATA_ABORT_0      0x24
#define EC_DATA_ABORT        0x25
#define EC_SP_ALIGNMENT      0x26
#define EC_SERROR            0x2f
#define EC_BRK               0x3c

#endif /* FOLIOT_AARCH64_OFFSETS_H */

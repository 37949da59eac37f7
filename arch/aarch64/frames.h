/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames that this port lays down, and what of the core assembly and C both name; where the
 * kernel's structures have what, <offsets.h> says.
 */
#ifndef FOLIOT_AARCH64_FRAMES_H
#define FOLIOT_AARCH64_FRAMES_H

/* Of the running thread's message: four words, its badge, its size, its capacity. */
#define MESSAGE_WORD(n) (THREAD_MESSAGE + 8 * (n))

/* A switch frame: x19 to x30, key; padded to the ABI's alignment. */
#define FRAME_X(n) (8 * ((n) - 19))
#define FRAME_KEY  96
#define FRAME_SIZE 112

/* What an interrupt saves: x0 to x18 and x30. A switch puts a trap's state below it. */
#define IRQ_FRAME_RETURN 160
#if defined(CONFIG_USERSPACE) || defined(CONFIG_FPU) /* and where it returns to */
#define IRQ_FRAME_SIZE 176
#else
#define IRQ_FRAME_SIZE 160
#endif
#define TRAP_STATE_SIZE 32

/* What a system call keeps: x30 and the user's sp. */
#define USER_FRAME_SIZE 16

/* In place of a stack's pages: none is open. No stack has so many. */
#define STACK_OF_NOBODY 0x8000000000000000

/* Of a page of the last level: user mode has access, too. */
#define TABLE_USERS 0x40

/* Behind stage 2: what a page of an open stack has besides its address. */
#define STAGE2_OPEN_LOW  0x7ff
#define STAGE2_OPEN_HIGH 0x40000000000000

/* Who may use floating point: the kernel and user mode, or neither. */
#define CPACR_FPEN     0x300000
#define CPTR_EL2_OPEN  0x33ff /* of EL2 with EL1 below, or stage 2: traps nothing */
#define CPTR_EL2_NO_FP 0x37ff

/* What an exception saves: x0 to x30, sp, pc. */
#define FAULT_SP     31
#define FAULT_PC     32
/* And the report besides. */
#define FAULT_PSTATE 33
#define FAULT_ESR    34
#define FAULT_FAR    35

/* PSTATE's mask of interrupts, where DAIF and SPSR have it. */
#define PSTATE_I 0x80

/* Of SPSR: level and stack; 0 is user mode. */
#define SPSR_MODE      15
#define SPSR_PAN_SHIFT 22
#define SPSR_IN_CALL   1 /* but for the level: its own stack, and all are open */
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

#endif /* FOLIOT_AARCH64_FRAMES_H */

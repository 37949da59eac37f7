/* SPDX-License-Identifier: Apache-2.0 */
/* Structure offsets that assembly uses; asserted against the compiler's in offsets.c. */
#ifndef FOLIOT_RISCV_OFFSETS_H
#define FOLIOT_RISCV_OFFSETS_H

#define THREAD_SP         0
#define THREAD_WAKE_VALUE 12
#define THREAD_PRIO       20
#define THREAD_THRESHOLD  21
#define THREAD_STATE      22
#define CPU_CURRENT       0
#define CPU_BEST          4
#define CPU_IN_ISR        8
#define CPU_SWITCH        12
#define CPU_SLICED        16 /* CONFIG_TIMESLICING */

/* A switch frame: key, ra, s0 to s11; padded to the ABI's alignment. */
#define FRAME_KEY  0
#define FRAME_RA   4
#define FRAME_S(n) (8 + 4 * (n))
#define FRAME_SIZE 64

/* What an interrupt saves: the caller-saved registers. */
#define IRQ_FRAME_SIZE 64

/* The guarded copy: see copy.S and trap.S. */
#define COPY_FROM    1
#define COPY_TO      2
#define COPY_FAULTED 1

#define MSTATUS_MPIE 0x80
#define MSTATUS_MPP  0x1800

#endif /* FOLIOT_RISCV_OFFSETS_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* Structure offsets that assembly uses; asserted against the compiler's in offsets.c. */
#ifndef FOLIOT_CORTEX_M_OFFSETS_H
#define FOLIOT_CORTEX_M_OFFSETS_H

#define CPU_CURRENT        0
#define CPU_BEST           4
#define CPU_SLICED         8 /* CONFIG_TIMESLICING */
#define THREAD_SP          0
#define THREAD_WAKE_VALUE  12
#define THREAD_PRIO        20
#define THREAD_THRESHOLD   21
#define THREAD_STATE       22
#define THREAD_OPTIONS     23
#define THREAD_STACK_START 64
#define THREAD_DOMAIN      72 /* CONFIG_USERSPACE, as the next ones */
#define THREAD_REGIONS     76
#ifdef CONFIG_STACK_CANARIES /* which take one of a stack's two regions */
#define THREAD_USER_STACK 84
#else
#define THREAD_USER_STACK 92
#endif
#define USER_NOW_DOMAIN 8

/* A switch frame: key, r4 to r11, and where to go on. */
#define FRAME_KEY  0
#define FRAME_R4   4
#define FRAME_PC   36
#define FRAME_SIZE 40

/* An exception frame, pushed by the core: r0 to r3, r12, lr, pc, xPSR. */
#define EXC_R1   4
#define EXC_R2   8
#define EXC_R12  16
#define EXC_PC   24
#define EXC_SIZE 32

#define MPU_RBAR 0xE000ED9C

#define XPSR_THUMB 0x01000000

#define OPTION_USER_BIT 2 /* K_USER */

#define COPY_FAULTED 1

#endif /* FOLIOT_CORTEX_M_OFFSETS_H */

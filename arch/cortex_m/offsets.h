/* SPDX-License-Identifier: Apache-2.0 */
/* Structure offsets that assembly uses; asserted against the compiler's in offsets.c. */
#ifndef FOLIOT_CORTEX_M_OFFSETS_H
#define FOLIOT_CORTEX_M_OFFSETS_H

#define CPU_CURRENT       0
#define CPU_BEST          4
#define CPU_SLICED        8 /* CONFIG_TIMESLICING */
#define THREAD_SP         0
#define THREAD_WAKE_VALUE 12
#define THREAD_PRIO       20
#define THREAD_THRESHOLD  21
#define THREAD_STATE      22
#define THREAD_OPTIONS    23
#ifdef CONFIG_TIMEOUT_64BIT
#define THREAD_STACK_START 76
#else
#define THREAD_STACK_START 64
#endif
#define THREAD_GUARD_END (THREAD_STACK_START + 8) /* CONFIG_STACK_GUARD */
#ifdef CONFIG_STACK_GUARD
#define THREAD_DOMAIN 76 /* CONFIG_USERSPACE, as the next ones */
#else
#define THREAD_DOMAIN 72
#endif
#ifdef CONFIG_STACK_GUARD
#define THREAD_TLS (THREAD_STACK_START + 12) /* CONFIG_THREAD_LOCAL_STORAGE */
#else
#define THREAD_TLS (THREAD_STACK_START + 8)
#endif
#define THREAD_REGIONS (THREAD_DOMAIN + 4)
/* Canaries take one of a stack's two regions. */
#if defined(CONFIG_STACK_CANARIES) || defined(CONFIG_CORTEX_M_PMSAV8)
#define ONE_STACK_REGION
#define THREAD_USER_STACK (THREAD_DOMAIN + 12)
#else
#define THREAD_USER_STACK (THREAD_DOMAIN + 20)
#endif
#define THREAD_MESSAGE     (THREAD_USER_STACK + 8) /* CONFIG_IPC */
#define USER_NOW_DOMAIN    8
/* Of struct cortex_m_kept (kept_fault.h). */
#define KEPT_CAME          28
#define KEPT_REGISTERS     32
#define KEPT_NUM_REGISTERS 17
#define KEPT_PSP           104
#define KEPT_SIZE          112

/* A switch frame: key, r4 to r11, and where to go on; on ARMv6-M r8 to r11, r4 to r7. */
#define FRAME_KEY 0
#ifdef CONFIG_CORTEX_M_V6M
#define FRAME_R4 20
#define FRAME_R8 4

#define RESUME_PREEMPTED_SIZE 16 /* bytes: asserted in switch_v6m.S */
#else
#define FRAME_R4 4
#endif
#define FRAME_PC   36
#define FRAME_SIZE 40

/* An exception frame, pushed by the core: r0 to r3, r12, lr, pc, xPSR. */
#define EXC_R1       4
#define EXC_R2       8
#define EXC_R12      16
#define EXC_PC       24
#define EXC_SIZE     32
#define EXC_FPU_SIZE 104 /* with s0 to s15, FPSCR and a word of nothing */
#ifdef CONFIG_FPU
#define EXC_MAX_SIZE      EXC_FPU_SIZE
#define SWITCH_FRAME_SIZE 144 /* of the stack that a switch leaves: ARCH_SWITCH_FRAME_SIZE */
#else
#define EXC_MAX_SIZE      EXC_SIZE
#define SWITCH_FRAME_SIZE 72
#endif

#define MPU_RBAR      0xE000ED9C
#define RBAR_OF_GUARD 0x17 /* beside its address: VALID, and region 7 */

#define XPSR_THUMB           0x01000000
#define XPSR_ALIGNED         0x200
#define XPSR_FLAGS           0xF8000000
#define XPSR_IT_AND_ICI_HIGH 0x06000000 /* where in an IT block or an LDM it was */
#define XPSR_IT_AND_ICI_LOW  0xFC00

#define OPTION_USER_BIT 2 /* K_USER */
#define STATE_DEAD      8 /* K_THREAD_DEAD */

#define COPY_FAULTED 1

#endif /* FOLIOT_CORTEX_M_OFFSETS_H */

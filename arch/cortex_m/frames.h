/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames that this port lays down, and what of the core assembly and C both name; where the
 * kernel's structures have what, <offsets.h> says.
 */
#ifndef FOLIOT_CORTEX_M_FRAMES_H
#define FOLIOT_CORTEX_M_FRAMES_H

/* Canaries take one of a stack's two regions. */
#if defined(CONFIG_STACK_CANARIES) || defined(CONFIG_CORTEX_M_PMSAV8)
#define ONE_STACK_REGION
#endif

#define KEPT_NUM_REGISTERS 17 /* struct cortex_m_saved: r0 to r12, sp, lr, pc, xPSR */

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

#endif /* FOLIOT_CORTEX_M_FRAMES_H */

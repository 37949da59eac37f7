/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames that this port lays down, and what of the core assembly and C both name; where the
 * kernel's structures have what, <offsets.h> says.
 */
#ifndef FOLIOT_RISCV_FRAMES_H
#define FOLIOT_RISCV_FRAMES_H

#include <arch_width.h>

/* Of the running thread's message: four words, its badge, its size, its capacity. */
#define MESSAGE_WORD(n)         (THREAD_MESSAGE + REGBYTES * (n))
/* Of a domain: pmpaddr from the first of its own on, and the configurations. */
#define DOMAIN_ADDRESS(n)       (DOMAIN_ADDRESSES + REGBYTES * ((n) - ARCH_DOMAIN_FIRST))
#define DOMAIN_CONFIGURATION(n) (DOMAIN_CONFIGURATIONS + REGBYTES * (n))

/* A switch frame: key, ra, s0 to s11. */
#define FRAME_KEY  0
#define FRAME_RA   REGBYTES
#define FRAME_S(n) (REGBYTES * (2 + (n)))
#define FRAME_SIZE ARCH_SWITCH_FRAME_SIZE

/*
 * What an interrupt saves: the caller-saved registers. Where it ends in a switch, mepc and mstatus
 * below.
 */
#define IRQ_FRAME_SIZE  (REGBYTES * 16)
#define TRAP_STATE_SIZE (REGBYTES * 4)

#define MSTATUS_MPIE 0x80
#define MSTATUS_MPP  0x1800

#endif /* FOLIOT_RISCV_FRAMES_H */

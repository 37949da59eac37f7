/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames that this port lays down, and what of the core assembly and C both name; where the
 * kernel's structures have what, <offsets.h> says.
 */
#ifndef FOLIOT_X86_64_FRAMES_H
#define FOLIOT_X86_64_FRAMES_H

/* Of the running thread's message: four words, its badge, its size, its capacity. */
#define MESSAGE_WORD(n) (THREAD_MESSAGE + 8 * (n))

/* A switch frame: key, r15 to r12, rbp, rbx, the return address. */
#define FRAME_SIZE   64
#define FRAME_RETURN 56

/* What an exception saves, in this order; the last five by its own doing or the core's. */
#define FAULT_RAX    0
#define FAULT_RBX    1
#define FAULT_RCX    2
#define FAULT_RDX    3
#define FAULT_RSI    4
#define FAULT_RDI    5
#define FAULT_RBP    6
#define FAULT_RSP    7
#define FAULT_R(n)   (n) /* r8 to r15 */
#define FAULT_RIP    16
#define FAULT_RFLAGS 17
#define FAULT_CR2    18
#define FAULT_ERROR  19
#define FAULT_VECTOR 20
#define FAULT_CS     21
#define FAULT_WORDS  22

/* struct x86_64_saved, user_fault.h: behind the message FAULT_WORDS registers. */
#define KEPT_REGISTER(n) (KEPT_REGISTERS + 8 * (n))

/*
 * RFLAGS' interrupt flag; what user mode begins with, and goes on with after a call: that, and the
 * bit that is always set.
 */
#define RFLAGS_IF   0x200
#define RFLAGS_USER 0x202
#define RFLAGS_AC   0x40000 /* ring 3's pages are open to ring 0 */

/* What a thread goes on with besides, as it had them: CF, PF, AF, ZF, SF, DF, OF, AC. */
#define RFLAGS_RESUMED 0x40cd5

/* The bit of an entry: tables.h. */
#define TABLE_USERS 4

/*
 * Selectors: descriptors.c. SYSCALL and SYSRET take them from two numbers, so they lie in this
 * order; where SYSRET would look for 32-bit code lies the kernel's data, which is no code.
 */
#define SELECTOR_CODE      0x08
#define SELECTOR_DATA      0x10
#define SELECTOR_USER_DATA 0x1b /* ring 3 */
#define SELECTOR_USER_CODE 0x23
#define SELECTOR_TSS       0x28

/* The stack that an interrupt of ring 3 comes on. */
#define TSS_KERNEL_STACK 4

/* Of an interrupted context, above what push_caller_saved has saved: its code segment. */
#define FRAME_CS           80
#define FRAME_RDI          4  /* its word */
#define FRAME_OF_INTERRUPT 14 /* words, with the core's */

/* Vectors. An interrupt's is a class of urgency, 2 to 15, and below it 4 bits of line: irq.c. */
#define VECTOR_DEBUG          1
#define VECTOR_NMI            2
#define VECTOR_BREAKPOINT     3
#define VECTOR_UNDEFINED      6
#define VECTOR_FLOATING_POINT 7
#define VECTOR_DOUBLE_FAULT   8
#define VECTOR_STACK          12
#define VECTOR_PROTECTION     13
#define VECTOR_PAGE           14
#define VECTOR_ALIGNMENT      17
#define VECTOR_MACHINE        18
#define VECTOR_EXCEPTIONS     32 /* so many */
#define VECTOR_LINES          16 /* of a class */
#define VECTOR_SPURIOUS       0xff

/* The thread pointer. */
#define MSR_FS_BASE 0xc0000100

/* The local APIC's end of interrupt. */
#define LAPIC_EOI 0x0b0

#endif /* FOLIOT_X86_64_FRAMES_H */

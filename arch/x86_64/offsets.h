/* SPDX-License-Identifier: Apache-2.0 */
/* Structure offsets that assembly uses; asserted against the compiler's in offsets.c. */
#ifndef FOLIOT_X86_64_OFFSETS_H
#define FOLIOT_X86_64_OFFSETS_H

#define THREAD_SP         0
#define THREAD_WAKE_VALUE 24
#define THREAD_PRIO       40
#define THREAD_THRESHOLD  41
#define THREAD_STATE      42
#define CPU_CURRENT       0
#define CPU_BEST          8
#define CPU_IN_ISR        16
#define CPU_SWITCH        24
#define CPU_SLICED        32 /* CONFIG_TIMESLICING */

#define IRQ_ENTRY_HANDLER 0
#define IRQ_ENTRY_ARG     8

/* A switch frame: key, r15 to r12, rbp, rbx, the return address. */
#define FRAME_SIZE 64

/* What an exception saves, in this order; the last four by its own doing or the core's. */
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
#define FAULT_WORDS  21

/* The guarded copy: see copy.S and fault.c. */
#define COPY_FAULTED 1

/* RFLAGS' interrupt flag. */
#define RFLAGS_IF 0x200

/* Selectors: descriptors.c. */
#define SELECTOR_CODE 0x08
#define SELECTOR_DATA 0x10
#define SELECTOR_TSS  0x18

/* Vectors. An interrupt's is a class of urgency, 2 to 15, and below it 4 bits of line: irq.c. */
#define VECTOR_NMI          2
#define VECTOR_UNDEFINED    6
#define VECTOR_DOUBLE_FAULT 8
#define VECTOR_STACK        12
#define VECTOR_PROTECTION   13
#define VECTOR_PAGE         14
#define VECTOR_EXCEPTIONS   32 /* so many */
#define VECTOR_LINES        16 /* of a class */
#define VECTOR_SPURIOUS     0xff

/* The local APIC's end of interrupt. */
#define LAPIC_EOI 0x0b0

#endif /* FOLIOT_X86_64_OFFSETS_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64 at EL1: what the kernel needs inline. See arch/arch.h for the contract. */
#ifndef FOLIOT_ARCH_INLINE_H
#define FOLIOT_ARCH_INLINE_H

#include <stdbool.h>
#include <stdint.h>
#include <arch_level.h>
#include <board.h>
#include <foliot/cpu.h>
#include <foliot/util.h>

/* Stacks begin and end at multiples of this: the core refuses accesses by another sp. */
#define ARCH_STACK_ALIGN 16

/* The least stack of a thread, bytes. */
#define ARCH_STACK_MIN 384U /* what a switch, an interrupt and a call or two save */

#define ARCH_NUM_IRQS     BOARD_NUM_IRQS
#define ARCH_IRQ_KEY_OPEN 0U
#define ARCH_IRQ_KEY_ISR  ARCH_IRQ_KEY_BIT /* handlers run masked */

/*
 * User mode has constants by files, and needs to be told of one of the kernel's that it may have,
 * too.
 */
#define ARCH_EITHER_MODE
#define ARCH_EITHER_MODE_CONSTANT __attribute__((section(".user_rodata.either_mode")))

#define ARCH_NEAR /* an address takes two instructions, wherever it is */

/*
 * The key is DAIF. Threads have D, A and F open; a trap masks them all, and so they are where a
 * key was taken in one. A key that leaves its context holds the interrupt bit alone, so that
 * it carries nothing else along: what irq_lock() returns, and what a switch keeps.
 */
#define ARCH_IRQ_KEY_BIT 0x80U

static inline unsigned int arch_irq_lock(void)
{
	uint64_t key;

	__asm__ volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(key)::"memory");
	return (unsigned int)key;
}

static inline void arch_irq_unlock(unsigned int key)
{
	__asm__ volatile("msr daif, %0" ::"r"((uint64_t)key) : "memory");
}

static inline bool arch_in_isr(void)
{
	return *(volatile uintptr_t *)&k_cpu.arch.in_isr != 0;
}

/* Handlers run masked, so a key that says "open" is a thread's. */
static inline bool arch_may_switch(unsigned int key)
{
	return (key & ARCH_IRQ_KEY_BIT) == 0;
}

/*
 * In a thread, which has interrupts masked, an interrupt that is taken when they open. The
 * store takes its time to the controller and back, and the thread might run on that long:
 * so wait until one is there. If it is another, that one's end makes the switch.
 */
static inline void arch_request_switch(void)
{
	uint64_t pending;

	k_cpu.arch.switch_pending = 1;
	if (arch_in_isr()) {
		return;
	}
	*(volatile uint32_t *)BOARD_SWITCH_REG = BOARD_SWITCH_VALUE;
	/* Bound: the line's cycles. NOLINTNEXTLINE(bugprone-infinite-loop): by the asm */
	do {
		__asm__ volatile("mrs %0, isr_el1" : "=r"(pending)::"memory");
	} while ((pending & ARCH_IRQ_KEY_BIT) == 0);
}

/* One statement, so that a stamp costs the same wherever it stands, at -Os, too. */
static ALWAYS_INLINE uint32_t arch_cycles(void)
{
	uint64_t cycles;

#ifdef BOARD_CYCLES_BARRIER
	__asm__ volatile("isb\n\tmrs %0, pmccntr_el0" : "=r"(cycles)::"memory");
#else
	__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(cycles)::"memory");
#endif
	return (uint32_t)cycles;
}

/*
 * Nested traps (trap.S) overwrite what the outer one needs for its eret, so whoever lets
 * them in saves it. By the isb those that wait have come. Most often none does.
 */
static inline void arch_isr_window(void)
{
	uint64_t elr;
	uint64_t spsr;
	uint64_t pending;

	__asm__ volatile("mrs %0, isr_el1" : "=r"(pending)::"memory");
	if ((pending & ARCH_IRQ_KEY_BIT) == 0) {
		return;
	}
	AARCH64_READ(AARCH64_OWN(elr), elr);
	AARCH64_READ(AARCH64_OWN(spsr), spsr);
	__asm__ volatile("msr daifclr, #2\n\tisb\n\tmsr daifset, #2" ::: "memory");
	AARCH64_WRITE(AARCH64_OWN(elr), elr);
	AARCH64_WRITE(AARCH64_OWN(spsr), spsr);
}

/* A switch frame, see frames.h: x19 to x30, key, padding. Returns its address. */
static inline void *arch_stack_init(char *end, void (*entry)(void *, void *, void *), void *p1,
				    void *p2, void *p3)
{
	extern char aarch64_thread_start[];
	uintptr_t *frame = (uintptr_t *)((uintptr_t)end & ~(uintptr_t)(ARCH_STACK_ALIGN - 1)) - 14;

	frame[0] = (uintptr_t)entry;
	frame[1] = (uintptr_t)p1;
	frame[2] = (uintptr_t)p2;
	frame[3] = (uintptr_t)p3;
	frame[10] = 0; /* x29: where a debugger's list of frames ends */
	frame[11] = (uintptr_t)aarch64_thread_start;
	frame[12] = ARCH_IRQ_KEY_OPEN;
	return frame;
}

/* One vector for all lines: connected like all others (interrupt_connect.c); no argument. */
#define ARCH_DIRECT_ISR
#define ARCH_DIRECT_CONNECT(irq, isr) IRQ_CONNECT(irq, 0, isr, NULL, 0)

static inline void arch_cpu_idle(void)
{
	__asm__ volatile("dsb sy\n\twfi" ::: "memory");
}

/* Registers in the report of a fault: fault_words.c. */
#define ARCH_FAULT_REGISTERS 36U

#endif /* FOLIOT_ARCH_INLINE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64 in long mode: what the kernel needs inline. See arch/arch.h for the contract. */
#ifndef FOLIOT_ARCH_INLINE_H
#define FOLIOT_ARCH_INLINE_H

#include <stdbool.h>
#include <stdint.h>
#include <board.h>
#include <foliot/cpu.h>
#include <foliot/util.h>

/* Stacks begin and end at multiples of this: the ABI's. */
#define ARCH_STACK_ALIGN 16

/* The least stack of a thread, bytes. */
#define ARCH_STACK_MIN 256U /* what a switch, an interrupt and a call or two save */

/*
 * The local APIC's timer, the kernel's own line, and others that software raises: irq.c. The
 * last of 16 stays free: its vector may be that of the APIC's spurious interrupts.
 */
#define ARCH_NUM_IRQS     15U
#define ARCH_IRQ_KEY_OPEN ARCH_IRQ_KEY_BIT
#define ARCH_IRQ_KEY_ISR  0U /* handlers run masked */

/*
 * Kernel functions that are no system calls, and that user mode may call all the same: linker.ld.
 */
#ifdef CONFIG_USERSPACE
#define ARCH_EITHER_MODE          __attribute__((section(".user_text.either_mode")))
#define ARCH_EITHER_MODE_CONSTANT __attribute__((section(".user_rodata.either_mode")))
#endif

#define ARCH_NEAR /* all of the image is equally near */

/*
 * The key is RFLAGS, whose interrupt flag alone is looked at: in an unlock, too, since POPF is
 * slow on silicon, a branch and STI are not. A key that leaves its context is that flag: what
 * irq_lock() returns, and what a switch keeps.
 */
#define ARCH_IRQ_KEY_BIT 0x200U

static inline unsigned int arch_irq_lock(void)
{
	uint64_t key;

	__asm__ volatile("pushfq\n\tpopq %0\n\tcli" : "=r"(key)::"memory");
	return (unsigned int)key;
}

/* STI takes effect behind the next instruction: none of the caller's is to be that one. */
static inline void arch_irq_unlock(unsigned int key)
{
	if ((key & ARCH_IRQ_KEY_BIT) != 0) {
		__asm__ volatile("sti\n\tnop" ::: "memory");
	}
}

static inline bool arch_in_isr(void)
{
	return *(volatile uintptr_t *)&k_cpu.arch.in_isr != 0;
}

/* Handlers run masked, so a key that says "open" is a thread's. */
static inline bool arch_may_switch(unsigned int key)
{
	return (key & ARCH_IRQ_KEY_BIT) != 0;
}

/* The local APIC; its command to itself, and where it says which interrupts wait. */
#define ARCH_LAPIC(n)          (*(volatile uint32_t *)((uintptr_t)BOARD_LAPIC_BASE + (n)))
#define ARCH_LAPIC_ICR         0x300U
#define ARCH_LAPIC_IRR(vector) (0x200U + (vector) / 32U * 0x10U)
#define ARCH_LAPIC_SELF        0x44000U /* the shorthand, and that the line is high */

#define ARCH_SWITCH_VECTOR 0xf1U

/*
 * In a thread, which has interrupts masked, an interrupt that is taken when they open. The
 * store takes its time to the APIC and back, and the thread might run on that long: so wait
 * until one is there.
 */
static inline void arch_request_switch(void)
{
	k_cpu.arch.switch_pending = 1;
	if (arch_in_isr()) {
		return;
	}
	ARCH_LAPIC(ARCH_LAPIC_ICR) = ARCH_LAPIC_SELF | ARCH_SWITCH_VECTOR;
	/* Bound: the cycles that the line takes. */
	while ((ARCH_LAPIC(ARCH_LAPIC_IRR(ARCH_SWITCH_VECTOR)) >> ARCH_SWITCH_VECTOR % 32U & 1U) ==
	       0) {
	}
}

/*
 * One statement, so that a stamp costs the same wherever it stands, at -Os, too. A fixed-function
 * counter is what RDPMC reads by its number and bit 30; that it is there was looked at
 * (counters.c).
 */
#if defined(CONFIG_X86_64_COUNTS_CLOCKS)
#define ARCH_FIXED_COUNTER 1U
#elif defined(CONFIG_X86_64_COUNTS_INSTRUCTIONS)
#define ARCH_FIXED_COUNTER 0U
#endif

static ALWAYS_INLINE uint32_t arch_cycles(void)
{
	uint32_t cycles;

#ifdef ARCH_FIXED_COUNTER
	__asm__ volatile("movl %1, %%ecx\n\trdpmc"
			 : "=a"(cycles)
			 : "i"(1U << 30 | ARCH_FIXED_COUNTER)
			 : "ecx", "edx", "memory");
#else
	__asm__ volatile("rdtsc" : "=a"(cycles)::"edx", "memory");
#endif
	return cycles;
}

/* By the end of the NOP those that wait have come. */
static inline void arch_isr_window(void)
{
	__asm__ volatile("sti\n\tnop\n\tcli" ::: "memory");
}

/* A switch frame: switch.S. Returns its address. */
static inline void *arch_stack_init(char *end, void (*entry)(void *, void *, void *), void *p1,
				    void *p2, void *p3)
{
	extern char x86_64_thread_start[];
	uintptr_t *frame = (uintptr_t *)((uintptr_t)end & ~(uintptr_t)(ARCH_STACK_ALIGN - 1)) - 8;

	frame[0] = ARCH_IRQ_KEY_OPEN;
	frame[1] = 0; /* r15 */
	frame[2] = (uintptr_t)p3; /* r14 */
	frame[3] = (uintptr_t)p2; /* r13 */
	frame[4] = (uintptr_t)p1; /* r12 */
	frame[5] = 0; /* rbp: where a debugger's list of frames ends */
	frame[6] = (uintptr_t)entry;
	frame[7] = (uintptr_t)x86_64_thread_start;
	return frame;
}

/*
 * Vectors lead to common code: connected like all others (kernel/core/interrupt_connect.c), without
 * an argument.
 */
#define ARCH_DIRECT_ISR
#define ARCH_DIRECT_CONNECT(irq, isr) IRQ_CONNECT(irq, 0, isr, NULL, 0)

/* HLT ends by an interrupt that comes in only; STI lets none in before it. */
static inline void arch_cpu_idle(void)
{
	unsigned int key = arch_irq_lock();

	__asm__ volatile("sti\n\thlt\n\tcli" ::: "memory");
	arch_irq_unlock(key);
}

/* Registers in the report of a fault: fault_words.c. */
#define ARCH_FAULT_REGISTERS 22U

#endif /* FOLIOT_ARCH_INLINE_H */

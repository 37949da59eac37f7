/* SPDX-License-Identifier: Apache-2.0 */
/* Machine mode: what the kernel needs inline. See arch/arch.h for the contract. */
#ifndef FOLIOT_ARCH_INLINE_H
#define FOLIOT_ARCH_INLINE_H

#include <stdbool.h>
#include <stdint.h>
#include <arch_width.h>
#include <board.h>
#include <foliot/cpu.h>
#include <foliot/util.h>

/* Stacks begin and end at multiples of this; with the guard, of its alignment. */
#ifdef CONFIG_STACK_GUARD_HW
#define ARCH_STACK_ALIGN CONFIG_STACK_GUARD_SIZE
#else
#define ARCH_STACK_ALIGN 16
#endif

/* The least stack of a thread, bytes. */
#define ARCH_STACK_MIN (48U * REGBYTES) /* what a switch, an interrupt and a call or two save */

#define ARCH_NUM_IRQS       32
#define ARCH_MSTATUS_MIE    8U
#define ARCH_MIP_MSIP       8U
#define ARCH_IRQ_KEY_OPEN   ARCH_MSTATUS_MIE
#define ARCH_IRQ_KEY_MASKED 0U /* of ports with CONFIG_ARCH_USER_CALLS_MASKED */
#define ARCH_IRQ_KEY_ISR    0U /* handlers run masked */

/* Within reach of gp. */
#define ARCH_NEAR      __attribute__((section(".sbss.near")))
#define ARCH_IRQ_TABLE __attribute__((section(".sbss.irq_table"))) /* alone: linker.ld */

/*
 * The key is mstatus as a whole, and unlocking sets all bits that were set then. That is
 * right while the key stays in the context that took it: MPIE and MPP mean nothing outside
 * a trap and are what they were inside one. So the kernel's own masked sections spare the
 * instruction that would mask the key. A key that leaves its context is the interrupt bit
 * alone (ARCH_IRQ_KEY_BIT): what irq_lock() returns, and what a switch keeps, or it might
 * carry one context's privilege bits into another's. On RV64 what is above bit 31 may come along
 * or not: these bits of mstatus are always the same.
 */
#define ARCH_IRQ_KEY_BIT ARCH_MSTATUS_MIE

static inline unsigned int arch_irq_lock(void)
{
	unsigned int key;

	__asm__ volatile("csrrci %0, mstatus, 8" : "=r"(key)::"memory");
	return key;
}

static inline void arch_irq_unlock(unsigned int key)
{
	__asm__ volatile("csrs mstatus, %0" ::"r"(key) : "memory");
}

static inline bool arch_in_isr(void)
{
	return *(volatile uintptr_t *)&k_cpu.arch.in_isr != 0;
}

/* Handlers run masked, so a key that says "open" is a thread's. */
static inline bool arch_may_switch(unsigned int key)
{
	return (key & ARCH_MSTATUS_MIE) != 0;
}

/*
 * In a thread, which has interrupts masked, a software interrupt that is taken when they
 * open. A store to the CLINT arrives some cycles later, and on real cores the thread might
 * run on that long after opening them: so wait until mip shows it. A write to mstatus that
 * opens interrupts must then take it at once, by the privileged specification.
 */
static inline void arch_request_switch(void)
{
	uintptr_t pending;

	if (arch_in_isr()) {
		k_cpu.arch.switch_pending = 1;
		return;
	}
	*(volatile uint32_t *)BOARD_MSIP = 1;
	/* Bound: LINE, the line's cycles. NOLINTNEXTLINE(bugprone-infinite-loop): by the asm */
	do {
		__asm__ volatile("csrr %0, mip" : "=r"(pending)::"memory");
	} while ((pending & ARCH_MIP_MSIP) == 0);
}

/*
 * One statement, so that a stamp costs the same wherever it stands: a compiler that
 * chose anew each time between loading and keeping the address would change figures.
 * It begins with a short instruction, since a long one that a call returns to costs a
 * cycle more where it crosses a word's end.
 * In line at any level, since a call beside a stamp is in its window.
 */
static ALWAYS_INLINE uint32_t arch_cycles(void)
{
	uintptr_t cycles;

#ifdef BOARD_CYCLES_REG
	__asm__ volatile("nop\n\tlui %0, %%hi(%1)\n\tlw %0, %%lo(%1)(%0)"
			 : "=r"(cycles)
			 : "i"(BOARD_CYCLES_REG)
			 : "memory");
#elif defined(CONFIG_USERSPACE) /* the same count; user mode may be let to read it */
	__asm__ volatile("csrr %0, cycle" : "=r"(cycles)::"memory");
#else
	__asm__ volatile("csrr %0, mcycle" : "=r"(cycles)::"memory");
#endif
	return (uint32_t)cycles;
}

/*
 * Nested traps (trap.S) overwrite what the outer one needs for its mret, so whoever lets
 * them in saves it. The nop is where they come in. Most often none is there.
 */
static inline void arch_isr_window(void)
{
	uintptr_t mepc;
	uintptr_t mstatus;
	uintptr_t pending;
	uintptr_t enabled;

	__asm__ volatile("csrr %0, mip\n\tcsrr %1, mie" : "=r"(pending), "=r"(enabled)::"memory");
	if ((pending & enabled) == 0) {
		return;
	}
	__asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus\n\t"
			 "csrsi mstatus, 8\n\tnop\n\tcsrci mstatus, 8\n\t"
			 "csrw mepc, %0\n\tcsrw mstatus, %1"
			 : "=&r"(mepc), "=&r"(mstatus)::"memory");
}

/* A switch frame, see frames.h: key, ra, s0 to s11, padding. Returns its address. */
static inline void *arch_stack_init(char *end, void (*entry)(void *, void *, void *), void *p1,
				    void *p2, void *p3)
{
	extern char riscv_thread_start[];
	uintptr_t top = (uintptr_t)end & ~(uintptr_t)(ARCH_STACK_ALIGN - 1);
	uintptr_t *frame = (uintptr_t *)(top - ARCH_SWITCH_FRAME_SIZE);

	frame[0] = ARCH_IRQ_KEY_OPEN;
	frame[1] = (uintptr_t)riscv_thread_start;
	frame[2] = (uintptr_t)entry;
	frame[3] = (uintptr_t)p1;
	frame[4] = (uintptr_t)p2;
	frame[5] = (uintptr_t)p3;
	return frame;
}

#ifdef CONFIG_RISCV_ONE_VECTOR
/* One vector for all lines: connected like all others (interrupt_connect.c); no argument. */
#define ARCH_DIRECT_ISR
#define ARCH_DIRECT_CONNECT(irq, isr) IRQ_CONNECT(irq, 0, isr, NULL, 0)
#else
/*
 * Direct handlers: entered from the vector, on the interrupted stack; the compiler saves what
 * they change, and they return by themselves.
 */
#define ARCH_DIRECT_ISR __attribute__((interrupt))
#define ARCH_DIRECT_CONNECT(irq, isr)                   \
	__asm__(".globl riscv_vector_%c0\n\t"           \
		".set riscv_vector_%c0, %1" ::"i"(irq), \
		"i"(isr))
#endif

static inline void arch_cpu_idle(void)
{
	__asm__ volatile("wfi" ::: "memory");
}

/* Registers in the report of a fault: fault_words.c. */
#define ARCH_FAULT_REGISTERS 34U

#endif /* FOLIOT_ARCH_INLINE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* ARMv6-M, v7-M and v8-M: what the kernel needs inline. See arch/arch.h for the contract. */
#ifndef FOLIOT_ARCH_INLINE_H
#define FOLIOT_ARCH_INLINE_H

#include <stdbool.h>
#include <stdint.h>
#include <board.h>
#include <foliot/cpu.h>
#include <foliot/util.h>

/* Stacks begin and end at multiples of this; with the guard, of its alignment. */
#ifdef CONFIG_STACK_GUARD_HW
#define ARCH_STACK_ALIGN CONFIG_STACK_GUARD_SIZE
#else
#define ARCH_STACK_ALIGN 8
#endif

/* The least stack of a thread, bytes. */
#ifdef CONFIG_FPU
#define ARCH_STACK_MIN 480U /* what follows, with all registers of the floating-point unit */
#else
#define ARCH_STACK_MIN 192U /* what a switch, two exceptions and a call or two save */
#endif

#define ARCH_NUM_IRQS     BOARD_NUM_IRQS
#define ARCH_IRQ_KEY_OPEN 0U
#define ARCH_IRQ_KEY_BIT  (~0U) /* nothing else is in it */
#define ARCH_IRQ_KEY_ISR  0U /* handlers may be interrupted by more urgent ones */

#define ARCH_NEAR /* no such place on this architecture */

#define ARCH_ICSR        (*(volatile uint32_t *)0xE000ED04)
#define ARCH_ICSR_PENDSV (1UL << 28)

static inline unsigned int arch_irq_lock(void)
{
	unsigned int key;

	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(key)::"memory");
	return key;
}

static inline void arch_irq_unlock(unsigned int key)
{
	__asm__ volatile("msr primask, %0" ::"r"(key) : "memory");
}

static inline unsigned int arch_ipsr(void)
{
	unsigned int ipsr;

	/* Not volatile: as far as one function can see, it never changes. */
	__asm__("mrs %0, ipsr" : "=r"(ipsr));
	return ipsr;
}

static inline bool arch_in_isr(void)
{
	return arch_ipsr() != 0;
}

static inline bool arch_may_switch(unsigned int key)
{
	return (arch_ipsr() | key) == 0;
}

/* PendSV has the lowest priority: it runs when no handler does and interrupts are open. */
static inline void arch_request_switch(void)
{
	ARCH_ICSR = ARCH_ICSR_PENDSV;
}

/*
 * The board's counter: a core's own (DWT) where there is one, else a device's. One statement,
 * so that a stamp costs the same wherever it stands: a compiler that chose anew each time
 * between loading and keeping the address would change figures; in line at any level, too.
 */
#if defined(BOARD_CYCLES_DOWN_REG)
#define ARCH_CYCLES_REG     BOARD_CYCLES_DOWN_REG
#define ARCH_CYCLES_(count) (~(count))
#elif defined(BOARD_CYCLES_UP_REG)
#define ARCH_CYCLES_REG     BOARD_CYCLES_UP_REG
#define ARCH_CYCLES_(count) (count)
#endif

#ifdef ARCH_CYCLES_REG
static ALWAYS_INLINE uint32_t arch_cycles(void)
{
	uint32_t count;

	__asm__ volatile("movw %0, %1\n\tmovt %0, %2\n\tldr %0, [%0]"
			 : "=r"(count)
			 : "i"(ARCH_CYCLES_REG & 0xFFFF), "i"(ARCH_CYCLES_REG >> 16)
			 : "memory");
	return ARCH_CYCLES_(count);
}
#else
#include <arch_cycles_v6m.h>
#endif

/* Where r4 lies in a switch frame, words. */
#ifdef CONFIG_CORTEX_M_V6M
#define ARCH_FRAME_R4 5
#else
#define ARCH_FRAME_R4 1
#endif

/* A switch frame, see frames.h: key, r4 to r11, and where to go on. Returns its address. */
static inline void *arch_stack_init(char *end, void (*entry)(void *, void *, void *), void *p1,
				    void *p2, void *p3)
{
	extern char cortex_m_thread_start[];
	uintptr_t *frame = (uintptr_t *)((uintptr_t)end & ~(uintptr_t)(ARCH_STACK_ALIGN - 1)) - 10;

	frame[0] = ARCH_IRQ_KEY_OPEN;
	frame[ARCH_FRAME_R4] = (uintptr_t)entry;
	frame[ARCH_FRAME_R4 + 1] = (uintptr_t)p1;
	frame[ARCH_FRAME_R4 + 2] = (uintptr_t)p2;
	frame[ARCH_FRAME_R4 + 3] = (uintptr_t)p3;
	frame[9] = (uintptr_t)cortex_m_thread_start;
	return frame;
}

/* Direct handlers: functions like any other, in the vector table itself. */
#define ARCH_DIRECT_ISR
#define ARCH_DIRECT_CONNECT(irq, isr)                             \
	__asm__(".globl cortex_m_vector_%c0\n\t"                  \
		".thumb_set cortex_m_vector_%c0, %c1" ::"i"(irq), \
		"i"(isr))

static inline void arch_isr_window(void)
{
	__asm__ volatile("cpsie i\n\tisb\n\tcpsid i" ::: "memory");
}

static inline void arch_cpu_idle(void)
{
	if (IS_ENABLED(CONFIG_IDLE_SPINS)) {
		__asm__ volatile("" ::: "memory"); /* a handler may have changed anything */
	} else {
		__asm__ volatile("wfi" ::: "memory");
	}
}

/* Registers in the report of a fault: fault_words.c. */
#define ARCH_FAULT_REGISTERS 22U

#endif /* FOLIOT_ARCH_INLINE_H */

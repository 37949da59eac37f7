/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interrupt line that software can raise: line BOARD_SOFT_IRQ. For suites and
 * tests that need a real interrupt at a known place.
 */
#ifndef FOLIOT_DRIVERS_SOFT_IRQ_H
#define FOLIOT_DRIVERS_SOFT_IRQ_H

#include <stdint.h>
#include <board.h>

/* Raise, and lower, the line. Either context; a handler lowers it before it returns. */
void soft_irq_raise(void);
void soft_irq_clear(void);

/*
 * The same of another line, BOARD_SECOND_SOFT_IRQ, inline: for handlers that call nobody, and
 * for those that interrupt a handler. Either context.
 */
#if defined(BOARD_SOFT_SET) /* Foliot's SoC: a bit a line */
#define BOARD_SECOND_SOFT_IRQ (BOARD_SOFT_IRQ + 1)

static inline void soft_irq_raise_second(void)
{
	*(volatile uint32_t *)BOARD_SOFT_SET = 2;
}

static inline void soft_irq_clear_second(void)
{
	*(volatile uint32_t *)BOARD_SOFT_CLEAR = 2;
}
#elif defined(__riscv) /* the supervisor external interrupt, like the other in ssip.c */
#define BOARD_SECOND_SOFT_IRQ 9

static inline void soft_irq_raise_second(void)
{
	__asm__ volatile("csrs mip, %0" ::"r"(1U << BOARD_SECOND_SOFT_IRQ) : "memory");
}

static inline void soft_irq_clear_second(void)
{
	__asm__ volatile("csrc mip, %0" ::"r"(1U << BOARD_SECOND_SOFT_IRQ) : "memory");
}
#elif defined(__arm__) /* another line of the NVIC */
#define BOARD_SECOND_SOFT_IRQ (BOARD_SOFT_IRQ - 1)

static inline void soft_irq_raise_second(void)
{
	*(volatile uint32_t *)0xE000E200 = 1UL << BOARD_SECOND_SOFT_IRQ;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

/* Taken down as it is taken. */
static inline void soft_irq_clear_second(void)
{
}
#elif defined(BOARD_LOCAL_BASE) /* another mailbox of the core's own */
#define BOARD_SECOND_SOFT_IRQ (BOARD_SOFT_IRQ - 1)

/* The line is up when the store has arrived. */
static inline void mailbox_raise(unsigned int irq)
{
	*(volatile uint32_t *)(BOARD_LOCAL_BASE + 0x80UL + 4UL * (irq - 4)) = 1;
	__asm__ volatile("dsb sy\n\tisb" ::: "memory");
}

static inline void soft_irq_raise_second(void)
{
	mailbox_raise(BOARD_SECOND_SOFT_IRQ);
}

/* Taken down as it is taken. */
static inline void soft_irq_clear_second(void)
{
}
#elif defined(__aarch64__) /* another line of the GIC */
#define BOARD_SECOND_SOFT_IRQ (BOARD_SOFT_IRQ - 1)

static inline void soft_irq_raise_second(void)
{
	*(volatile uint32_t *)(BOARD_GICD_BASE + 0x200 +
			       BOARD_SECOND_SOFT_IRQ / 32 * 4) = 1U << (BOARD_SECOND_SOFT_IRQ % 32);
	__asm__ volatile("dsb sy\n\tisb" ::: "memory");
}

/* Taken down as it is taken. */
static inline void soft_irq_clear_second(void)
{
}
#elif defined(BOARD_LAPIC_BASE) /* another line that a local APIC raises for its own core */
#define BOARD_SECOND_SOFT_IRQ (BOARD_SOFT_IRQ + 1)

/* arch/x86_64/irq.c: what the APIC's command has to be, by line. */
extern uint32_t x86_64_raise[];

/* The interrupt is there as soon as the APIC says that it has sent it. */
static inline void lapic_raise(unsigned int irq)
{
	volatile uint32_t *command = (volatile uint32_t *)(BOARD_LAPIC_BASE + 0x300UL);

	*command = x86_64_raise[irq];
	while ((*command & 0x1000U) != 0) { /* Bound: the cycles that it takes. */
	}
}

static inline void soft_irq_raise_second(void)
{
	lapic_raise(BOARD_SECOND_SOFT_IRQ);
}

/* Taken down as it is taken. */
static inline void soft_irq_clear_second(void)
{
}
#endif

#endif /* FOLIOT_DRIVERS_SOFT_IRQ_H */

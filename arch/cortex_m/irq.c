/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupt lines: the NVIC. priority.h says who may interrupt whom. */
#include "kernel/base/kernel.h"
#include "priority.h"

#define NVIC_ISER ((volatile uint32_t *)0xE000E100)
#define NVIC_ICER ((volatile uint32_t *)0xE000E180)
#define NVIC_IPR  0xE000E400

#ifdef __ARM_ARCH_6M__
/* By words: there is no access to the bytes. */
static void write_level(unsigned int irq, uint8_t level)
{
	volatile uint32_t *word = (volatile uint32_t *)NVIC_IPR + irq / 4U;
	unsigned int shift = irq % 4U * 8U;
	unsigned int key = arch_irq_lock();

	*word = (*word & ~(0xFFUL << shift)) | (uint32_t)level << shift;
	arch_irq_unlock(key);
}
#else
static void write_level(unsigned int irq, uint8_t level)
{
	((volatile uint8_t *)NVIC_IPR)[irq] = level;
}
#endif

static void set_priority(unsigned int irq, unsigned int prio)
{
	write_level(irq, prio == IRQ_PRIO_ALARM ? nvic_alarm_priority() : nvic_line_priority(prio));
}

/* boot.c calls it. */
__cold void cortex_m_irq_init(void);

void cortex_m_irq_init(void)
{
	for (unsigned int irq = 0; irq < ARCH_NUM_IRQS; irq++) {
		set_priority(irq, 0);
	}
}

int arch_irq_control(enum arch_irq_op op, unsigned int irq, unsigned int value)
{
	uint32_t bit = 1UL << (irq % 32U);

	if (irq >= ARCH_NUM_IRQS) {
		return -EINVAL;
	}
	if (op == ARCH_IRQ_PRIORITY) {
		set_priority(irq, value);
		return 0;
	}
	if (op == ARCH_IRQ_IS_ENABLED) {
		return (NVIC_ISER[irq / 32U] & bit) != 0;
	}
	(op == ARCH_IRQ_ENABLE ? NVIC_ISER : NVIC_ICER)[irq / 32U] = bit;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	return 0;
}

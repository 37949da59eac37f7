/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupt lines: the NVIC. priority.h says who may interrupt whom. */
#include "kernel/core/kernel.h"
#include "priority.h"

#define NVIC_ISER ((volatile uint32_t *)0xE000E100)
#define NVIC_ICER ((volatile uint32_t *)0xE000E180)
#define NVIC_IPR  ((volatile uint8_t *)0xE000E400)

static void set_priority(unsigned int irq, unsigned int prio)
{
	NVIC_IPR[irq] = prio == IRQ_PRIO_ALARM ? nvic_alarm_priority() : nvic_line_priority(prio);
}

/* boot.c calls it. */
void cortex_m_irq_init(void);

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
	switch (op) {
	case ARCH_IRQ_ENABLE:
		NVIC_ISER[irq / 32U] = bit;
		return 0;
	case ARCH_IRQ_DISABLE:
		NVIC_ICER[irq / 32U] = bit;
		__asm__ volatile("dsb\n\tisb" ::: "memory");
		return 0;
	case ARCH_IRQ_IS_ENABLED:
		return (NVIC_ISER[irq / 32U] & bit) != 0;
	case ARCH_IRQ_PRIORITY:
		set_priority(irq, value);
		return 0;
	}
	return -EINVAL;
}

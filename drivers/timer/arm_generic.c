/* SPDX-License-Identifier: Apache-2.0 */
/* Arm's generic timer, the virtual one: the same at EL1 under a hypervisor and without. */
#include <foliot/kernel.h>
#include <board.h>
#include "drivers/timer.h"

#define CTL_ENABLE 1U

static void timer_isr(const void *arg)
{
	arm_generic_compare(UINT64_MAX); /* lowers the line: interrupts are let in below */
	__asm__ volatile("isb" ::: "memory");
	timer_announce();
}

void timer_init(void)
{
	arm_generic_compare(UINT64_MAX);
	__asm__ volatile("msr " ARM_GENERIC_CTL ", %0\n\tisb" ::"r"((uint64_t)CTL_ENABLE)
			 : "memory");
	IRQ_CONNECT(BOARD_TIMER_IRQ, IRQ_PRIO_ALARM, timer_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}

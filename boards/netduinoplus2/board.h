/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Netduino Plus 2 (STM32F405, Cortex-M4F) as QEMU emulates it: without clocks to set up and without
 * DWT. Its timers count nanoseconds there, whatever the core's clock; by 40 of them that is a clock
 * of 25 MHz, and with `-icount shift=10` an instruction takes 1024 ns, which is 25.6 ticks. Their
 * ends are of no use in QEMU 7.2: one that is set to come in a moment comes when as much time has
 * passed again as since the start. So SysTick is the alarm.
 */
#ifndef FOLIOT_BOARD_H
#define FOLIOT_BOARD_H

#define BOARD_CLOCK_HZ 25000000

#define BOARD_ROM_BASE 0x08000000
#define BOARD_ROM_SIZE 0x00100000
#define BOARD_RAM_BASE 0x20000000
#define BOARD_RAM_SIZE 0x00020000

#define BOARD_NUM_IRQS       82
#define BOARD_NVIC_PRIO_BITS 4

#define BOARD_TIMER_BASE      0x40000000 /* TIM2: counts freely */
#define BOARD_TIMER_PRESCALER 40
#define BOARD_TIMER_HZ        BOARD_CLOCK_HZ
#define BOARD_TIMER_COUNT     0x40000024
#define BOARD_TIMER_ALARM     "drivers/timer/systick_alarm.h"
#define BOARD_ALARM_IRQ       50        /* TIM5's, which is not used */
#define BOARD_SYSTICK_HZ      21000000  /* an eighth of the core's clock */

#define BOARD_UART_BASE   0x40011000 /* USART1 */
#define BOARD_UART_HZ     BOARD_CLOCK_HZ
#define BOARD_UART_STATUS 0x00
#define BOARD_UART_DATA   0x04
#define BOARD_UART_BRR    0x08
#define BOARD_UART_CR1    0x0C
#define BOARD_UART_ENABLE (1U << 13)

#define BOARD_SOFT_IRQ 22 /* no device's */

/* arch_cycles(): 25.6 counts a unit. */
#define BOARD_CYCLES_UP_REG 0x40000024
#define BOARD_CYCLES_NAME   "stm32_tim2"
#define BOARD_CYCLES_BITS   32
#define BOARD_CYCLES_NUM    256
#define BOARD_CYCLES_DEN    10

#endif /* FOLIOT_BOARD_H */

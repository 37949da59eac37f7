# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH cortex_m)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-m4 -mthumb)
set(FOLIOT_FPU fpv4-sp-d16)
set(FOLIOT_DRIVERS uart/stm32.c timer/systick_alarm.c board_exit/semihosting.c soft_irq/nvic.c)
set(FOLIOT_NO_SECOND_CLOCK y) # SysTick is the alarm
set(FOLIOT_TRACE trace/ring.c)
set(FOLIOT_ENTROPY entropy/semihosting.c)

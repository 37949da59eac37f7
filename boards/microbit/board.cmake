# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH cortex_m)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-m0 -mthumb)
set(FOLIOT_DRIVERS uart/nrf.c timer/nrf.c board_exit/semihosting.c soft_irq/nvic.c)
set(FOLIOT_NO_SECOND_CLOCK y) # an nRF51 has no SysTick, whatever QEMU's has
set(FOLIOT_TRACE trace/ring.c)
set(FOLIOT_ENTROPY entropy/semihosting.c)

# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH cortex_m)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-m4 -mthumb)
set(FOLIOT_FPU fpv4-sp-d16)
set(FOLIOT_DRIVERS clock/stm32.c setup/registers.c uart/stm32.c timer/stm32_compare.c board_exit/halt.c
  soft_irq/nvic.c)
set(FOLIOT_TRACE trace/pins.c)
set(FOLIOT_ENTROPY entropy/none.c)

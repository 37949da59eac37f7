# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH cortex_m)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-m7 -mthumb)
set(FOLIOT_FPU fpv5-d16)
set(FOLIOT_DRIVERS clock/stm32h7.c setup/registers.c uart/stm32.c timer/stm32.c board_exit/halt.c
  soft_irq/nvic.c)
set(FOLIOT_TRACE trace/ring.c)
set(FOLIOT_ENTROPY entropy/none.c)

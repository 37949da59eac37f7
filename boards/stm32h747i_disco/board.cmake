# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH cortex_m)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-m7 -mthumb)
set(FOLIOT_FPU fpv5-d16)
set(FOLIOT_DRIVERS setup/registers.c uart/stm32.c timer/stm32.c board_exit/halt.c
  soft_irq/nvic.c)
if(CONFIG_TRACE)
  list(APPEND FOLIOT_DRIVERS trace/ring.c)
endif()
if(CONFIG_STACK_CANARIES)
  list(APPEND FOLIOT_DRIVERS entropy/none.c)
endif()

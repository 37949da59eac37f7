# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH cortex_m)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-m3 -mthumb)
set(FOLIOT_DRIVERS uart_cmsdk.c timer_cmsdk.c board_exit_semihosting.c soft_irq_nvic.c)
if(CONFIG_TRACE)
  list(APPEND FOLIOT_DRIVERS trace_ring.c)
endif()

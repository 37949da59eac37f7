# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH riscv)
set(FOLIOT_CPU_FLAGS -march=rv32imc_zicsr -mabi=ilp32)
set(FOLIOT_DRIVERS uart_ns16550.c timer_clint.c board_exit_finisher.c soft_irq_foliot.c uart2_foliot.c)
if(CONFIG_TRACE)
  list(APPEND FOLIOT_DRIVERS trace_pins.c)
endif()

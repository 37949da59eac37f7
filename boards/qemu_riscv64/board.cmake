# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH riscv)
set(FOLIOT_CPU_FLAGS -march=rv64imac_zicsr -mabi=lp64)
set(FOLIOT_DRIVERS uart/ns16550.c timer/clint.c board_exit/finisher.c soft_irq/ssip.c)
set(FOLIOT_TRACE trace/ring.c)
set(FOLIOT_ENTROPY entropy/goldfish_rtc.c)

# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH x86_64)
set(FOLIOT_CPU_FLAGS -m64 -march=x86-64)
set(FOLIOT_DRIVERS uart/pc_com.c timer/lapic.c clock/pc.c board_exit/isa_debug_exit.c soft_irq/lapic.c)
set(FOLIOT_TRACE trace/ring.c)
set(FOLIOT_ENTROPY entropy/rdrand.c)

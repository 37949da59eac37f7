# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH aarch64)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-a76 -mgeneral-regs-only)
set(FOLIOT_DRIVERS uart/pl011.c intc/gicv2.c timer/arm_generic.c board_exit/semihosting.c soft_irq/gicv2.c)
set(FOLIOT_TRACE trace/ring.c)
set(FOLIOT_ENTROPY entropy/semihosting.c)

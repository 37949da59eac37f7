# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH aarch64)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-a53 -mgeneral-regs-only)
set(FOLIOT_DRIVERS uart/pl011.c intc/bcm2836.c timer/arm_generic.c board_exit/bcm2835.c soft_irq/bcm2836.c)
set(FOLIOT_RAW_IMAGE kernel8.img) # what the loader takes, beside firmware.elf
set(FOLIOT_TRACE trace/ring.c)
set(FOLIOT_ENTROPY entropy/bcm2835.c)

# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH cortex_m)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-m33+nodsp+nofp -mthumb)
set(FOLIOT_FPU fpv5-sp-d16)
set(FOLIOT_DRIVERS boot/rp2350.S clock/rp2.c setup/registers.c uart/pl011.c timer/rp2.c board_exit/halt.c
  soft_irq/nvic.c)
set(FOLIOT_TRACE trace/pins.c)
set(FOLIOT_ENTROPY entropy/none.c)

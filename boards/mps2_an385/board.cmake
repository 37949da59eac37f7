# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_ARCH cortex_m)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-m3 -mthumb)
set(FOLIOT_DRIVERS uart/cmsdk.c timer/cmsdk.c board_exit/semihosting.c soft_irq/nvic.c)
set(FOLIOT_TRACE trace/ring.c)
set(FOLIOT_ENTROPY entropy/semihosting.c)

# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_TOOLCHAIN_PREFIX arm-none-eabi-)
set(FOLIOT_ARCH_SOURCES boot.c switch.S handlers.S irq.c fault.c thread.c)
set(FOLIOT_ARCH_FLAGS "")
set(FOLIOT_LINKER_SCRIPT linker.ld)
set(FOLIOT_LINK_LIBS gcc)

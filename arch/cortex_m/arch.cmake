# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_TOOLCHAIN_PREFIX arm-none-eabi-)
set(FOLIOT_ARCH_SOURCES boot.c switch.S handlers.S irq.c fault.c offsets.c)
set(FOLIOT_ARCH_ON_DEMAND copy.S) # in the kernel's archive: linked where it is called
# GCC 12's CSE along jumps ties a value tested against zero to the zero of the other
# branch, and then saves and restores r4 in leaf functions that have registers left:
# two instructions in most fast paths. Scheduling before register allocation lengthens
# lives to the same effect. (Found by trying every pass of -O2 on the kernel.)
set(FOLIOT_ARCH_FLAGS -fno-cse-follow-jumps -fno-schedule-insns)
set(FOLIOT_LINKER_SCRIPT linker.ld)
set(FOLIOT_LINK_LIBS gcc)

if(CONFIG_FAULT_REPORT)
  list(APPEND FOLIOT_ARCH_SOURCES fault_words.c)
endif()
if(CONFIG_STACK_CHECKS)
  list(APPEND FOLIOT_ARCH_SOURCES raise.S preempted.c)
endif()
if(CONFIG_USERSPACE)
  list(APPEND FOLIOT_ARCH_SOURCES user.S mpu.c)
  set(FOLIOT_ARCH_PARTITIONS -DLEAST=32 -DPARTS=8) # regions of the MPU
endif()
if(CONFIG_STACK_GUARD_HW)
  list(APPEND FOLIOT_ARCH_SOURCES guard.c)
endif()

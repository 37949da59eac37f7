# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_TOOLCHAIN_PREFIX arm-none-eabi-)
set(FOLIOT_ARCH_SOURCES boot.c irq.c fault.c)
if(CONFIG_CORTEX_M_V6M)
  list(APPEND FOLIOT_ARCH_SOURCES switch_v6m.S handlers_v6m.S)
  set(FOLIOT_FLOOR floor_v6m) # in suites/
  if(CONFIG_SIZE_OPTIMIZATIONS)
    list(APPEND FOLIOT_ARCH_SOURCES divide_v6m.S)
  endif()
else()
  list(APPEND FOLIOT_ARCH_SOURCES switch.S handlers.S)
endif()
set(FOLIOT_ARCH_ON_DEMAND copy.S copy_fault.c) # in the kernel's archive: linked where it is called
# GCC 12's CSE along jumps ties a value tested against zero to the zero of the other
# branch, and then saves and restores r4 in leaf functions that have registers left:
# two instructions in most fast paths. Scheduling before register allocation lengthens
# lives to the same effect. (Found by trying every pass of -O2 on the kernel.)
set(FOLIOT_ARCH_FLAGS -fno-cse-follow-jumps -fno-schedule-insns)
if(CONFIG_CORTEX_M_V6M)
  list(APPEND FOLIOT_ARCH_FLAGS -masm-syntax-unified)
endif()
set(FOLIOT_LINKER_SCRIPT linker.ld)
set(FOLIOT_LINK_LIBS gcc)

if(CONFIG_FPU)
  list(APPEND FOLIOT_CPU_FLAGS -mfloat-abi=hard -mfpu=${FOLIOT_FPU})
endif()
if(CONFIG_FAULT_REPORT)
  list(APPEND FOLIOT_ARCH_ON_DEMAND fault_words.c)
endif()
if(CONFIG_THREAD_LOCAL_STORAGE)
  list(APPEND FOLIOT_ARCH_SOURCES tls.S)
  list(APPEND FOLIOT_ARCH_FLAGS -mtp=soft) # no such core has a register for it
endif()
if(CONFIG_STACK_CHECKS)
  list(APPEND FOLIOT_ARCH_SOURCES raise.S preempted.c)
endif()
if(CONFIG_USERSPACE)
  list(APPEND FOLIOT_ARCH_SOURCES user.S user_any.c)
  if(CONFIG_IPC)
    list(APPEND FOLIOT_ARCH_SOURCES ipc.S fast_fault.c)
  endif()
  if(CONFIG_CORTEX_M_PMSAV8)
    list(APPEND FOLIOT_ARCH_SOURCES mpu_v8.c)
    set(FOLIOT_ARCH_PARTITIONS -DLEAST=32 -DPARTS=0) # a region has any two ends
  else()
    list(APPEND FOLIOT_ARCH_SOURCES mpu.c)
    set(FOLIOT_ARCH_PARTITIONS -DLEAST=32 -DPARTS=8) # regions of the MPU
  endif()
endif()
if(CONFIG_STACK_GUARD_HW AND NOT CONFIG_CORTEX_M_PSPLIM)
  list(APPEND FOLIOT_ARCH_SOURCES guard.c)
endif()

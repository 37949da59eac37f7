# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_TOOLCHAIN_PREFIX aarch64-linux-gnu-)
set(FOLIOT_ARCH_SOURCES boot.S switch.S trap.S mmu.c fault.c irq.c)
set(FOLIOT_ARCH_ON_DEMAND copy.S) # in the kernel's archive: linked where it is called
# Debian's compiler is Linux's: what it adds for that system is taken back. Atomic operations
# would be calls that ask Linux what the core can do; GCC's <limits.h> would include that of
# a C library, which is not there. Without its tables for unwinding at run time, which no image
# keeps, it writes those that gdb reads.
set(FOLIOT_ARCH_FLAGS -fno-pie -mno-outline-atomics -fno-asynchronous-unwind-tables
  -fno-unwind-tables -D_LIBC_LIMITS_H_)
if(NOT CONFIG_SIZE_OPTIMIZATIONS)
  list(APPEND FOLIOT_ARCH_FLAGS -falign-functions=16)
endif()
set(FOLIOT_LINKER_SCRIPT linker.ld)
set(FOLIOT_LINK_LIBS -no-pie -Wl,--build-id=none -lgcc)

if(CONFIG_FPU) # the kernel is compiled without even so (CMakeLists.txt)
  list(REMOVE_ITEM FOLIOT_CPU_FLAGS -mgeneral-regs-only)
  set(FOLIOT_KERNEL_FLAGS -mgeneral-regs-only)
  list(APPEND FOLIOT_ARCH_SOURCES floating_point.S floating_point.c)
endif()
if(CONFIG_FAULT_REPORT)
  list(APPEND FOLIOT_ARCH_ON_DEMAND fault_words.c)
endif()
if(CONFIG_STACK_CHECKS)
  list(APPEND FOLIOT_ARCH_SOURCES raise.S)
endif()
if(CONFIG_USERSPACE)
  list(APPEND FOLIOT_ARCH_SOURCES user.S user.c)
  if(CONFIG_STACK_GUARD)
    list(APPEND FOLIOT_ARCH_SOURCES guard.c)
  endif()
  if(CONFIG_IPC)
    list(APPEND FOLIOT_ARCH_SOURCES ipc.S ipc_stubs.S)
  endif()
  list(APPEND FOLIOT_ARCH_FLAGS -ffixed-x18) # says which mode it is: include/arch_user.h
  set(FOLIOT_ARCH_PARTITIONS -DLEAST=4096 -DPARTS=0) # pages
endif()
# A message's words, which stay where they are: ipc.S.
set(FOLIOT_ARCH_IPC_FAST_FLAGS -ffixed-x4 -ffixed-x5 -ffixed-x6 -ffixed-x7)
# Beside it its bytes', and what is saved by then.
set(FOLIOT_ARCH_IPC_FAST_BYTES_FLAGS -ffixed-x9 -ffixed-x10 -ffixed-x11 -ffixed-x12 -ffixed-x13
  -ffixed-x14 -ffixed-x15 -fcall-used-x20 -fcall-used-x21 -fcall-used-x22
  -fcall-used-x23 -fcall-used-x24 -fcall-used-x25 -fcall-used-x26 -fcall-used-x27 -fcall-used-x28)
# What the fast path of a system call leaves alone needs not be saved nor cleared: x8 to x17 (user.S).
set(FOLIOT_ARCH_FAST_FLAGS -ffixed-x8 -ffixed-x9 -ffixed-x10 -ffixed-x11 -ffixed-x12 -ffixed-x13
  -ffixed-x14 -ffixed-x15 -ffixed-x16 -ffixed-x17)

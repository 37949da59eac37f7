# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_TOOLCHAIN_PREFIX x86_64-linux-gnu-)
set(FOLIOT_ARCH_SOURCES boot.S switch.S trap.S mmu.c descriptors.c irq.c fault.c)
set(FOLIOT_ARCH_ON_DEMAND copy.S) # in the kernel's archive: linked where it is called
# Debian's compiler is Linux's: what it adds for that system is taken back. Below sp is nobody's
# memory here (an interrupt pushes there); canaries are not found by a segment register; and
# GCC's <limits.h> would include that of a C library, which is not there. String instructions
# take long to start on silicon, and an emulator counts each round as one instruction.
set(FOLIOT_ARCH_FLAGS -fno-pie -mno-red-zone -fcf-protection=none -mstack-protector-guard=global
  -mstringop-strategy=unrolled_loop -fno-asynchronous-unwind-tables -D_LIBC_LIMITS_H_)
if(NOT CONFIG_SIZE_OPTIMIZATIONS)
  list(APPEND FOLIOT_ARCH_FLAGS -falign-functions=16)
endif()
if(CONFIG_FPU)
  # A thread computes where its source says so, and nowhere else: no copies by these registers, no
  # loops turned into their instructions. The kernel has none at all (CMakeLists.txt).
  list(APPEND FOLIOT_ARCH_FLAGS -fno-tree-vectorize -mno-stv
    -mtune-ctrl=^sse_unaligned_load_optimal,^sse_unaligned_store_optimal)
  set(FOLIOT_KERNEL_FLAGS -mgeneral-regs-only)
  list(APPEND FOLIOT_ARCH_SOURCES floating_point.c)
else()
  list(PREPEND FOLIOT_ARCH_FLAGS -mgeneral-regs-only)
endif()
set(FOLIOT_LINKER_SCRIPT linker.ld)
set(FOLIOT_LINK_LIBS -no-pie -Wl,--build-id=none -Wl,-z,max-page-size=0x1000
  -Wl,-z,noexecstack -lgcc)

if(CONFIG_X86_64_COUNTS_CLOCKS OR CONFIG_X86_64_COUNTS_INSTRUCTIONS)
  list(APPEND FOLIOT_ARCH_SOURCES counters.c)
endif()
if(CONFIG_FAULT_REPORT)
  list(APPEND FOLIOT_ARCH_ON_DEMAND fault_words.c)
endif()
if(CONFIG_STACK_CHECKS)
  list(APPEND FOLIOT_ARCH_SOURCES raise.S)
endif()
if(CONFIG_USERSPACE)
  list(APPEND FOLIOT_ARCH_SOURCES user.S views.c ring3.c)
  if(CONFIG_IPC)
    list(APPEND FOLIOT_ARCH_SOURCES ipc.S ipc_stubs.S)
  endif()
  set(FOLIOT_ARCH_KERNEL_NAMES ${CMAKE_CURRENT_LIST_DIR}/kernel_names.h)
  set(FOLIOT_ARCH_PARTITIONS -DLEAST=4096 -DPARTS=0) # pages
endif()
# A message's words, which stay where they are, and what is saved already: ipc.S.
set(FOLIOT_ARCH_IPC_FAST_FLAGS -ffixed-rdx -ffixed-r8 -ffixed-r9 -ffixed-r10
  -fcall-used-rbx -fcall-used-r12 -fcall-used-r13 -fcall-used-r14 -fcall-used-r15)
# Beside it its bytes', where three words are in the frame meanwhile.
set(FOLIOT_ARCH_IPC_FAST_BYTES_FLAGS -fcall-used-rdx -fcall-used-r8 -fcall-used-r9 -ffixed-rbx -ffixed-rbp -ffixed-r12 -ffixed-r13 -ffixed-r14
  -ffixed-r15)
# What the fast path of a system call leaves alone needs not be saved nor cleared: user.S.
set(FOLIOT_ARCH_FAST_FLAGS -ffixed-r8 -ffixed-r9 -ffixed-r10)

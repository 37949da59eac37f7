# SPDX-License-Identifier: Apache-2.0
set(FOLIOT_TOOLCHAIN_PREFIX riscv64-unknown-elf-)
set(FOLIOT_ARCH_SOURCES boot.S switch.S trap.S irq.c fault.c)
set(FOLIOT_ARCH_ON_DEMAND copy.S) # in the kernel's archive: linked where it is called
# Objects of up to 64 bytes (every kernel object) lie within reach of gp, so that one
# instruction loads from them. Functions begin at words: with compressed instructions they
# would begin anywhere, and a first instruction that lies across two words costs a fetch
# more. Without this a row moved by up to three cycles when a constant elsewhere grew.
set(FOLIOT_ARCH_FLAGS -msmall-data-limit=64)
if(CONFIG_64BIT) # addresses from 2 GiB on are out of an instruction's absolute reach
  list(PREPEND FOLIOT_ARCH_FLAGS -mcmodel=medany)
  set(multilib -march=rv64imac -mabi=lp64)
else()
  list(PREPEND FOLIOT_ARCH_FLAGS -mcmodel=medlow)
  set(multilib -march=rv32im -mabi=ilp32)
endif()
if(NOT CONFIG_SIZE_OPTIMIZATIONS)
  list(APPEND FOLIOT_ARCH_FLAGS -falign-functions=4)
endif()
set(FOLIOT_LINKER_SCRIPT linker.ld)
# Debian's compiler links the 64-bit libgcc for rv32imc_zicsr; the one for rv32im is right.
execute_process(COMMAND ${FOLIOT_TOOLCHAIN_PREFIX}gcc ${multilib}
  -print-libgcc-file-name OUTPUT_VARIABLE FOLIOT_LINK_LIBS OUTPUT_STRIP_TRAILING_WHITESPACE)

if(CONFIG_RISCV_VEX_LINES)
  list(APPEND FOLIOT_ARCH_SOURCES vex_lines.c)
endif()
if(CONFIG_FAULT_REPORT)
  list(APPEND FOLIOT_ARCH_ON_DEMAND fault_words.c)
endif()
if(CONFIG_STACK_CHECKS)
  list(APPEND FOLIOT_ARCH_SOURCES raise.S)
endif()
if(CONFIG_USERSPACE)
  list(APPEND FOLIOT_ARCH_SOURCES user.S pmp.c)
  if(CONFIG_IPC)
    list(APPEND FOLIOT_ARCH_SOURCES ipc.S)
  endif()
  set(FOLIOT_ARCH_PARTITIONS -DLEAST=8 -DPARTS=1) # one entry of the PMP: NAPOT
endif()
# What the fast path of a system call leaves alone needs not be saved nor cleared: t0 to t6, a6, a7 (user.S).
set(FOLIOT_ARCH_FAST_FLAGS -ffixed-x5 -ffixed-x6 -ffixed-x7 -ffixed-x16 -ffixed-x17
  -ffixed-x28 -ffixed-x29 -ffixed-x30 -ffixed-x31)
# The number of the call alone, where its slow path may follow.
set(FOLIOT_ARCH_FAST_WIDE_FLAGS -ffixed-x17)
# What calls and answers in registers leave alone: the words in t3 to t6 (ipc.S).
set(FOLIOT_ARCH_IPC_FAST_FLAGS -ffixed-x28 -ffixed-x29 -ffixed-x30 -ffixed-x31)
# With bytes s1 and s2 are saved by then.
set(FOLIOT_ARCH_IPC_FAST_BYTES_FLAGS -fcall-used-x9 -fcall-used-x18)
if(CONFIG_STACK_GUARD_HW AND NOT CONFIG_USERSPACE) # else pmp.c's
  list(APPEND FOLIOT_ARCH_SOURCES guard.c)
endif()

# SPDX-License-Identifier: Apache-2.0
#
# The fake machine: the firmware is a process on this computer, linked with its C
# library. Not position-independent, so that an address in a report is the one in the map.

set(FOLIOT_HOSTED TRUE)
set(FOLIOT_TOOLCHAIN_PREFIX "")
set(FOLIOT_ARCH_SOURCES copy.c copy.S cpu.c faults.c machine.c switch.S)
set(FOLIOT_ARCH_FLAGS -fno-pie -fno-omit-frame-pointer)
set(FOLIOT_LINK_LIBS -no-pie -Wl,-z,noexecstack "-Wl,-T,\"${FOLIOT_ARCH_DIR}/sections.ld\"")

if(CONFIG_HOST_SANITIZERS)
  list(APPEND FOLIOT_ARCH_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all)
  # Its tags and links lie in blocks that are poisoned: arch_poison.h.
  set_source_files_properties(${FOLIOT_ROOT}/kernel/memory/sys_heap.c PROPERTIES
    COMPILE_OPTIONS -fno-sanitize=address)
endif()

if(CONFIG_HOST_FUZZER)
  # Between the variables of such a list AddressSanitizer would leave gaps; GCC does not.
  set(FOLIOT_COMPILER clang-19)
  list(APPEND FOLIOT_ARCH_FLAGS -fsanitize=fuzzer-no-link -D__SANITIZE_ADDRESS__
    -fsanitize-address-use-after-return=never -Wno-unknown-attributes
    -fsanitize-ignorelist=${FOLIOT_ARCH_DIR}/sanitized.txt)
  execute_process(COMMAND ${FOLIOT_COMPILER} -print-file-name=libclang_rt.fuzzer_no_main-x86_64.a
    OUTPUT_VARIABLE FOLIOT_FUZZER OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND FOLIOT_LINK_LIBS -lstdc++ -lm)
endif()
if(CONFIG_HOST_COVERAGE)
  set(FOLIOT_COMPILER clang-19)
  list(APPEND FOLIOT_ARCH_FLAGS -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
    -Wno-unknown-attributes)
endif()
if(CONFIG_USERSPACE)
  list(APPEND FOLIOT_ARCH_SOURCES user.c user.S)
  list(APPEND FOLIOT_LINK_LIBS "-Wl,-T,\"${FOLIOT_ARCH_DIR}/user_sections.ld\"")
endif()
if(CONFIG_STACK_CHECKS)
  list(APPEND FOLIOT_ARCH_SOURCES raise.c)
endif()
if(CONFIG_STACK_CANARIES)
  list(APPEND FOLIOT_ARCH_SOURCES entropy.c)
endif()
if(CONFIG_CPP)
  list(APPEND FOLIOT_LINK_LIBS "-Wl,-T,\"${FOLIOT_ARCH_DIR}/cpp_sections.ld\"")
endif()

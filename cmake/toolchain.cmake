# SPDX-License-Identifier: Apache-2.0
#
# The compiler that the board's architecture names. Nothing is tried out on it: a test
# program could not be linked without the board's linker script.

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FOLIOT_BOARD FOLIOT_GENERATED)
include(${CMAKE_CURRENT_LIST_DIR}/platform.cmake)

if(NOT FOLIOT_HOSTED)
  set(CMAKE_SYSTEM_NAME Generic)
endif()
if(NOT FOLIOT_COMPILER)
  set(FOLIOT_COMPILER ${FOLIOT_TOOLCHAIN_PREFIX}gcc)
endif()
set(CMAKE_C_COMPILER ${FOLIOT_COMPILER})
set(CMAKE_ASM_COMPILER ${FOLIOT_COMPILER})
set(CMAKE_C_COMPILER_WORKS TRUE)
set(CMAKE_ASM_COMPILER_WORKS TRUE)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

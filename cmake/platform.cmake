# SPDX-License-Identifier: Apache-2.0
#
# The facts of the board and of its architecture, and the configuration. The toolchain
# file needs them before project(), the build after it.
#
#   boards/B/board.cmake sets  FOLIOT_ARCH, FOLIOT_CPU_FLAGS, FOLIOT_DRIVERS; FOLIOT_TRACE and
#                              FOLIOT_ENTROPY, the drivers of signals and of random numbers, which
#                              are built where the configuration needs them; FOLIOT_RAW_IMAGE, a
#                              file beside firmware.elf, where a loader takes the bare memory
#   arch/A/arch.cmake sets     FOLIOT_TOOLCHAIN_PREFIX, FOLIOT_ARCH_SOURCES, FOLIOT_ARCH_FLAGS,
#                              FOLIOT_LINKER_SCRIPT, FOLIOT_LINK_LIBS; FOLIOT_KERNEL_FLAGS, what the
#                              kernel alone is compiled with; FOLIOT_ARCH_ON_DEMAND,
#                              what is linked only where it is called; FOLIOT_HOSTED where
#                              the firmware is a process on this machine; FOLIOT_ARCH_PARTITIONS,
#                              options of partitions.cmake, where user threads' partitions need it

get_filename_component(FOLIOT_ROOT ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(FOLIOT_BOARD_DIR ${FOLIOT_ROOT}/boards/${FOLIOT_BOARD})

include(${FOLIOT_GENERATED}/config.cmake)
include(${FOLIOT_BOARD_DIR}/board.cmake)
set(FOLIOT_ARCH_DIR ${FOLIOT_ROOT}/arch/${FOLIOT_ARCH})
include(${FOLIOT_ARCH_DIR}/arch.cmake)

# Names relative to where they are at home, or absolute.
set(FOLIOT_BOARD_DRIVERS ${FOLIOT_DRIVERS})
if(CONFIG_TRACE)
  list(APPEND FOLIOT_BOARD_DRIVERS ${FOLIOT_TRACE})
endif()
if(CONFIG_STACK_CANARIES)
  list(APPEND FOLIOT_BOARD_DRIVERS ${FOLIOT_ENTROPY})
endif()
list(TRANSFORM FOLIOT_BOARD_DRIVERS PREPEND ${FOLIOT_ROOT}/ REGEX "^drivers/")
list(TRANSFORM FOLIOT_BOARD_DRIVERS PREPEND ${FOLIOT_ROOT}/drivers/ REGEX "^[^/]")
list(TRANSFORM FOLIOT_ARCH_SOURCES PREPEND ${FOLIOT_ARCH_DIR}/ REGEX "^[^/]")
list(TRANSFORM FOLIOT_ARCH_ON_DEMAND PREPEND ${FOLIOT_ARCH_DIR}/)
if(FOLIOT_LINKER_SCRIPT)
  get_filename_component(FOLIOT_LINKER_SCRIPT ${FOLIOT_LINKER_SCRIPT} ABSOLUTE
    BASE_DIR ${FOLIOT_ARCH_DIR})
endif()

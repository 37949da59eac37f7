# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/../mps2_an385/board.cmake)
set(FOLIOT_CPU_FLAGS -mcpu=cortex-m4 -mthumb)
set(FOLIOT_FPU fpv4-sp-d16)

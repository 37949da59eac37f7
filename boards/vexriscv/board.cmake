# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/../ibex/board.cmake)
set(FOLIOT_CPU_FLAGS -march=rv32im_zicsr -mabi=ilp32) # no compressed instructions

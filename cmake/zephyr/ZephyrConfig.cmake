# SPDX-License-Identifier: Apache-2.0
#
# What find_package(Zephyr) finds: `foliot build` has set everything up before it reads the application's
# CMakeLists.txt (cmake/application.cmake has what it may call), so here are only the names it expects.

set(ZEPHYR_BASE ${FOLIOT_ROOT})
set(APPLICATION_SOURCE_DIR ${FOLIOT_APP})
set(APPLICATION_BINARY_DIR ${CMAKE_BINARY_DIR}/application)
set(BOARD ${FOLIOT_BOARD})
set(ARCH ${FOLIOT_ARCH})

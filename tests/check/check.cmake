# SPDX-License-Identifier: Apache-2.0
#
# Included by an application whose checks are TEST()s (test.h). One with a main()
# of its own takes check.c alone.

target_sources(app PRIVATE ${CMAKE_CURRENT_LIST_DIR}/check.c ${CMAKE_CURRENT_LIST_DIR}/test.c)
target_include_directories(app PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${FOLIOT_ROOT})

# SPDX-License-Identifier: Apache-2.0
#
# The kernel's sources, room by room: each room's sources.cmake says what is always in the
# archive and what only with an option, so that no file is one large #ifdef.

set(FOLIOT_KERNEL_SOURCES "")

macro(foliot_kernel_sources)
  foreach(file ${ARGN})
    list(APPEND FOLIOT_KERNEL_SOURCES ${CMAKE_CURRENT_LIST_DIR}/${file})
  endforeach()
endmacro()

# foliot_kernel_feature(OPTION FILE...): only with CONFIG_OPTION.
macro(foliot_kernel_feature option)
  if(CONFIG_${option})
    foliot_kernel_sources(${ARGN})
  endif()
endmacro()

include(${FOLIOT_ROOT}/kernel/sources.cmake)

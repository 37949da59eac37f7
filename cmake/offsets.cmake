# SPDX-License-Identifier: Apache-2.0
#
# offsets.h: what assembly knows of the kernel's structures, as the compiler has them: the absolute
# symbols of an object that is never linked (arch/offsets.h). Included by CMakeLists.txt it sets the
# target up; run as a script (cmake -P) it writes the header.
#
#   NM, OBJECT    the tool that lists its symbols, and the object
#   HEADER        what is written

if(NOT CMAKE_SCRIPT_MODE_FILE)
  if(EXISTS ${FOLIOT_ARCH_DIR}/offsets.c)
    add_library(offsets OBJECT ${FOLIOT_ARCH_DIR}/offsets.c)
    set_target_properties(offsets PROPERTIES FOLIOT_KERNEL ON)
    target_include_directories(offsets PRIVATE ${FOLIOT_INTERNAL_INCLUDES})
    add_custom_command(OUTPUT ${FOLIOT_GENERATED}/offsets.h
      COMMAND ${CMAKE_COMMAND} -DNM=${FOLIOT_TOOLCHAIN_PREFIX}nm -DOBJECT=$<TARGET_OBJECTS:offsets>
        -DHEADER=${FOLIOT_GENERATED}/offsets.h -P ${CMAKE_CURRENT_LIST_FILE}
      DEPENDS offsets $<TARGET_OBJECTS:offsets> ${CMAKE_CURRENT_LIST_FILE}
      COMMENT "Listing the offsets" VERBATIM)
    add_custom_target(offsets_header DEPENDS ${FOLIOT_GENERATED}/offsets.h)
    foreach(target kernel library machine app)
      add_dependencies(${target} offsets_header)
    endforeach()
  endif()
  return()
endif()

cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${NM} ${OBJECT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9a-f]+ A [A-Z_0-9]+" symbols "${symbols}")
set(text "/* Made by cmake/offsets.cmake. */\n")
foreach(symbol ${symbols})
  string(REGEX REPLACE "^([0-9a-f]+) A (.*)$" "#define \\2 0x\\1\n" line ${symbol})
  string(APPEND text "${line}")
endforeach()
if(NOT symbols)
  message(FATAL_ERROR "${OBJECT} has no offsets")
endif()
file(WRITE ${HEADER} "${text}")

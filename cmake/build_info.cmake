# SPDX-License-Identifier: Apache-2.0
#
# build_info.h: what the firmware says about how it was made. It is looked at in every
# build but written only when something in it changed, and only suites/measure includes
# it: a new commit rebuilds one file. Included by CMakeLists.txt it sets the target up;
# run as a script (cmake -P) it writes the file.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE ";" " " FOLIOT_FLAGS "${FOLIOT_CODE_FLAGS}")
  set(FOLIOT_COMPILER "gcc ${CMAKE_C_COMPILER_VERSION}")
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/build_facts.cmake CONTENT "
set(FOLIOT_ROOT [==[${FOLIOT_ROOT}]==])
set(FOLIOT_APP [==[${FOLIOT_APP}]==])
set(FOLIOT_COMPILER [==[${FOLIOT_COMPILER}]==])
set(FOLIOT_FLAGS [==[${FOLIOT_FLAGS}]==])
")
  add_custom_target(build_info
    COMMAND ${CMAKE_COMMAND} -DFOLIOT_FACTS=${CMAKE_BINARY_DIR}/build_facts.cmake
      -DFOLIOT_GENERATED=${FOLIOT_GENERATED} -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${FOLIOT_GENERATED}/build_info.h
    COMMENT "Looking at the commit" VERBATIM)
  return()
endif()

include(${FOLIOT_FACTS})
include(${FOLIOT_GENERATED}/config.cmake)

# Whoever owns the checkout, as one that is shared: what is in it is run here anyway.
set(git git -c safe.directory=${FOLIOT_ROOT} -C)
execute_process(COMMAND ${git} ${FOLIOT_ROOT} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE FOLIOT_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE absent)
if(absent)
  set(FOLIOT_COMMIT unknown)
endif()
# Only what goes into an image makes it dirty; a new, untracked source file does too. The
# application is asked for by itself: it may be in another repository, or in none. What tests
# have in common is in the images of tests only.
set(inputs CMakeLists.txt Kconfig cmake conf include kernel lib arch drivers boards suites)
string(FIND "${FOLIOT_APP}" "${FOLIOT_ROOT}/tests/" place)
if(place EQUAL 0)
  list(APPEND inputs tests/check)
endif()
execute_process(COMMAND ${git} ${FOLIOT_ROOT} status --porcelain -- ${inputs}
  OUTPUT_VARIABLE changes ERROR_QUIET)
execute_process(COMMAND ${git} ${FOLIOT_APP} status --porcelain -- .
  OUTPUT_VARIABLE changes_of_the_application ERROR_QUIET)
set(FOLIOT_DIRTY 0)
if(changes OR changes_of_the_application)
  set(FOLIOT_DIRTY 1)
endif()

foreach(name COMPILER FLAGS CORE MEMORY CONFIGURATION)
  string(REPLACE "\\" "\\\\" FOLIOT_${name} "${FOLIOT_${name}}")
  string(REPLACE "\"" "\\\"" FOLIOT_${name} "${FOLIOT_${name}}")
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/build_info.h.in ${FOLIOT_GENERATED}/build_info.h @ONLY)

# SPDX-License-Identifier: Apache-2.0
#
# What an application's CMakeLists.txt may call, beside target_sources(app PRIVATE ...).

# foliot_system_calls(NAME...): functions of the application's that user threads may call; each has
# a verifier verify_NAME() (include/foliot/syscall.h). Nothing without CONFIG_USERSPACE.
function(foliot_system_calls)
  set_property(GLOBAL APPEND PROPERTY FOLIOT_APP_CALLS ${ARGN})
endfunction()

# foliot_library(NAME [DIRECTORY]): link the library target NAME, which DIRECTORY's
# CMakeLists.txt defines (default: suites/NAME of this repository).
function(foliot_library name)
  set(directory ${FOLIOT_ROOT}/suites/${name})
  if(ARGC GREATER 1)
    get_filename_component(directory ${ARGV1} ABSOLUTE)
  endif()
  if(NOT TARGET ${name})
    add_subdirectory(${directory} ${CMAKE_BINARY_DIR}/library/${name})
    add_dependencies(${name} build_info)
    target_link_libraries(${name} PUBLIC kernel)
  endif()
  target_link_libraries(app PRIVATE ${name})
endfunction()

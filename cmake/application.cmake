# SPDX-License-Identifier: Apache-2.0
#
# What an application's CMakeLists.txt may call, beside target_sources(app PRIVATE ...): ours, and
# below, what Zephyr's users call.

# foliot_system_calls(NAME...): functions of the application's that user threads may call; each has
# a verifier verify_NAME() (include/foliot/syscall.h). Nothing without CONFIG_USERSPACE.
function(foliot_system_calls)
  set_property(GLOBAL APPEND PROPERTY FOLIOT_APP_CALLS ${ARGN})
endfunction()

# Headers in which Zephyr's __syscall declares calls of the application's (cmake/syscalls.cmake), by name, or all in a
# directory. With CONFIG_APPLICATION_DEFINED_SYSCALL all of the application's are read.
function(zephyr_syscall_header)
  foreach(header ${ARGN})
    get_filename_component(header ${header} ABSOLUTE)
    set_property(GLOBAL APPEND PROPERTY FOLIOT_SYSCALL_HEADERS ${header})
  endforeach()
endfunction()

function(zephyr_syscall_include_directories)
  foreach(directory ${ARGN})
    get_filename_component(directory ${directory} ABSOLUTE)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${directory}/*.h)
    zephyr_syscall_header(${headers})
  endforeach()
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

# find_package(Zephyr) finds cmake/zephyr, and project() names a project that is set up already: the
# languages are the configuration's.
set(Zephyr_DIR ${FOLIOT_ROOT}/cmake/zephyr)
macro(project name)
  _project(${name} LANGUAGES NONE)
endmacro()

function(zephyr_include_directories)
  target_include_directories(app PRIVATE ${ARGN})
endfunction()

function(zephyr_compile_definitions)
  target_compile_definitions(app PRIVATE ${ARGN})
endfunction()

function(zephyr_compile_options)
  target_compile_options(app PRIVATE ${ARGN})
endfunction()

function(zephyr_link_libraries)
  target_link_libraries(app PRIVATE ${ARGN})
endfunction()

function(zephyr_sources)
  target_sources(app PRIVATE ${ARGN})
endfunction()

# NAME_ifdef(OPTION ...): where the option is on.
function(zephyr_sources_ifdef option)
  if(${option})
    target_sources(app PRIVATE ${ARGN})
  endif()
endfunction()

function(target_sources_ifdef option target scope)
  if(${option})
    target_sources(${target} ${scope} ${ARGN})
  endif()
endfunction()

function(target_compile_definitions_ifdef option target scope)
  if(${option})
    target_compile_definitions(${target} ${scope} ${ARGN})
  endif()
endfunction()

function(target_include_directories_ifdef option target scope)
  if(${option})
    target_include_directories(${target} ${scope} ${ARGN})
  endif()
endfunction()

macro(add_subdirectory_ifdef option directory)
  if(${option})
    add_subdirectory(${directory} ${ARGN})
  endif()
endmacro()

# A library of the application's; what follows names the last one of this directory.
macro(zephyr_library_named name)
  set(ZEPHYR_CURRENT_LIBRARY ${name})
  add_library(${name} STATIC)
  target_link_libraries(${name} PUBLIC kernel)
  target_link_libraries(app PRIVATE ${name})
endmacro()

macro(zephyr_library)
  string(MAKE_C_IDENTIFIER "library_${CMAKE_CURRENT_SOURCE_DIR}" zephyr_library_name)
  zephyr_library_named(${zephyr_library_name})
endmacro()

function(zephyr_library_sources)
  target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()

function(zephyr_library_sources_ifdef option)
  if(${option})
    zephyr_library_sources(${ARGN})
  endif()
endfunction()

function(zephyr_library_include_directories)
  target_include_directories(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()

function(zephyr_library_compile_definitions)
  target_compile_definitions(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()

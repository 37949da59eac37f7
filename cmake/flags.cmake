# SPDX-License-Identifier: Apache-2.0
#
# One list of flags for kernel, suites and applications alike, so that no row is measured
# with flags of its own; the firmware prints it (FOLIOT_FLAGS in build_info.h). What is
# left out of the printed list says nothing about the code: include paths, warnings,
# and the mapping of this machine's paths, which keeps images the same everywhere.

set(FOLIOT_LEVEL -O2)
if(CONFIG_HOST_SANITIZERS)
  set(FOLIOT_LEVEL -O1) # what they find is the same, and it compiles in three quarters of the time
elseif(CONFIG_SIZE_OPTIMIZATIONS)
  set(FOLIOT_LEVEL -Os)
endif()
set(FOLIOT_CODE_FLAGS -std=gnu11 ${FOLIOT_LEVEL} -g -fno-common -ffunction-sections -fdata-sections)
if(NOT FOLIOT_HOSTED)
  list(APPEND FOLIOT_CODE_FLAGS -ffreestanding)
endif()
list(APPEND FOLIOT_CODE_FLAGS ${FOLIOT_CPU_FLAGS} ${FOLIOT_ARCH_FLAGS})
if(CONFIG_THREAD_LOCAL_STORAGE)
  list(APPEND FOLIOT_CODE_FLAGS -ftls-model=local-exec) # one image, and nothing is loaded later
endif()
if(CONFIG_STACK_CANARIES_ALL)
  list(APPEND FOLIOT_CODE_FLAGS -fstack-protector-all)
elseif(CONFIG_STACK_CANARIES)
  list(APPEND FOLIOT_CODE_FLAGS -fstack-protector-strong)
endif()

set(FOLIOT_WARNINGS -Wall -Wextra -Werror -Wundef -Wshadow -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers> # of static initialisers by name
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)

# C++ with the same flags, but for its own standard, and without what would need its library.
set(FOLIOT_EACH_LANGUAGES_FLAGS ${FOLIOT_CODE_FLAGS})
if(CONFIG_CPP)
  list(REMOVE_ITEM FOLIOT_EACH_LANGUAGES_FLAGS -std=gnu11)
  list(PREPEND FOLIOT_EACH_LANGUAGES_FLAGS $<$<NOT:$<COMPILE_LANGUAGE:CXX>>:-std=gnu11>)
  set(cpp -std=gnu++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fcheck-new
    -fno-asynchronous-unwind-tables)
  foreach(flag ${cpp})
    list(APPEND FOLIOT_EACH_LANGUAGES_FLAGS $<$<COMPILE_LANGUAGE:CXX>:${flag}>)
  endforeach()
endif()
# What a program may include of C's library and C++'s; a toolchain's own, if it has one, is not linked.
if(NOT FOLIOT_HOSTED)
  add_compile_options("SHELL:-isystem \"${FOLIOT_ROOT}/include/libc\"")
endif()
if(CONFIG_CPP)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-isystem \"${FOLIOT_ROOT}/include/libcpp\">")
endif()

# What is generated has the same name in each build, from where Ninja runs the compilers: so a
# compiler's cache finds in one what it kept of another.
cmake_path(RELATIVE_PATH FOLIOT_GENERATED BASE_DIRECTORY ${CMAKE_BINARY_DIR}
  OUTPUT_VARIABLE generated)
add_compile_options(${FOLIOT_EACH_LANGUAGES_FLAGS} ${FOLIOT_WARNINGS}
  -ffile-prefix-map=${FOLIOT_ROOT}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}=.
  "SHELL:-I \"${generated}\"" -imacros ${FOLIOT_ROOT}/cmake/int32.h
  -include ${generated}/$<IF:$<BOOL:$<TARGET_PROPERTY:FOLIOT_KERNEL>>,kernel_autoconf.h,autoconf.h>)
include_directories(${FOLIOT_ROOT}/include ${FOLIOT_BOARD_DIR} ${FOLIOT_ARCH_DIR}/include)

# The application's linker script is the architecture's, run through the preprocessor so
# that it knows the board's memory and the configuration.
function(foliot_link target)
  target_link_options(${target} PRIVATE ${FOLIOT_CPU_FLAGS} ${FOLIOT_ARCH_FLAGS}
    -Wl,--gc-sections -Wl,--no-warn-rwx-segments -Wl,-Map=${CMAKE_BINARY_DIR}/firmware.map)
  if(FOLIOT_HOSTED)
    return()
  endif()
  set(script ${CMAKE_BINARY_DIR}/linker.ld)
  add_custom_command(OUTPUT ${script}
    COMMAND ${CMAKE_C_COMPILER} -E -P -x assembler-with-cpp ${FOLIOT_CPU_FLAGS}
      -include ${FOLIOT_GENERATED}/autoconf.h -I${FOLIOT_BOARD_DIR} -I${FOLIOT_ARCH_DIR}/include
      -I${FOLIOT_ROOT}/include -MD -MF ${script}.d -MT ${script} -o ${script}
      ${FOLIOT_LINKER_SCRIPT}
    DEPENDS ${FOLIOT_LINKER_SCRIPT} DEPFILE ${script}.d
    COMMENT "Preparing the linker script" VERBATIM)
  add_custom_target(linker_script DEPENDS ${script})
  add_dependencies(${target} linker_script)
  target_link_options(${target} PRIVATE -nostdlib -static -T${script})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${script})
endfunction()

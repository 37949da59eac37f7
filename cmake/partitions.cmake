# SPDX-License-Identifier: Apache-2.0
#
# Run before the linking of a program with user threads: what lies in each partition of
# K_APPMEM_PARTITION_DEFINE() is known then, and how large it is. A region of protection is a power
# of two, naturally aligned, so the linker script (arch/sections.ld) needs that power. It cannot
# compute it: the size is a matter of what it is about to place. The largest come first, so
# that between two of them nothing is lost.
#
#   OBJDUMP, DIRECTORY    where the objects are; app_align.ld and app_partitions.ld are written there
#   LEAST                 bytes that both ends of a partition are multiples of
#   PARTS                 of what parts of a region the last ones can be left out: 8 or, none, 1;
#                         0: pages, a partition takes as many as it needs

cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE objects ${DIRECTORY}/*.obj ${DIRECTORY}/*.o)
execute_process(COMMAND ${OBJDUMP} --section-headers --wide ${objects} OUTPUT_VARIABLE headers
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\\.app\\.[A-Za-z0-9_]+\\.[0-2] +[0-9a-f]+ [^\n]+2\\*\\*[0-9]+" headers
  "${headers}")

set(names "")
foreach(header ${headers})
  string(REGEX MATCH "^\\.app\\.([A-Za-z0-9_]+)\\.[0-2] +([0-9a-f]+) .*2\\*\\*([0-9]+)$" header
    "${header}")
  set(name ${CMAKE_MATCH_1})
  if(NOT name IN_LIST names)
    list(APPEND names ${name})
    set(align_of_${name} ${LEAST})
    set(sizes_of_${name} "")
  endif()
  list(APPEND sizes_of_${name} ${CMAKE_MATCH_2})
  math(EXPR align "1 << ${CMAKE_MATCH_3}")
  if(align GREATER align_of_${name})
    set(align_of_${name} ${align})
  endif()
endforeach()

set(order "")
set(largest ${LEAST})
foreach(name ${names})
  set(total 0)
  foreach(size ${sizes_of_${name}}) # as if each section were aligned as the most aligned one
    math(EXPR total
      "${total} + (0x${size} + ${align_of_${name}} - 1) / ${align_of_${name}} * ${align_of_${name}}")
  endforeach()
  set(power ${align_of_${name}})
  while(PARTS AND power LESS total)
    math(EXPR power "${power} * 2")
  endwhile()
  if(power GREATER largest)
    set(largest ${power})
  endif()
  list(APPEND order ${power}.${name})
endforeach()
list(SORT order COMPARE NATURAL ORDER DESCENDING)

set(text "")
foreach(entry ${order})
  string(REGEX MATCH "^([0-9]+)\\.(.*)$" entry ${entry})
  set(power ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(part ${LEAST})
  if(PARTS)
    math(EXPR part "${power} / ${PARTS}")
    if(part LESS LEAST)
      set(part ${LEAST})
    endif()
  endif()
  string(APPEND text ". = ALIGN(${power});\nKEEP(*(.app.${name}.0))\nKEEP(*(.app.${name}.1))\n"
    ". = ALIGN(${part});\nKEEP(*(.app.${name}.2))\n")
endforeach()
file(WRITE ${DIRECTORY}/app_partitions.ld "${text}")
file(WRITE ${DIRECTORY}/app_align.ld "_app_align = ${largest};\n")

# SPDX-License-Identifier: Apache-2.0
#
# System calls that an application declares as Zephyr's do, by __syscall in a header (cmake/application.cmake
# says which are read): for each header what it includes at its end, <zephyr/syscalls/HEADER.h>, and for each call what
# the file with its verifier includes, <zephyr/syscalls/NAME_mrsh.c>; both without zephyr/, too.
#
# A call passes its arguments as a structure on its caller's stack, so there may be any number of them, of any size: what
# traps is foliot_system_calls()'s, and takes a word. Its verifier copies the structure in, and the result out.
# Rejected: words in registers, as foliot_system_calls() has them: then what is wider than a word, or narrower
# and not extended, or a fifth, would each be a case of its own; who needs the cycles has foliot_system_calls().

# What CMake's lists take for their own is not in a declaration that can be a call.
set(FOLIOT_DECLARATION "^__syscall[ \t\n]+(.*[^A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)[ \t\n]*\\(([^()]*)\\)[ \t\n]*@$")
set(FOLIOT_ARGUMENT "^(.*[^A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)$")

# Sets `found`: the declarations in a header, each on one line and with an @ at its end.
function(foliot_find_calls header found)
  file(READ ${header} text)
  string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" " " text "${text}")
  string(REGEX REPLACE "//[^\n]*" " " text "${text}")
  string(REPLACE ";" "@" text "${text}")
  string(REGEX REPLACE "[][]" "#" text "${text}")
  string(REGEX MATCHALL "__syscall[ \t\n][^@]*@" calls "${text}")
  list(TRANSFORM calls REPLACE "[ \t\n]+" " ")
  set(${found} "${calls}" PARENT_SCOPE)
endfunction()

# Writes `text` as FILE under both paths that Zephyr's programs include it by.
function(foliot_write_syscalls file text)
  foreach(path zephyr/syscalls syscalls)
    file(CONFIGURE OUTPUT ${FOLIOT_GENERATED}/${path}/${file} CONTENT "${text}" @ONLY)
  endforeach()
endfunction()

# One declaration: sets what the header, and the file of functions, get of it; writes NAME_mrsh.c.
function(foliot_make_call header call)
  if(NOT call MATCHES "${FOLIOT_DECLARATION}")
    string(REPLACE "@" ";" call "${call}")
    message(FATAL_ERROR "${header}: not a call that can be made: ${call} Arguments have names, "
      "and are no functions: a typedef is")
  endif()
  string(STRIP "${CMAKE_MATCH_1}" type)
  set(name ${CMAKE_MATCH_2})
  string(REPLACE "," ";" arguments "${CMAKE_MATCH_3}")
  set(members "")
  set(set "")
  set(passed "")
  set(prototype "")
  foreach(argument ${arguments})
    string(STRIP "${argument}" argument)
    if(argument STREQUAL "void" OR argument STREQUAL "")
      continue()
    endif()
    if(NOT argument MATCHES "${FOLIOT_ARGUMENT}")
      message(FATAL_ERROR "${header}: ${name}(): an argument is a type and a name: ${argument}")
    endif()
    set(of ${CMAKE_MATCH_1})
    set(argument_name ${CMAKE_MATCH_2})
    if(of MATCHES "^(bool|_Bool) $") # user mode may leave any byte, which no bool may hold
      string(APPEND members "\tunsigned char ${argument_name};\n")
      list(APPEND passed "words_->${argument_name} != 0")
    else()
      string(APPEND members "\t${of}${argument_name};\n")
      list(APPEND passed "words_->${argument_name}")
    endif()
    string(APPEND set "\twords_.${argument_name} = ${argument_name};\n")
    list(APPEND prototype "${argument}")
  endforeach()
  list(JOIN passed ", " passed)
  string(REPLACE "words_->" "copy_." kept "${passed}")
  list(JOIN prototype ", " prototype)
  if(prototype STREQUAL "")
    set(prototype void)
  endif()
  set(returns "")
  set(result "")
  set(saved_result "")
  set(copied "")
  if(NOT type STREQUAL "void")
    string(APPEND members "\t${type} result_;\n")
    set(returns "\treturn words_.result_;\n")
    set(direct "return ")
    set(result "words_->result_ = ")
    set(saved_result "copy_.result_ = ")
    set(copied "\tK_OOPS(k_usermode_to_copy(&words_->result_, &copy_.result_, sizeof(copy_.result_)) != 0);\n")
  elseif(members STREQUAL "")
    set(members "\tchar none_;\n")
    set(set "\twords_.none_ = 0;\n")
  endif()
  string(REGEX REPLACE "words_\\.([A-Za-z0-9_]+) = [A-Za-z0-9_]+" "\\1" names "${set}")
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*" names "${names}")
  list(REMOVE_ITEM names none_)
  list(JOIN names ", " names)
  set(made "${made}
${type} z_impl_${name}(${prototype});
#ifdef CONFIG_USERSPACE
struct syscall_${name}_words {
${members}};
void syscall_${name}_(struct syscall_${name}_words *words_);
static inline ${type} ${name}(${prototype})
{
	struct syscall_${name}_words words_;

${set}	syscall_${name}_(&words_);
${returns}}
#else
static inline ${type} ${name}(${prototype})
{
	${direct}z_impl_${name}(${names});
}
#endif
" PARENT_SCOPE)
  set(functions "${functions}
void syscall_${name}_(struct syscall_${name}_words *words_)
{
	${result}z_impl_${name}(${passed});
}
" PARENT_SCOPE)
  foliot_write_syscalls(${name}_mrsh.c "/* Made by cmake/syscalls.cmake: what stands before z_vrfy_${name}(). */
#include <foliot/syscall.h>

void verify_syscall_${name}_(struct syscall_${name}_words *words_);
void verify_syscall_${name}_(struct syscall_${name}_words *words_)
{
	struct syscall_${name}_words copy_;

	K_OOPS(k_usermode_from_copy(&copy_, words_, sizeof(copy_)) != 0);
	${saved_result}z_vrfy_${name}(${kept});
${copied}}
")
  foliot_system_calls(syscall_${name}_)
endfunction()

# All calls that a header declares; it is read again when it changes.
function(foliot_make_calls header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  foliot_find_calls(${header} calls)
  if(calls STREQUAL "")
    return()
  endif()
  get_filename_component(base ${header} NAME_WE)
  get_property(others GLOBAL PROPERTY FOLIOT_SYSCALL_BASES)
  if(base IN_LIST others)
    message(FATAL_ERROR "${header}: two headers of this name declare system calls")
  endif()
  set_property(GLOBAL APPEND PROPERTY FOLIOT_SYSCALL_BASES ${base})
  set(made "")
  set(functions "")
  foreach(call ${calls})
    foliot_make_call(${header} "${call}")
  endforeach()
  foliot_write_syscalls(${base}.h "/* Made by cmake/syscalls.cmake of ${header}. */
#ifdef __cplusplus
extern \"C\" {
#endif
${made}
#ifdef __cplusplus
}
#endif
")
  if(CONFIG_USERSPACE)
    set(file ${FOLIOT_GENERATED}/syscalls/${base}_functions.c)
    file(CONFIGURE OUTPUT ${file} CONTENT "/* Made by cmake/syscalls.cmake of ${header}. */
#include \"${header}\"
${functions}" @ONLY)
    target_sources(app PRIVATE ${file})
  endif()
endfunction()

get_property(FOLIOT_SYSCALL_HEADERS GLOBAL PROPERTY FOLIOT_SYSCALL_HEADERS)
if(CONFIG_APPLICATION_DEFINED_SYSCALL)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${FOLIOT_APP}/*.h)
  list(FILTER headers EXCLUDE REGEX "^${FOLIOT_APP}/build/")
  list(APPEND FOLIOT_SYSCALL_HEADERS ${headers})
endif()
list(REMOVE_DUPLICATES FOLIOT_SYSCALL_HEADERS)
foreach(header ${FOLIOT_SYSCALL_HEADERS})
  foliot_make_calls(${header})
endforeach()

# SPDX-License-Identifier: Apache-2.0
#
# The rooms, in the order in which their objects come in the archive: it decides where code
# lies, and so can move a row by a few cycles (`foliot gate --strict` tells).

foreach(room start core sched time objects memory ipc access syscall stack inspect work)
  include(${CMAKE_CURRENT_LIST_DIR}/${room}/sources.cmake)
endforeach()

# SPDX-License-Identifier: Apache-2.0
#
# The rooms, in the order in which their objects come in the archive: it decides where code
# lies, and so can move a row by a few cycles (`foliot gate --strict` tells).

foreach(room core sched time objects memory ipc protect inspect work)
  include(${CMAKE_CURRENT_LIST_DIR}/${room}/sources.cmake)
endforeach()

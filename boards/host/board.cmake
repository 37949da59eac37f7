# SPDX-License-Identifier: Apache-2.0
#
# The machine's devices are part of it: arch/host/machine.c.

set(FOLIOT_ARCH host)
set(FOLIOT_CPU_FLAGS "")
set(FOLIOT_DRIVERS "")
if(CONFIG_TRACE)
  list(APPEND FOLIOT_DRIVERS trace/ring.c)
endif()

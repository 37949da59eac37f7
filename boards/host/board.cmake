# SPDX-License-Identifier: Apache-2.0
#
# The machine's devices are part of it: arch/host/machine.c.

set(FOLIOT_ARCH host)
set(FOLIOT_CPU_FLAGS "")
set(FOLIOT_DRIVERS "")
set(FOLIOT_TRACE trace/ring.c)

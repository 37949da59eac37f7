# SPDX-License-Identifier: Apache-2.0
#
# Kernel files that belong to one option alone. They are left out of the build where it
# is off, so that none of them is one large #ifdef.

# foliot_feature(OPTION FILE...): compile kernel/FILE... only with CONFIG_OPTION.
macro(foliot_feature option)
  if(NOT CONFIG_${option})
    foreach(file ${ARGN})
      list(REMOVE_ITEM FOLIOT_KERNEL_SOURCES ${FOLIOT_ROOT}/kernel/${file})
    endforeach()
  endif()
endmacro()

foliot_feature(SWITCH_HOOKS switch.c)
foliot_feature(THREAD_USAGE usage.c)
foliot_feature(OBJ_CORE object.c object_walk.c report.c)
foliot_feature(OBJ_CORE_STATS object_stats.c)
foliot_feature(TIMESLICING slice.c)
foliot_feature(STACK_GUARD stackguard.c)
foliot_feature(STACK_CANARIES canary.c)
foliot_feature(STACK_CHECKS stackcheck.c)

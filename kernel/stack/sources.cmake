# SPDX-License-Identifier: Apache-2.0
foliot_kernel_feature(STACK_CANARIES canary.c)
foliot_kernel_feature(STACK_GUARD stackguard.c)
if(NOT CONFIG_STACK_GUARD_HW)
  foliot_kernel_feature(STACK_GUARD stackguard_switch.c)
endif()

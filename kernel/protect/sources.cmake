# SPDX-License-Identifier: Apache-2.0
foliot_kernel_feature(STACK_CANARIES canary.c)
foliot_kernel_feature(STACK_GUARD stackguard.c)

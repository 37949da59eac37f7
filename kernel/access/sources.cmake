# SPDX-License-Identifier: Apache-2.0
foliot_kernel_feature(USERSPACE access.c domain.c object_alloc.c references.c user_memory.c)

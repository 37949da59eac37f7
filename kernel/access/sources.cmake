# SPDX-License-Identifier: Apache-2.0
foliot_kernel_feature(USERSPACE object_rights.c domain.c object_alloc.c references.c user_pointer.c)

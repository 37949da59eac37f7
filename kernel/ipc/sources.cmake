# SPDX-License-Identifier: Apache-2.0
foliot_kernel_feature(IPC ipc.c message.c api.c)

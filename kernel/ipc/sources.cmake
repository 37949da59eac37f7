# SPDX-License-Identifier: Apache-2.0
foliot_kernel_feature(IPC call.c receive.c reply_receive.c message.c api.c)
if(CONFIG_USERSPACE AND CONFIG_IPC)
  foliot_kernel_feature(ARCH_IPC_REGISTERS fast.c fast_bytes.c verify_ipc_words.c)
  foliot_kernel_feature(IPC fault.c verify_ipc.c)
endif()

# SPDX-License-Identifier: Apache-2.0
foliot_kernel_feature(STACK_CANARIES canary.c)
foliot_kernel_feature(USERSPACE access.c app_calls.c domain.c not_inline.c object_alloc.c references.c syscall_table.c thread_access.c user.c
  user_memory.c user_side.c verify_data.c verify_quick.c verify_sync.c verify_thread.c verify_time.c)
if(CONFIG_USERSPACE)
  foliot_kernel_feature(IPC verify_ipc.c)
  if(CONFIG_IPC)
    foliot_kernel_feature(ARCH_IPC_REGISTERS verify_ipc_words.c)
  endif()
endif()
foliot_kernel_feature(STACK_GUARD stackguard.c)

# SPDX-License-Identifier: Apache-2.0
foliot_kernel_feature(USERSPACE app_calls.c not_inline.c packed.c syscall_table.c thread_access.c user.c user_side.c verify_atomic.c verify_create.c
  verify_data.c verify_futex.c verify_pipe.c verify_quick.c verify_sync.c verify_thread.c verify_time.c)
if(CONFIG_USERSPACE)
  foliot_kernel_feature(ARCH_USER_CALLS_MASKED quick_rest.c verify_masked.c)
  foliot_kernel_feature(POLL verify_poll.c)
endif()

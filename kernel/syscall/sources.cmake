# SPDX-License-Identifier: Apache-2.0
foliot_kernel_feature(USERSPACE app_calls.c fast.c not_inline.c packed.c system_call_table.c thread_access.c user_mode.c user_side.c verify_atomic.c verify_create.c
  verify_data.c verify_futex.c verify_pipe.c verify_sync.c verify_thread.c verify_time.c)
if(CONFIG_USERSPACE)
  foliot_kernel_feature(ARCH_USER_CALLS_MASKED fast_masked.c fast_wide.c masked.c)
  foliot_kernel_feature(POLL verify_poll.c)
endif()

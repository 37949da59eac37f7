# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(condition_variable.c event.c futex.c inherit.c msgq.c msgq_copy.c msgq_step.c mutex.c pipe.c pipe_alloc.c mbox.c mbox_async.c queue.c sem.c sem_reset.c
  stack.c timer.c)
foliot_kernel_feature(PERIODIC flags.c)
foliot_kernel_feature(OBJ_CORE fifo_lifo.c)
foliot_kernel_feature(PIPES pipe_before.c)
foliot_kernel_feature(POLL poll.c)

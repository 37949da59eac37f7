# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(condvar.c event.c msgq.c msgq_copy.c mutex.c queue.c sem.c stack.c timer.c)
foliot_kernel_feature(PERIODIC flags.c)
foliot_kernel_feature(OBJ_CORE fifo_lifo.c)

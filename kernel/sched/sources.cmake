# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(cpu_idle.c generation.c join.c lock.c ready.c reschedule.c sched.c sleep.c switch_failed.c thread.c thread_end.c
  thread_stack.c timed_wait.c wait_q.c traversal.c traversal_alone.c yield.c)
foliot_kernel_feature(METAIRQ metairq.c)
foliot_kernel_feature(SCHED_DEADLINE deadline.c)
foliot_kernel_feature(PERIODIC period.c)
foliot_kernel_feature(SWITCH_HOOKS switch.c)
foliot_kernel_feature(THREAD_LOCAL_STORAGE tls.c)
foliot_kernel_feature(TIMESLICING slice.c)

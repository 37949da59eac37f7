# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(ready.c sched.c thread.c wait_q.c yield.c)
foliot_kernel_feature(SWITCH_HOOKS switch.c)
foliot_kernel_feature(TIMESLICING slice.c)

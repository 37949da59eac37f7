# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(work.c work_delayed.c work_queue.c work_system.c)
foliot_kernel_feature(POLL work_poll.c work_poll_system.c)

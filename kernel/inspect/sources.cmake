# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(thread_facts.c)
foliot_kernel_feature(THREAD_CUSTOM_DATA thread_custom_data.c)
foliot_kernel_feature(ERRNO thread_errno.c)
foliot_kernel_feature(TRACE trace.c)
foliot_kernel_feature(THREAD_USAGE usage.c)
foliot_kernel_feature(OBJ_CORE object.c object_walk.c report.c)
foliot_kernel_feature(OBJ_CORE_STATS object_stats.c)
foliot_kernel_feature(THREAD_REGISTRY registry.c)

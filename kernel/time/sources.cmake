# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(clock.c timeout.c)
foliot_kernel_feature(PERIODIC period.c)

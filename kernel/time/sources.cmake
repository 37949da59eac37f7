# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(clock.c tick.c timepoint.c)
if(CONFIG_TIMEOUT_LIST)
  foliot_kernel_sources(timeout_list.c)
else()
  foliot_kernel_sources(timeout.c)
endif()

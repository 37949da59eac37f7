# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(init.c fatal.c irq.c no_main.c sys_init.c)
foliot_kernel_feature(CPP cpp.cpp)
if(CONFIG_FAULT_REPORT)
  foliot_kernel_sources(fatal_words.c)
else()
  foliot_kernel_sources(fatal_brief.c)
endif()

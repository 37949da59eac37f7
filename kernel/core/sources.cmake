# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(fatal.c fatal_print.c assert_failed.c interrupt_connect.c interrupt_disconnect.c no_main.c sys_init.c)
foliot_kernel_feature(CPP cpp.cpp)
foliot_kernel_feature(FAULT_REPORT fatal_words.c)

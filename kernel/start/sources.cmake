# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(init.c)

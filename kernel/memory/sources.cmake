# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(heap.c mem_slab.c sys_heap.c)

# SPDX-License-Identifier: Apache-2.0
foliot_kernel_sources(heap.c mem_slab.c mem_slab_stats.c sys_heap.c sys_heap_more.c)

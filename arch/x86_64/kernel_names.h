/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ring 0 does not execute what ring 3 does (SMEP), so what both call is there twice, and in the
 * kernel's files and the port's it has another name: in theirs these names come before any
 * declaration (CMakeLists.txt). The compiler's own calls, of a structure's copy, go by the same
 * name. Rejected: one copy, and a page fault each time that a system call needs it.
 */
#ifndef FOLIOT_USER_MODE_ /* but for what user mode runs of the kernel's files */
#pragma redefine_extname memcpy kernel_memcpy
#pragma redefine_extname memmove kernel_memmove
#pragma redefine_extname memset kernel_memset
#pragma redefine_extname memcmp kernel_memcmp
#pragma redefine_extname strlen kernel_strlen
#pragma redefine_extname strcmp kernel_strcmp
#pragma redefine_extname heap_check_used kernel_heap_check_used
#pragma redefine_extname heap_release kernel_heap_release
#pragma redefine_extname heap_usable_size kernel_heap_usable_size
#pragma redefine_extname sys_heap_aligned_alloc kernel_sys_heap_aligned_alloc
#pragma redefine_extname sys_heap_aligned_realloc kernel_sys_heap_aligned_realloc
#pragma redefine_extname sys_heap_alloc kernel_sys_heap_alloc
#pragma redefine_extname sys_heap_can_ever kernel_sys_heap_can_ever
#pragma redefine_extname sys_heap_free kernel_sys_heap_free
#pragma redefine_extname sys_heap_init kernel_sys_heap_init
#pragma redefine_extname sys_heap_realloc kernel_sys_heap_realloc
#pragma redefine_extname sys_heap_resize kernel_sys_heap_resize
#pragma redefine_extname sys_heap_usable_size kernel_sys_heap_usable_size

/* Where it is the compiler that copies, this is what it knows of. */
#include "lib/string.h"
#endif

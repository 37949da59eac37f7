/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread pointer, for compiled code (-mtp=soft), which relies on all registers but r0, ip and
 * lr. An interrupt in between comes back to the same thread. Rejected: a word that every switch
 * writes, which costs those who have such variables in few threads.
 */
#include <offsets.h>
#include "frames.h"

	.syntax unified
	.thumb
	.section .text.__aeabi_read_tp, "ax"
	.balign 4
	.globl __aeabi_read_tp
	.type __aeabi_read_tp, %function
__aeabi_read_tp:
	ldr r0, =k_cpu
	ldr r0, [r0, #CPU_CURRENT]
	ldr r0, [r0, #THREAD_TLS]
	bx lr
	.ltorg
	.size __aeabi_read_tp, . - __aeabi_read_tp

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of user mode on x86-64: see suites/floor/floor.h. Calls have numbers that
 * the kernel's have not, -3 to -1, and come first; whatever else arrives goes on to the kernel's
 * entry, with the registers that it looks at. In the kernel's own pages, since SMEP and SMAP bind
 * it, too.
 */
#include <board.h>
#include <arch_smap.inc>

#define TSS_KERNEL_STACK 4
#define RFLAGS_USER      0x202
#define MSR_LSTAR        0xc0000082

	.macro function name
	.section .text.\name, "ax"
	.balign 16
	.globl \name
	.type \name, @function
\name:
	.endm

	/* In user mode. */
	.macro call_number name number
	function \name
	movl $\number, %eax
	syscall
	ret
	.endm

	call_number floor_call_null, -3
	call_number floor_call_checked, -2 /* rdi object */
	call_number floor_call_copy, -1 /* rdi to */

	.macro lead_calls_to entry
	movl $MSR_LSTAR, %ecx
	movl $\entry, %eax
	xorl %edx, %edx
	wrmsr
	ret
	.endm

	function floor_calls_take
	lead_calls_to entry

	function floor_calls_return
	lead_calls_to x86_64_call

	.section .kernel_rodata, "a"
	.balign 8
calls:
	.quad null, checked, copy

	.section .kernel_text, "ax"
	.balign 16
entry:
	movq %rsp, %r11
	movq x86_64_task_state + TSS_KERNEL_STACK(%rip), %rsp
	pushq %r11
	leal 3(%rax), %edx
	cmpl $3, %edx
	jae kernels
	jmp *calls(,%rdx,8)
kernels:
	movq %r11, %rsp
	jmp x86_64_call

	.macro back_to_user
	xorl %edx, %edx
	movl $RFLAGS_USER, %r11d
	popq %rsp
	sysretq
	.endm

	.balign 16
null:
	xorl %eax, %eax
	back_to_user

	.balign 16
checked:
	movq %rdi, %rdx
	xorq $BOARD_RAM_BASE, %rdx
	cmpq $BOARD_RAM_SIZE, %rdx
	jae refused
	open_users_pages
	movzbl (%rdi), %edx /* the index, if it is one */
	close_users_pages
	andl $63, %edx /* FLOOR_OBJECTS: an entry that is another's does not lead back */
	cmpq %rdi, floor_objects(,%rdx,8)
	jne refused
	xorl %eax, %eax
	back_to_user

	.balign 16
copy:
	movq %rdi, %rdx
	subq floor_range(%rip), %rdx
	cmpq floor_range + 8(%rip), %rdx
	ja refused
	movl floor_word(%rip), %edx
	open_users_pages
	movl %edx, (%rdi)
	close_users_pages
	xorl %eax, %eax
	back_to_user

refused:
	movl $-1, %eax
	back_to_user

	/* A view is loaded by CR3, whatever is in it: a stack's and a domain's. */
	function floor_regions_read /* rdi to */
	movq %cr3, %rax
	movq %rax, (%rdi)
	ret

	function floor_regions_write_stack /* rdi from */
	movq (%rdi), %rax
	movq %rax, %cr3
	ret

	.globl floor_regions_write_all
	.type floor_regions_write_all, @function
	.set floor_regions_write_all, floor_regions_write_stack

	.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a multiboot loader, which leaves the core in 32-bit protected mode without paging, to the
 * kernel in long mode: memory, the first page tables, registers; mmu.c makes the final ones.
 *
 * The header says where the image goes by itself (bit 16), so that loaders take this 64-bit ELF
 * file as it is, as one piece: rejected was a second file in 32-bit ELF, which some ask for
 * otherwise, and which would have to be made and named beside the one with the symbols. Behind it
 * is the same once more by the second specification, whose loaders look for another header (GRUB's
 * `multiboot2`); both begin at _start in the same state, and nothing of what they tell is read.
 */
#include <board.h>
#include <offsets.h>
#include "frames.h"

#define MULTIBOOT_MAGIC 0x1badb002
#define MULTIBOOT_FLAGS 0x00010000 /* the addresses below are valid */

#define MULTIBOOT2_MAGIC    0xe85250d6
#define MULTIBOOT2_I386     0
#define MULTIBOOT2_ADDRESS  2 /* tags; each begins at a multiple of 8 */
#define MULTIBOOT2_ENTRY    3
#define MULTIBOOT2_REQUIRED 0
#define MULTIBOOT2_SIZE     (multiboot2_end - multiboot2_header)

#define PAGE_PRESENT_WRITABLE 3
#define PAGE_LARGE            0x80 /* 2 MiB */

#define CPUID_EXTENDED        0x80000000
#define CPUID_EXTENDED_FLAGS  0x80000001
#define CPUID_LONG_MODE_AND_NX 0x20100000

#define MSR_EFER      0xc0000080
#define EFER_LME_NXE  0x900
#define CR4_PAE_PGE   0xa0
#define CR0_LONG_MODE 0x80010035 /* paging, WP, and floating point traps: EM, NE, ET, PE */

	.section .text.boot, "ax"
	.balign 8
multiboot_header:
	.long MULTIBOOT_MAGIC
	.long MULTIBOOT_FLAGS
	.long -(MULTIBOOT_MAGIC + MULTIBOOT_FLAGS)
	.long multiboot_header
	.long x86_64_text_start
	.long x86_64_load_end
	.long _image_end
	.long _start

	.balign 8
multiboot2_header:
	.long MULTIBOOT2_MAGIC
	.long MULTIBOOT2_I386
	.long MULTIBOOT2_SIZE
	.long -(MULTIBOOT2_MAGIC + MULTIBOOT2_I386 + MULTIBOOT2_SIZE)
	.short MULTIBOOT2_ADDRESS, MULTIBOOT2_REQUIRED
	.long 24
	.long multiboot2_header
	.long x86_64_text_start
	.long x86_64_load_end
	.long _image_end
	.short MULTIBOOT2_ENTRY, MULTIBOOT2_REQUIRED
	.long 12
	.long _start
	.balign 8
	.long 0, 8 /* the end */
multiboot2_end:

	.code32
	.globl _start
	.type _start, @function
_start:
	cli
	cld
	movl $_bss_start, %edi
	movl $_bss_end, %ecx
	subl %edi, %ecx
	shrl $2, %ecx
	xorl %eax, %eax
	rep stosl

	movl $CPUID_EXTENDED, %eax
	cpuid
	cmpl $CPUID_EXTENDED_FLAGS, %eax
	jb halt
	movl $CPUID_EXTENDED_FLAGS, %eax
	cpuid
	andl $CPUID_LONG_MODE_AND_NX, %edx
	cmpl $CPUID_LONG_MODE_AND_NX, %edx
	jne halt

	movl $boot_directories + PAGE_PRESENT_WRITABLE, boot_top
	movl $boot_directory + PAGE_PRESENT_WRITABLE, boot_directories
	movl $boot_directory, %edi
	movl $PAGE_LARGE | PAGE_PRESENT_WRITABLE, %eax
1:	movl %eax, (%edi) /* Bound: the 512 entries of the first GiB. */
	addl $8, %edi
	addl $0x200000, %eax
	cmpl $0x40000000, %eax
	jb 1b

	movl $CR4_PAE_PGE, %eax
	movl %eax, %cr4
	movl $boot_top, %eax
	movl %eax, %cr3
	movl $MSR_EFER, %ecx
	rdmsr
	orl $EFER_LME_NXE, %eax
	wrmsr
	movl $CR0_LONG_MODE, %eax
	movl %eax, %cr0
	lgdt boot_gdt_pointer
	ljmp $SELECTOR_CODE, $long_mode

halt: /* a 32-bit CPU, or one without NX: there is nothing here to say it with */
	hlt
	jmp halt

	.code64
long_mode:
	movl $SELECTOR_DATA, %eax
	movl %eax, %ds
	movl %eax, %es
	movl %eax, %ss
	xorl %eax, %eax
	movl %eax, %fs
	movl %eax, %gs
	lldt %ax
	movq $x86_64_isr_stack_top, %rsp
#ifdef CONFIG_FPU
	call x86_64_fpu_init
#endif
	call x86_64_descriptors_init
	call x86_64_mmu_init
	call x86_64_irq_init
#ifdef BOARD_CLOCK_STARTS
	call clock_start
#endif
#if defined(CONFIG_X86_64_COUNTS_CLOCKS) || defined(CONFIG_X86_64_COUNTS_INSTRUCTIONS)
	call x86_64_counters_init
#endif
	xorl %ebp, %ebp
	call kernel_start
	.size _start, . - _start

	.section .rodata.boot_gdt, "a"
	.balign 8
boot_gdt:
	.quad 0
	.quad 0x00af9a000000ffff
	.quad 0x00cf92000000ffff
boot_gdt_end:
boot_gdt_pointer:
	.word boot_gdt_end - boot_gdt - 1
	.long boot_gdt

	.section .bss.boot_tables, "aw", @nobits
	.balign 4096
boot_top:
	.zero 4096
boot_directories:
	.zero 4096
boot_directory:
	.zero 4096

	.section .note.GNU-stack, "", @progbits

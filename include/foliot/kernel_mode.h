/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * For a source file whose functions run in kernel mode only, as those behind a system call of an
 * application's own: include it there. With user threads and stack canaries its functions then
 * carry the kernel's word, which user mode cannot read; they cannot run in user mode any more.
 * Otherwise it is empty. The kernel's own files have it by the build.
 *
 * All other code, which may run in either mode, has a word that user mode reads. See
 * docs/security.md.
 */
#ifndef FOLIOT_KERNEL_MODE_H
#define FOLIOT_KERNEL_MODE_H

#if defined(CONFIG_USERSPACE) && defined(CONFIG_STACK_CANARIES) && !defined(FOLIOT_USER_MODE_)
/* The compiler knows one name only; for the assembler it is another one in this file. */
__asm__(".set __stack_chk_guard, kernel_stack_chk_guard");
#endif

#endif /* FOLIOT_KERNEL_MODE_H */

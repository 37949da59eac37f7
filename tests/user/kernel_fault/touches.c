/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A system call that touches a page of its caller's, as a kernel does that forgot to look. The page is there and
 * the caller may do all that, so it is SMAP or SMEP alone that refuses it on x86-64, and PAN or PXN on AArch64. It
 * lies among the kernel's code (the ports' linker.ld): what the application's code does is let pass.
 */
#include "touches.h"

int touches(volatile unsigned char *byte, int how)
{
	return 0;
}

#define KERNELS __attribute__((section(".kernel_text")))

__typeof__(touches) verify_touches;
KERNELS int verify_touches(volatile unsigned char *byte, int how)
{
	if (how == 1) {
		return *byte;
	}
	if (how == 2) {
		*byte = 0;
		return 0;
	}
	((void (*)(void))(uintptr_t)byte)();
	return 0;
}

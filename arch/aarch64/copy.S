/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch_copy_guarded(): a copy that survives a fault of the side that belongs to somebody
 * else. trap.S asks where the fault was (between arch_copy_guarded and aarch64_copy_end),
 * whether it was a load or a store, and what w3 calls untrusted; then it continues at
 * aarch64_copy_faulted. All state is in caller-saved registers, so copies nest. Rejected:
 * probing before copying, which is a second walk, and no answer to what changes meanwhile.
 *
 * Words where both sides can be aligned alike, else bytes: normal memory could be accessed
 * misaligned, but a pointer of somebody else's may lead to a device.
 */
#include <arch_level.h>
#include <offsets.h>
#include "frames.h"
#include "user.inc"

	.section .text.arch_copy_guarded, "ax"
	.balign 16
	.globl arch_copy_guarded
	.type arch_copy_guarded, @function
arch_copy_guarded: /* x0 to, x1 from, x2 bytes, w3 untrusted */
	/* In a handler a fault overwrites what the outer eret needs: the fix-up restores it. */
	mrs x9, AARCH64_OWN(elr)
	mrs x10, AARCH64_OWN(spsr)
	open_users_pages
	eor x4, x0, x1
	tst x4, #7
	b.ne .Lbytes
.Lalign: /* Bound: seven rounds. */
	tst x0, #7
	b.eq .Lblocks
	cbz x2, .Ldone
	ldrb w4, [x1], #1
	strb w4, [x0], #1
	sub x2, x2, #1
	b .Lalign
.Lblocks:
	cmp x2, #32
	b.lo .Lwords
.Lblock: /* Bound: bytes / 32. */
	ldp x4, x5, [x1]
	ldp x6, x7, [x1, #16]
	stp x4, x5, [x0]
	stp x6, x7, [x0, #16]
	sub x2, x2, #32
	add x1, x1, #32
	add x0, x0, #32
	cmp x2, #32
	b.hs .Lblock
.Lwords:
	cmp x2, #8
	b.lo .Lbytes
.Lword: /* Bound: three rounds. */
	ldr x4, [x1], #8
	str x4, [x0], #8
	sub x2, x2, #8
	cmp x2, #8
	b.hs .Lword
.Lbytes:
	cbz x2, .Ldone
.Lbyte: /* Bound: bytes. */
	ldrb w4, [x1], #1
	strb w4, [x0], #1
	subs x2, x2, #1
	b.ne .Lbyte
.Ldone:
	close_users_pages
	mov w0, #0
	ret
	.globl aarch64_copy_end
aarch64_copy_end:

	.globl aarch64_copy_faulted
aarch64_copy_faulted:
	close_users_pages
	msr AARCH64_OWN(elr), x9
	msr AARCH64_OWN(spsr), x10
	mov w0, #COPY_FAULTED
	ret
	.size arch_copy_guarded, . - arch_copy_guarded

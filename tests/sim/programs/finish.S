/* SPDX-License-Identifier: Apache-2.0 */
/* Writes VALUE to the finisher. */
#include "soc.h"

	.globl main
main:
	li   t0, FINISHER
	li   t1, VALUE
	sw   t1, 0(t0)
	li   t0, CONSOLE
	li   t1, 'x'           /* nobody must see this */
	sb   t1, 0(t0)
1:	j    1b

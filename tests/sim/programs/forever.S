/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeps with nothing to wake it. */
#include "soc.h"

	.globl main
main:
	wfi
	j    main

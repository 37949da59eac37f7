/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SoC of `ibex`, around VexRiscv: no PMP. Its external lines are behind a mask
 * (arch/riscv/vex_lines.h).
 */
#include "../ibex/board.h"

#undef BOARD_EXT_IRQ
#define BOARD_EXT_IRQ 12

#define BOARD_CACHE "drivers/cache/vexriscv.h"

/* SPDX-License-Identifier: Apache-2.0 */
/* `vexriscv`, with a slower memory. */
#include "../vexriscv/board.h"

/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's `virt` machine with a core of 64 bits: all else is where qemu_riscv32 has it. */
#include "../qemu_riscv32/board.h"

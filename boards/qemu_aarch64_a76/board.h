/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's Arm `virt` machine with a Cortex-A76: all else is where qemu_aarch64 has it. */
#include "../qemu_aarch64/board.h"

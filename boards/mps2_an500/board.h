/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arm MPS2 with the AN500 image (Cortex-M7): the devices of the AN385 image. QEMU models no caches.
 */
#include "../mps2_an385/board.h"

#define BOARD_CACHE "drivers/cache/cortex_m7.h" /* whose registers QEMU has, and no caches */

/* SPDX-License-Identifier: Apache-2.0 */
/* Arm MPS2 with the AN386 image (Cortex-M4F): the devices of the AN385 image. */
#include "../mps2_an385/board.h"

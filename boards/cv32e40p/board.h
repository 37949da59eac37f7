/* SPDX-License-Identifier: Apache-2.0 */
/* The SoC of `ibex`, around CV32E40P: no PMP, interrupts as Ibex has them. */
#include "../ibex/board.h"

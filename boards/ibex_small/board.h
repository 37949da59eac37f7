/* SPDX-License-Identifier: Apache-2.0 */
/* The SoC of `ibex`, around its smallest usual configuration: no PMP. */
#include "../ibex/board.h"

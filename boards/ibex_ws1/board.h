/* SPDX-License-Identifier: Apache-2.0 */
/* `ibex`, with a slower memory. */
#include "../ibex/board.h"

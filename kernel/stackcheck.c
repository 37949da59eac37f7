/* SPDX-License-Identifier: Apache-2.0 */
/* See stackcheck.h. */
#include "stackcheck.h"

bool stackcheck_is_final;

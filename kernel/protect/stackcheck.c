/* SPDX-License-Identifier: Apache-2.0 */
/* See stackcheck.h. */
#include "kernel/protect/stackcheck.h"

bool stackcheck_is_final;

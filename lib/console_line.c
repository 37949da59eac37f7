/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that are cut off: console_line.h. */
#include "lib/console_line.h"

#ifdef CONFIG_USERSPACE
const void *volatile console_line;
#endif

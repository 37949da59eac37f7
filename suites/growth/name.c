/* SPDX-License-Identifier: Apache-2.0 */
/* What the rows are called; growth.h says what they are for. */
#include "growth.h"

const char *growth_name(const char *id, uint32_t n)
{
	static char name[64];

	(void)snprintk(name, sizeof(name), "%s.%u", id, n);
	return name;
}

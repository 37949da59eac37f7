/* SPDX-License-Identifier: Apache-2.0 */
/* Where a thread's own errno lies. */
#include "kernel/hooks/thread_facts.h"

int *k_errno_(void)
{
	return &k_cpu.current->errno_value;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The word that a thread carries for its application. */
#include "kernel/hooks/thread_facts.h"

void k_thread_custom_data_set(void *value)
{
	k_cpu.current->custom_data = value;
}

void *k_thread_custom_data_get(void)
{
	return k_cpu.current->custom_data;
}

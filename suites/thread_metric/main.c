/* SPDX-License-Identifier: Apache-2.0 */
/* The suite; thread_metric.h says what it is for. */
#include "thread_metric.h"

int main(void)
{
	measure_begin("thread_metric");
	tm_scheduling();
	tm_interrupts();
	tm_objects();
	k_exit(measure_end());
}

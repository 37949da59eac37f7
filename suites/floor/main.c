/* SPDX-License-Identifier: Apache-2.0 */
/* The floor suite, in the order of the latency rows. */
#include "floor.h"

int main(void)
{
	measure_begin("floor");
	floor_measure_yield();
	floor_measure_interrupt();
	floor_measure_sem();
	floor_measure_mutex();
	floor_measure_user();
	k_exit(measure_end());
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The heap suite; heap.h says what it is for. */
#include "heap.h"

int main(void)
{
	measure_begin("heap");
	heap_equal();
	heap_mixed();
	k_exit(measure_end());
}

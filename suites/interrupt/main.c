/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interrupts: into a handler, all of an empty one, and through each object into the thread
 * that waits; where lines have priorities, a handler that is interrupted. The ways out of
 * a handler are rows of `latency` (isr.resume.*), and with them stand their floors.
 */
#include "interrupt.h"

int main(void)
{
	k_thread_priority_set(k_current_get(), INTERRUPT_PRIO);
	measure_begin("interrupt");
	interrupt_entry();
	interrupt_direct();
	interrupt_to_thread();
	interrupt_nested();
	k_exit(measure_end());
}

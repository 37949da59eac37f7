/* SPDX-License-Identifier: Apache-2.0 */
/* What test_trace.py knows an interrupt's latency of: its line rises while main has masked interrupts. */
#include <foliot/kernel.h>

K_TIMER_DEFINE(due, NULL, NULL);

int main(void)
{
	unsigned int key;

	k_timer_start(&due, K_TICKS(1), K_NO_WAIT);
	key = irq_lock();
	k_busy_wait(3 * k_ticks_to_us_ceil32(1));
	irq_unlock(key);
	k_timer_stop(&due);
	return 0;
}

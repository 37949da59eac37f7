/* SPDX-License-Identifier: Apache-2.0 */
/* The suite of states; states.h says what it is for. */
#include "states.h"

int main(void)
{
	k_thread_priority_set(k_current_get(), STATES_PRIO);
	k_thread_system_pool_assign(k_current_get());

	measure_begin("states");
	callers_init();
	states_yield();
	states_thread();
	states_queue();
	states_event();
	states_sem();
	states_condvar();
	states_stack();
	states_msgq();
	states_mutex();
	states_heap();
	k_exit(measure_end());
}

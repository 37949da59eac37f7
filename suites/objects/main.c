/* SPDX-License-Identifier: Apache-2.0 */
/* The suite of the objects that came after the 47 rows; objects.h says what it is for. */
#include "objects.h"

int main(void)
{
	k_thread_priority_set(k_current_get(), OBJECTS_PRIO);
	k_thread_system_pool_assign(k_current_get());
	measure_begin("objects");
	measure_user_begin();
	callers_init();
	objects_work();
	objects_poll();
	objects_pipe();
	objects_mbox();
	objects_futex();
	objects_traversals();
	k_exit(measure_end());
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wait queues: circular lists in priority order.
 *
 * A newcomer is compared with the last waiter first, so joining equals costs the same
 * behind one as behind 256. Only one that outranks waiters walks past those.
 */
#include "kernel/sched/wait_q.h"

void wait_q_add(_wait_q_t *wait_q, struct k_thread *thread)
{
	wait_q_add_inline(wait_q, thread);
}

void wait_q_remove(_wait_q_t *wait_q, struct k_thread *thread)
{
	wait_q_remove_inline(wait_q, thread);
}

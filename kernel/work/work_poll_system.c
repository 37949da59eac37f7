/* SPDX-License-Identifier: Apache-2.0 */
/* The system's queue for items that poll; a file of its own as work_system.c is. */
#include "kernel/base/kernel.h"

int k_work_poll_submit(struct k_work_poll *work, struct k_poll_event *events, int num_events,
		       k_timeout_t timeout)
{
	return k_work_poll_submit_to_queue(&k_sys_work_q, work, events, num_events, timeout);
}

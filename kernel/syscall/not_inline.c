/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are inline without CONFIG_USERSPACE: a user thread has to trap in their place. */
#include "kernel/base/kernel.h"

unsigned int k_sem_count_get(const struct k_sem *sem)
{
	return *(const volatile unsigned int *)&sem->count;
}

uint32_t k_event_test(const struct k_event *event, uint32_t mask)
{
	return *(const volatile uint32_t *)&event->events & mask;
}

void k_timer_user_data_set(struct k_timer *timer, void *data)
{
	timer->user_data = data;
}

void *k_timer_user_data_get(const struct k_timer *timer)
{
	return timer->user_data;
}

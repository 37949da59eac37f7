/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smoother: the mean of the last two readings. In the end it writes where it has no business.
 */
#include "tenants.h"

K_APPMEM_PARTITION_DEFINE(smoother_partition);
K_APP_BMEM(smoother_partition) static int32_t last;

K_HEAP_DEFINE(smoother_pool, 256);
static struct k_mem_domain smoother_domain;

extern int station_sum; /* which it knows the name of, and is not its own */

/* In user mode. */
static void smooth(void *unused_1, void *unused_2, void *unused_3)
{
	(void)sys_sem_give(&smoother_ready);
	for (int i = 0; i < READINGS; i++) {
		struct reading *reading = k_queue_get(&raw_readings, K_FOREVER);

		reading->smooth = i == 0 ? reading->raw : (last + reading->raw) / 2;
		last = reading->raw;
		(void)k_queue_alloc_append(&smooth_readings, reading);
	}
	station_sum = 0;
	printk("the smoother has changed the sum\n");
}

void smoother_entry(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_mem_partition *partitions[] = {&smoother_partition, &shared_partition};

	(void)k_mem_domain_init(&smoother_domain, ARRAY_SIZE(partitions), partitions);
	(void)k_mem_domain_add_thread(&smoother_domain, k_current_get());
	k_thread_heap_assign(k_current_get(), &smoother_pool);
	k_thread_access_grant(k_current_get(), &raw_readings, &smooth_readings);
	k_thread_user_mode_enter(smooth, NULL, NULL, NULL);
}

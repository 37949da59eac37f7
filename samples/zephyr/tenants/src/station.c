/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The station. A timer stands for its device: its function runs in the interrupt, in kernel mode,
 * and hands what it read to the thread by a message queue. In user mode the thread puts each
 * reading into the shared heap, and on its way.
 */
#include <zephyr/logging/log.h>
#include "tenants.h"

LOG_MODULE_REGISTER(station);

K_APPMEM_PARTITION_DEFINE(station_partition);
K_APP_BMEM(station_partition) int station_sum;
K_APP_DMEM(station_partition) static uint32_t next_number = 1;

/* The kernel takes the queues' containers from it, in this tenant's name. */
K_HEAP_DEFINE(station_pool, 512);
K_MSGQ_DEFINE(device_values, sizeof(int32_t), 4, sizeof(int32_t));
static struct k_mem_domain station_domain;

/* The device's next value; the kernel's own memory. */
static int32_t device_value = 100;

static void read_device(struct k_timer *timer)
{
	(void)k_msgq_put(&device_values, &device_value, K_NO_WAIT);
	device_value += 7;
}

K_TIMER_DEFINE(device, read_device, NULL);

static struct reading *make_reading(int32_t raw)
{
	struct reading *reading = sys_heap_alloc(&shared_heap, sizeof(*reading));

	if (reading == NULL) {
		LOG_ERR("no room for a reading");
		k_oops();
		return NULL;
	}
	*reading = (struct reading){.number = next_number++, .raw = raw};
	return reading;
}

/* In user mode. */
static void collect(void *unused_1, void *unused_2, void *unused_3)
{
	(void)sys_sem_take(&smoother_ready, K_FOREVER);
	k_timer_start(&device, K_MSEC(2), K_MSEC(2));
	for (int i = 0; i < READINGS; i++) {
		struct reading *reading;
		int32_t raw;

		(void)k_msgq_get(&device_values, &raw, K_FOREVER);
		(void)k_queue_alloc_append(&raw_readings, make_reading(raw));
		reading = k_queue_get(&smooth_readings, K_FOREVER);
		LOG_INF("%u: %d, smoothed %d", reading->number, reading->raw, reading->smooth);
		station_sum += reading->smooth;
		sys_heap_free(&shared_heap, reading);
	}
	k_timer_stop(&device);
}

void station_entry(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_mem_partition *partitions[] = {&station_partition, &shared_partition};

	(void)k_mem_domain_init(&station_domain, ARRAY_SIZE(partitions), partitions);
	(void)k_mem_domain_add_thread(&station_domain, k_current_get());
	k_thread_heap_assign(k_current_get(), &station_pool);
	k_thread_access_grant(k_current_get(), &device_values, &device, &raw_readings,
			      &smooth_readings);
	k_thread_user_mode_enter(collect, NULL, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the two tenants share: a partition with a heap and a semaphore in it, and two queues. */
#ifndef SAMPLES_ZEPHYR_TENANTS_H
#define SAMPLES_ZEPHYR_TENANTS_H

#include <zephyr/kernel.h>
#include <zephyr/app_memory/app_memdomain.h>
#include <zephyr/sys/sem.h>
#include <zephyr/sys/sys_heap.h>

#define READINGS 8

/* A reading on its way: made by the station, smoothed by the other, and back. */
struct reading {
	uint32_t number;
	int32_t raw;
	int32_t smooth;
};

extern struct k_mem_partition shared_partition;
#define SHARED K_APP_BMEM(shared_partition)

extern struct sys_heap shared_heap;
extern struct sys_sem smoother_ready;
extern struct k_queue raw_readings;
extern struct k_queue smooth_readings;

/* Each is the first function of its tenant's thread, in kernel mode, and goes on in user mode. */
void station_entry(void *unused_1, void *unused_2, void *unused_3);
void smoother_entry(void *unused_1, void *unused_2, void *unused_3);

/* How late the most urgent thread goes on from here on; and say so: in whose company. */
void watch_begin(void);
void watch_tell(const char *beside);

#endif /* SAMPLES_ZEPHYR_TENANTS_H */

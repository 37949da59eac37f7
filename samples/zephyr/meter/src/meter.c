/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the calls do, for whom all arguments are good, and verifiers in front of them, for whom none
 * is.
 */
#include "meter.h"

static struct meter_reading kept;

int z_impl_meter_add(int64_t value, uint8_t a, uint8_t b, bool negative, struct k_sem *changed)
{
	int64_t weighted = value * a * b;
	unsigned int key = irq_lock();

	kept.count++;
	kept.sum += negative ? -weighted : weighted;
	irq_unlock(key);
	if (changed != NULL) {
		k_sem_give(changed);
	}
	return (int)kept.count;
}

void z_impl_meter_read(struct meter_reading *reading)
{
	unsigned int key = irq_lock();

	*reading = kept;
	irq_unlock(key);
}

int64_t z_impl_meter_sum(void)
{
	struct meter_reading reading;

	z_impl_meter_read(&reading);
	return reading.sum;
}

void z_impl_meter_clear(void)
{
	unsigned int key = irq_lock();

	kept = (struct meter_reading){0};
	irq_unlock(key);
}

#ifdef CONFIG_USERSPACE
#include <zephyr/internal/syscall_handler.h>

static inline int z_vrfy_meter_add(int64_t value, uint8_t a, uint8_t b, bool negative,
				   struct k_sem *changed)
{
	K_OOPS(changed != NULL && K_SYSCALL_OBJ(changed, K_OBJ_SEM));
	return z_impl_meter_add(value, a, b, negative, changed);
}
#include <zephyr/syscalls/meter_add_mrsh.c>

static inline void z_vrfy_meter_read(struct meter_reading *reading)
{
	struct meter_reading copy;

	z_impl_meter_read(&copy);
	K_OOPS(k_usermode_to_copy(reading, &copy, sizeof(copy)) != 0);
}
#include <zephyr/syscalls/meter_read_mrsh.c>

static inline int64_t z_vrfy_meter_sum(void)
{
	return z_impl_meter_sum();
}
#include <zephyr/syscalls/meter_sum_mrsh.c>

static inline void z_vrfy_meter_clear(void)
{
	z_impl_meter_clear();
}
#include <syscalls/meter_clear_mrsh.c> /* as older programs name it */
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same work by a kernel thread and by a user thread; then by user threads that pass what is not
 * theirs, who end there, and whom the meter has not heard of.
 */
#include "meter.h"
#include <stdlib.h>

#define STACK_SIZE 1024

K_SEM_DEFINE(changed, 0, 100);
K_SEM_DEFINE(not_theirs, 0, 100);
K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
static struct k_thread thread;
static struct meter_reading kernels; /* which user threads may not write */

static void works(void *p1, void *p2, void *p3)
{
	struct meter_reading reading;

	meter_clear();
	for (int i = 1; i <= 5; i++) {
		(void)meter_add(INT64_C(1) << 33, 200, 2, i % 2 == 0, &changed);
	}
	(void)meter_add(42, 1, 1, false, NULL);
	meter_read(&reading);
	if (reading.count == 6 && reading.sum == meter_sum()) {
		k_sem_give(&changed);
	}
}

static void names_a_semaphore(void *p1, void *p2, void *p3)
{
	(void)meter_add(1, 1, 1, false, &not_theirs);
}

static void names_memory(void *p1, void *p2, void *p3)
{
	meter_read(&kernels);
}

/* True: it did all of it. */
static bool runs(k_thread_entry_t entry, uint32_t options)
{
	const int64_t expected = (INT64_C(1) << 33) * 400 + 42;

	k_sem_reset(&changed);
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), entry, NULL, NULL, NULL,
			      K_PRIO_PREEMPT(5), options, K_FOREVER);
	k_thread_access_grant(&thread, &changed);
	k_thread_start(&thread);
	(void)k_thread_join(&thread, K_FOREVER);
	return k_sem_count_get(&changed) == 6 && meter_sum() == expected;
}

int main(void)
{
	bool by_kernel = runs(works, 0);
	bool by_user = runs(works, K_USER);
	bool got_in = false;

	if (IS_ENABLED(CONFIG_USERSPACE)) {
		(void)runs(names_a_semaphore, K_USER);
		(void)runs(names_memory, K_USER);
		got_in = k_sem_count_get(&not_theirs) != 0 || kernels.count != 0;
	}
	printk("%s by a kernel thread, %s by a user thread, %s got in\n",
	       by_kernel ? "metered" : "WRONG", by_user ? "metered" : "WRONG",
	       got_in ? "SOMEBODY" : "nobody");
	exit(by_kernel && by_user && !got_in ? EXIT_SUCCESS : EXIT_FAILURE);
	return 0;
}

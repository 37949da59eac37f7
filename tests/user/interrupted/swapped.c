/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call with an object that its caller has no right to. At each instruction of it, a kernel
 * thread frees that object, and gives its entry of the table to another one, to which the caller
 * has a right: an object from before and a right from after make no permission.
 */
#include "interrupted.h"

static K_SEM_DEFINE(forbidden, 0, 1);
static K_SEM_DEFINE(allowed, 0, 1);
static struct k_thread swapper, caller;
K_THREAD_STACK_DEFINE(swapper_stack, STACK);
K_THREAD_STACK_DEFINE(swaps_caller_stack, STACK);
static unsigned int refused;

/* Every call is refused, or the caller would end by itself. */
void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	if (k_current_get() != &caller || reason != K_ERR_KERNEL_OOPS) {
		k_exit(1);
	}
	refused++;
}

static void swaps(void *p1, void *p2, void *p3)
{
	while (k_sem_take(&wake, K_FOREVER) == 0) {
		k_object_free(&forbidden);
		(void)k_object_access_grant(&allowed, &caller);
	}
}

static void tries(void *p1, void *p2, void *p3)
{
	k_sem_give(&arm);
	(void)k_sem_count_get(&forbidden);
}

unsigned int swapped_run(void)
{
	(void)k_thread_create(&swapper, swapper_stack, STACK, swaps, NULL, NULL, NULL, 4, 0,
			      K_NO_WAIT);
	for (unsigned int i = 0; i < SWAPS; i++) {
		k_object_free(&allowed);
		(void)k_thread_create(&caller, swaps_caller_stack, STACK, tries, NULL, NULL, NULL,
				      6, K_USER, K_FOREVER);
		k_thread_access_grant(&caller, &arm);
		(void)k_object_access_grant(&forbidden, k_current_get());
		k_thread_start(&caller);
		(void)k_thread_join(&caller, K_FOREVER);
	}
	return SWAPS - refused;
}

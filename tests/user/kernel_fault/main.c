/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user thread calls the kernel, and what runs for it there stores where nothing is: a
 * defect of the kernel's, whose lists may be half changed. So the run ends, with the report, although
 * this application's handler would go on; the same store by the thread itself ends the thread.
 */
#include <foliot/kernel.h>
#include "call.h"
#include "touches.h"
#include "tests/kernel/nowhere.h"

static K_THREAD_STACK_DEFINE(stack, 1024);
static struct k_thread thread;

void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	printk("handler %u\n", reason);
}

static void user(void *in_kernel_mode, void *p2, void *p3)
{
	if (in_kernel_mode != NULL && CONFIG_TOUCHES_USERS_PAGE != 0) {
		touches_as_user();
	} else if (in_kernel_mode != NULL) {
		(void)stores_in_kernel_mode();
	} else {
		store((volatile unsigned int *)NOWHERE);
	}
}

int main(void)
{
	static int yes;

	/* Bound: two. */
	for (int i = 0; i < 2; i++) {
		k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), user,
				i == 0 ? NULL : &yes, NULL, NULL, 1, K_USER, K_FOREVER);
		if (i == 1 && CONFIG_TOUCHES_USERS_PAGE != 0) {
			touches_prepare(&thread);
		}
		k_thread_start(&thread);
		printk("joined: %d\n", k_thread_join(&thread, K_SECONDS(1)));
	}
	printk("not reached\n");
	return 0;
}

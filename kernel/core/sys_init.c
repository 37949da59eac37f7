/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What runs before the static threads and main(): SYS_INIT() and C++'s static constructors. It is
 * linked only where an image has one of them (init.h's entries refer to it, CONFIG_CPP does), and
 * then stands in front of start-up's own function, which is weak under this name: who has none has
 * not a byte of it.
 */
#include <zephyr/init.h>
#include "kernel/base/kernel.h"
#include "kernel/core/sys_init.h"

/* Entries lie in no order: each time the least priority beyond the last one is looked for. */
static void run_level(unsigned int level)
{
	int priority = -1;
	int next = 0;

	/* Bound: the priorities there are, and all entries for each. */
	while (next >= 0) {
		next = -1;
		STRUCT_SECTION_FOREACH(init_entry, init_entry, e) {
			if (e->level != level) {
				continue;
			}
			if (e->priority == priority) {
				(void)e->init();
			} else if (e->priority > priority && (next < 0 || e->priority < next)) {
				next = e->priority;
			}
		}
		priority = next;
	}
}

void sys_init_run(void)
{
	unsigned int key = arch_irq_lock();

	run_level(INIT_LEVEL_EARLY_);
	run_level(INIT_LEVEL_PRE_KERNEL_1_);
	run_level(INIT_LEVEL_PRE_KERNEL_2_);
	arch_irq_unlock(key);
	kernel_started = true;
	run_level(INIT_LEVEL_POST_KERNEL_);
	cpp_construct();
	run_level(INIT_LEVEL_APPLICATION_);
	run_level(INIT_LEVEL_SMP_);
}

void kernel_first(void *p1, void *p2, void *p3)
{
	sys_init_run();
	kernel_run_main(p1, p2, p3);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The voluntary switch where a feature has something to do at it: see switch.h. */
#include "kernel/sched/sched.h"

intptr_t sched_switch(struct k_thread *current, struct k_thread *next, unsigned int key)
{
	next = metairq_instead(next);
	stackguard_check_switch(current, next);
	switch_hooks(current, next);
	k_cpu.current = next;
	return arch_switch(current, next, key & ARCH_IRQ_KEY_BIT);
}

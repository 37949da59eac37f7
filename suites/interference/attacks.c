/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attacks, in groups by what makes them long. What all share is here: the memory of the attackers, their pool, and where
 * helpers rest that have nothing to do.
 */
#include "interference.h"

K_APPMEM_PARTITION_DEFINE(attack_memory);
K_APP_BMEM(attack_memory) static struct k_futex resting;
K_APP_BMEM(attack_memory) static volatile int turns;

K_HEAP_DEFINE(attack_pool, 40960);
static struct k_mem_domain domain;

void attack_rest(void)
{
	(void)k_futex_wait(&resting, 0, K_FOREVER);
}

void attack_end_rest(void)
{
	(void)k_futex_wake(&resting, true);
}

static void compute(void)
{
	for (int i = 0; i < 2000; i++) {
		turns = turns + 1;
	}
}

static const struct attack none[] = {
	{"interference.none", "An attacker computes", NULL, NULL, NULL, compute},
};
static const struct attack_group undisturbed = {none, ARRAY_SIZE(none), NULL, NULL};

const struct attack_group *const attack_groups[] = {
	&undisturbed, &attacks_waking, &attacks_bytes, &attacks_objects, &attacks_chains,
};
const size_t num_attack_groups = ARRAY_SIZE(attack_groups);

void attacks_admit(k_tid_t thread)
{
	(void)k_mem_domain_add_thread(&domain, thread);
	k_thread_heap_assign(thread, &attack_pool);
	/* Bound: the groups. */
	for (size_t i = 0; i < num_attack_groups; i++) {
		if (attack_groups[i]->admit != NULL) {
			attack_groups[i]->admit(thread);
		}
	}
}

void attacks_begin(void)
{
	extern struct k_mem_partition control_memory;
	struct k_mem_partition *partitions[] = {&attack_memory, &control_memory};

	(void)k_mem_domain_init(&domain, ARRAY_SIZE(partitions), partitions);
	k_thread_heap_assign(k_current_get(), &attack_pool);
	/* Bound: the groups. */
	for (size_t i = 0; i < num_attack_groups; i++) {
		if (attack_groups[i]->begin != NULL) {
			attack_groups[i]->begin();
		}
	}
}

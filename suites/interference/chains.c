/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for one another. */
#include "interference.h"

#define MUTEXES 12

static struct k_mutex mutexes[MUTEXES];

/* ---- what waits ---- */

/* Each holds one mutex and waits for the next one's. */
static void chain(int helper)
{
	if (helper >= MUTEXES - 1) {
		attack_rest();
	}
	(void)k_mutex_lock(&mutexes[helper], K_FOREVER);
	if (helper > 0) {
		(void)k_mutex_lock(&mutexes[helper - 1], K_FOREVER);
	}
	attack_rest();
}

/* ---- the calls ---- */

static void lock_last(void)
{
	(void)k_mutex_lock(&mutexes[MUTEXES - 2], K_NO_WAIT);
}

static void admit(k_tid_t thread)
{
	for (int i = 0; i < MUTEXES; i++) {
		k_thread_access_grant(thread, &mutexes[i]);
	}
}

static void begin(void)
{
	for (int i = 0; i < MUTEXES; i++) {
		(void)k_mutex_init(&mutexes[i]);
	}
}

static const struct attack attacks[] = {
	{"interference.mutex.chain", "Owners of 11 mutexes that wait for one another", NULL, chain,
	 NULL, lock_last},
};
const struct attack_group attacks_chains = {attacks, ARRAY_SIZE(attacks), begin, admit};

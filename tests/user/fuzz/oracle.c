/* SPDX-License-Identifier: Apache-2.0 */
/* How it is told that an attack got through, where it left something behind. */
#include <string.h>

#include "world.h"

static void check_words(const uintptr_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (words[i] != SECRET) {
			hole("a canary has changed");
		}
	}
}

#define CHECK_WORDS(array) check_words(array, ARRAY_SIZE(array))

static void check_thread(const struct k_thread *thread)
{
	if (thread->stack_start != NULL &&
	    (thread->base_prio < PRIO ||
	     (thread->options | K_INHERIT_PERMS) != (K_USER | K_INHERIT_PERMS) ||
	     thread->stack_size != STACK_SIZE)) {
		hole("a thread that nobody may make so");
	}
}

static void check_limits(void)
{
	if (k_sem_count_get(&allowed.sem) > 3 || k_sem_count_get(&allowed.swapped_sem) > 2) {
		hole("a semaphore beyond its limit");
	}
	if (allowed.words.next < allowed.words.base || allowed.words.next > allowed.words.top) {
		hole("a stack beyond its limits");
	}
	if (k_msgq_num_used_get(&allowed.msgq) > ARRAY_SIZE(allowed.msgq_buffer) ||
	    k_msgq_num_used_get(&allowed.long_msgq) > ARRAY_SIZE(allowed.long_buffer)) {
		hole("a message queue beyond its limit");
	}
}

void world_check(void)
{
	CHECK_WORDS(allowed.canaries_0);
	CHECK_WORDS(allowed.canaries_1);
	CHECK_WORDS(allowed.canaries_2);
	CHECK_WORDS(allowed.canaries_3);
	CHECK_WORDS(allowed.canaries_4);
	if (memcmp((const char *)&secrets, (const char *)&secrets_as_made, sizeof(secrets)) != 0) {
		hole("an object that nobody may use has changed");
	}
	for (size_t i = 0; i < sizeof(others); i++) {
		if (others[i] != OTHERS_BYTE) {
			hole("another domain's memory has changed");
		}
	}
	for (size_t i = 0; i + sizeof(uintptr_t) <= sizeof(shared); i++) {
		uintptr_t word;

		memcpy(&word, &shared[i], sizeof(word));
		if (word == SECRET) {
			hole("a secret in user memory");
		}
	}
	for (size_t i = 0; i < sizeof(readable); i++) {
		if (readable[i] != 0) {
			hole("memory has changed that users only read");
		}
	}
	check_limits();
	for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
		check_thread(&attackers[i]);
	}
	for (unsigned int i = 0; i < NUM_CHILDREN; i++) {
		check_thread(&children[i]);
	}
	if (k_thread_join(&victim, K_NO_WAIT) == 0 || k_thread_join(&essential, K_NO_WAIT) == 0 ||
	    victim.base_prio != PRIO - 2) {
		hole("a thread that nobody may end or change");
	}
}

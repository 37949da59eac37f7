/* SPDX-License-Identifier: Apache-2.0 */
/* How it is told that an attack got through, where it left something behind. */
#include <string.h>

#include "kernel/base/fatal.h"
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

#define MAY_HAVE (K_INHERIT_PERMS | THREAD_OPTION_REPORTED) /* besides; the latter after a fault */

/* But those that have ended: whoever aborts a thread in a walk lends it its priority for the rest of it. */
static void check_thread(const struct k_thread *thread)
{
	if (thread->stack_start != NULL && (thread->state & K_THREAD_DEAD) == 0 &&
	    (thread->base_prio < PRIO || thread->prio < PRIO ||
	     (thread->options & ~MAY_HAVE) != K_USER || thread->stack_size != STACK_SIZE)) {
		hole("a thread that nobody may make so");
	}
}

/* Who waits for a message waits; who calls is in one queue, of one server. */
static void check_endpoint(const struct k_ipc_endpoint *endpoint)
{
	const struct k_thread *first = endpoint->receivers.head;
	const struct k_thread *thread = first;

	while (thread != NULL) {
		if ((thread->state & K_THREAD_PENDING) == 0 ||
		    thread->pended_on != &endpoint->receivers) {
			hole("a thread that receives and does not wait");
		}
		thread = thread->next == first ? NULL : thread->next;
	}
	if (first != NULL && endpoint->callers.wait_q.head != NULL) {
		hole("a sender that waits beside a receiver that waits");
	}
}

static void check_served(const struct k_thread *server)
{
	const struct k_thread *caller = server->ipc.served.wait_q.head;

	if (caller != NULL && (caller->next != caller || (caller->state & K_THREAD_PENDING) == 0 ||
			       caller->pended_on != &server->ipc.served.wait_q)) {
		hole("a call that is served and whose caller does not wait");
	}
}

static void check_limits(void)
{
	if (k_sem_count_get(&allowed.sem) > allowed.sem.limit ||
	    k_sem_count_get(&allowed.swapped_sem) > allowed.swapped_sem.limit) {
		hole("a semaphore beyond its limit");
	}
	if (allowed.words.next < allowed.words.base || allowed.words.next > allowed.words.top) {
		hole("a stack beyond its limits");
	}
	if (k_msgq_num_used_get(&allowed.msgq) > ARRAY_SIZE(allowed.msgq_buffer) ||
	    k_msgq_num_used_get(&allowed.long_msgq) > ARRAY_SIZE(allowed.long_buffer)) {
		hole("a message queue beyond its limit");
	}
	if (allowed.pipe.used > sizeof(allowed.pipe_buffer) || allowed.bare_pipe.used != 0) {
		hole("a pipe beyond its limit");
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
	check_endpoint(&allowed.endpoint);
	check_endpoint(&allowed.other_endpoint);
	for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
		check_thread(&attackers[i]);
		check_served(&attackers[i]);
	}
	for (unsigned int i = 0; i < NUM_CHILDREN; i++) {
		check_thread(&children[i]);
		check_served(&children[i]);
	}
	if (k_thread_join(&victim, K_NO_WAIT) == 0 || k_thread_join(&essential, K_NO_WAIT) == 0 ||
	    victim.base_prio != PRIO - 2) {
		hole("a thread that nobody may end or change");
	}
}

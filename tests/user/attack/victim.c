/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A user thread like the attackers, of a domain of its own, that does nobody any harm: its partition and
 * its registers hold what is a secret to them, and it looks whether they still do. It is
 * preempted by attackers and preempts them, so that domain and registers change hands.
 */
#include "attack.h"

static struct {
	uint32_t words[NUM_WORDS];
	uint32_t turns;
	uint32_t disturbed;
	char rest[PAGE - 4 * (NUM_WORDS + 2)];
} own __aligned(PAGE);
static K_MEM_PARTITION_DEFINE(vault, &own, PAGE, K_MEM_PARTITION_P_RW_U_RW);

struct k_thread victim;
__aligned(STACK_ALIGN_) K_THREAD_STACK_DEFINE(victim_stack, STACK_SIZE_);
static struct k_mem_domain domain;

static void lives(void *p1, void *p2, void *p3)
{
	volatile uint32_t on_stack[NUM_WORDS];

	for (;;) {
		uint32_t secret = ~hidden;

		for (unsigned int i = 0; i < NUM_WORDS; i++) {
			on_stack[i] = secret;
		}
		for (unsigned int spin = 0; spin < 8; spin++) {
			for (unsigned int i = 0; i < NUM_WORDS; i++) {
				own.disturbed |= own.words[i] ^ secret;
				own.disturbed |= on_stack[i] ^ secret;
			}
		}
		own.turns++;
		k_sleep(K_TICKS(3));
	}
}

void victim_start(void)
{
	struct k_mem_partition *parts[] = {&vault};

	secret_fill(own.words, NUM_WORDS);
	(void)k_mem_domain_init(&domain, 1, parts);
	(void)k_thread_create(&victim, victim_stack, STACK_SIZE_, lives, NULL, NULL, NULL, PRIO_,
			      K_USER, K_FOREVER);
	(void)k_mem_domain_add_thread(&domain, &victim);
	k_thread_start(&victim);
	arena.objects[BUFFER][0] = (uintptr_t)shared_buffer;
	arena.objects[BUFFER][1] = (uintptr_t)own.words; /* which is no attacker's either */
	arena.objects[ANY][0] = (uintptr_t)&victim;
	arena.objects[ANY][1] = (uintptr_t)victim_stack + ARCH_USER_STACK_RESERVED + 64;
}

bool victim_is_well(void)
{
	static uint32_t last_turns, same;

	same = own.turns == last_turns ? same + 1 : 0;
	last_turns = own.turns;
	return own.disturbed == 0 && (victim.state & K_THREAD_DEAD) == 0 && victim.prio == PRIO_ &&
	       same < 100000;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that attackers allocate. All of them know the last few: who made one uses it, passes it on and
 * gives it up, while others, with a right or without, are in the middle of calls with it, and go on to name
 * it when it is long freed, and its memory another object's.
 */
#include "attack.h"

static const uint8_t kinds[NUM_OBJECTS] = {
	[SEM] = K_OBJ_SEM,     [MUTEX] = K_OBJ_MUTEX,        [CONDVAR] = K_OBJ_CONDVAR,
	[EVENT] = K_OBJ_EVENT, [WORDS] = K_OBJ_STACK,        [QUEUE] = K_OBJ_QUEUE,
	[MSGQ] = K_OBJ_MSGQ,   [TIMER] = K_OBJ_TIMER,        [THREAD] = K_OBJ_THREAD,
	[PIPE] = K_OBJ_PIPE,   [SIGNAL] = K_OBJ_POLL_SIGNAL,
};

void made_look(struct attacker *self, const struct shot *shot, uintptr_t result)
{
	bool allocates = shot->number == CALL_k_object_alloc ||
			 shot->number == CALL_k_object_alloc_size;

	if (allocates && result != 0) {
		arena.made[attack_below(self, NUM_MADE)] = (struct made){result, shot->args[0]};
	}
}

/* No thread lives in an allocated block here: the judge would not know it. */
uintptr_t made_of(struct attacker *self, enum wanted kind)
{
	const struct made *made = &arena.made[attack_below(self, NUM_MADE)];

	return made->kind == kinds[kind] ? made->object : 0;
}

void made_pass_on(struct attacker *self, struct shot *shot)
{
	const struct made *made = &arena.made[attack_below(self, NUM_MADE)];

	if (made->object != 0 && attack_below(self, 2) != 0) {
		shot->args[0] = made->object;
		shot->args[1] = made->kind;
		shot->is_forbidden = false; /* whose it is, nobody knows */
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What k_poll() is called with. User mode. */
#include "attack.h"

/* Events of objects that may be polled, but for something now and then that may not. */
uintptr_t attack_polled(struct attacker *self, struct shot *shot)
{
	static const struct k_poll_event constant = {.type = K_POLL_TYPE_IGNORE};
	static const struct {
		uint8_t kind; /* enum wanted */
		uint8_t type;
	} ways[] = {
		{SEM, K_POLL_TYPE_SEM_AVAILABLE},
		{QUEUE, K_POLL_TYPE_DATA_AVAILABLE},
		{MSGQ, K_POLL_TYPE_MSGQ_DATA_AVAILABLE},
		{PIPE, K_POLL_TYPE_PIPE_DATA_AVAILABLE},
		{SIGNAL, K_POLL_TYPE_SIGNAL},
	};

	switch (attack_below(self, 64)) {
	case 0:
	case 1: /* one event that cannot be read, or whose state cannot be written */
		self->num_polled = 1;
		shot->is_forbidden = true;
		return attack_below(self, 2) != 0 ? arena.objects[BUFFER][FORBIDDEN]
						  : (uintptr_t)&constant;
	default:
		break;
	}
	self->num_polled = 1U + attack_below(self, NUM_POLLED);
	for (unsigned int i = 0; i < self->num_polled; i++) {
		unsigned int way = attack_below(self, ARRAY_SIZE(ways));

		self->polled[i] = (struct k_poll_event){
			.type = ways[way].type,
			.obj = (void *)attack_object(self, (enum wanted)ways[way].kind, shot),
		};
	}
	return (uintptr_t)self->polled;
}

/* If it is another one than there are, nobody knows how far the kernel looks. */
uintptr_t attack_count_polled(struct attacker *self, struct shot *shot)
{
	uint32_t luck = attack_below(self, 32);

	if (luck > 1) {
		return self->num_polled;
	}
	shot->is_forbidden = false;
	self->polled[0].type = (uint8_t)attack_draw(self);
	self->polled[0].mode = (uint8_t)attack_below(self, 2);
	return luck == 0 ? attack_any_word(self) : attack_below(self, 12);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages: attackers call one another, answer, leave unanswered, name buffers that are not theirs, or that are
 * taken away meanwhile. Every word that is sent, also by the judge, is marked; so what comes as a word and is not
 * marked was never sent, and comes from the kernel. Half of the calls with words in registers have bytes besides, as many
 * as no library would send, too; where those are in registers they are marked as well.
 *
 * Some attackers' faults come through a gate as well, to whoever receives: the words of such a message are the fault's. Some
 * answers say what lets the thread go on, in attack_goes_on() or where it may not execute.
 */
#include "attack.h"

static bool is_marked(uintptr_t word)
{
	return word >> 20 == WORD_MARK || word == K_IPC_FAULT_RESUME ||
	       word == (uintptr_t)attack_goes_on;
}

static bool is_known_badge(uintptr_t badge)
{
	return badge == 0 || badge - GATE_BADGE < NUM_ALLOWED || badge == FAULT_BADGE;
}

/* Has it come to whoever has it, with that badge? */
static bool may_have_come(uintptr_t word, uintptr_t badge)
{
	return badge == FAULT_BADGE ? !IS_SECRET(word) : is_marked(word);
}

/* What is sent: now and then what an answer to a fault lets it go on with. */
static uintptr_t draw_word(struct attacker *self, unsigned int i)
{
	uintptr_t word = WORD_OF(attack_draw(self));

	if (i == K_IPC_FAULT_KIND && attack_below(self, 4) == 0) {
		word = K_IPC_FAULT_RESUME;
	}
	if (i == K_IPC_FAULT_PC && attack_below(self, 2) == 0) {
		word = (uintptr_t)attack_goes_on;
	}
	return word;
}

/* Half of them in a way that ports have a fast one for. */
static uintptr_t time_out(struct attacker *self)
{
	return attack_below(self, 2) != 0 ? (uintptr_t)-1 : attack_below(self, 3);
}

uintptr_t message_make(struct attacker *self, struct shot *shot)
{
	struct k_ipc_message *message = &self->message;
	uint32_t luck = attack_below(self, 64);
	uintptr_t data = (uintptr_t)(luck % 4 == 0 ? shared_buffer : self->buffer);

	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		message->words[i] = draw_word(self, i);
	}
	message->badge = 0;
	message->size = luck % 2 == 0 ? 0 : attack_below(self, sizeof(self->buffer) + 1U);
	message->capacity = luck % 8 < 3 ? 0 : attack_below(self, sizeof(self->buffer) + 1U);
	if (luck < 4) {
		data = luck < 2 ? arena.objects[BUFFER][FORBIDDEN] : attack_any_word(self);
		if (!attack_is_ours(self, data, true)) { /* may be read, perhaps */
			message->size = 0;
			message->capacity = 1 + attack_below(self, 64);
			shot->may_fail = shot->number != CALL_k_ipc_send &&
					 shot->number != CALL_k_ipc_reply;
		}
	}
	message->data = (void *)data;
	if (luck == 4) {
		message->size = attack_any_word(self) | 1024U; /* too many */
	}
	if (luck == 5) {
		data = arena.objects[BUFFER][FORBIDDEN];
		shot->is_forbidden = true;
		return data;
	}
	return (uintptr_t)message;
}

bool message_is_in_registers(const struct shot *shot)
{
	return IS_ENABLED(CONFIG_ARCH_IPC_REGISTERS) &&
	       (shot->has_bytes || shot->number == attack_word_calls[0] ||
		shot->number == attack_word_calls[1]);
}

/* Mostly as a library has it: whole words, and few. */
static uintptr_t draw_size(struct attacker *self)
{
	switch (attack_below(self, 8)) {
	case 0:
		return attack_any_word(self);
	case 1:
		return attack_below(self, 256);
	case 2:
	case 3:
		return 0;
	default:
		return attack_below(self, NUM_WORDS + 1U) * sizeof(uintptr_t);
	}
}

static void load_bytes(struct attacker *self, struct shot *shot, bool is_call)
{
	uint32_t luck = attack_below(self, 16);

	shot->has_bytes = true;
	shot->may_fail = shot->is_forbidden; /* it is left to another call, which refuses */
	shot->is_forbidden = false;
	shot->bytes = (struct byte_call){
		.is_call = is_call,
		.object = shot->args[0],
		.data = (uintptr_t)(luck % 4 == 0 ? shared_buffer : self->buffer),
		.size = draw_size(self),
		.capacity = attack_below(self, 4) == 0
				    ? 0
				    : attack_below(self, sizeof(self->buffer) + 1U),
	};
	if (luck == 1) {
		shot->bytes.data = attack_any_word(self);
		if (!attack_is_ours(self, shot->bytes.data, true)) {
			shot->bytes.capacity = 1 + attack_below(self, 64);
			shot->may_fail = true;
		}
	}
	if (luck == 2) {
		shot->bytes.capacity = attack_any_word(self) | 0x10000000U;
		shot->may_fail = true; /* nobody has so much */
	}
}

void message_load(struct attacker *self, struct shot *shot)
{
	bool is_call = attack_below(self, 2) != 0;

	if (IS_ENABLED(CONFIG_ARCH_IPC_REGISTERS)) {
		*shot = (struct shot){.number = attack_word_calls[!is_call]};
		shot->args[0] = attack_object(self, is_call ? GATE : ENDPOINT, shot);
		shot->args[1] = attack_any_word(self);
		shot->args[2] = time_out(self);
		shot->args[3] = attack_any_word(self);
		if (attack_below(self, 2) != 0) {
			load_bytes(self, shot, is_call);
		}
	}
}

void message_set_words(struct attacker *self, const struct shot *shot, struct registers *registers)
{
	if (shot->has_bytes) {
		for (int i = 0; i < NUM_BYTE_WORDS; i++) {
			BYTE_WORD(registers, i) = WORD_OF(attack_draw(self));
		}
		byte_call_load(registers, &shot->bytes);
	}
	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		WORD(registers, i) = draw_word(self, i);
	}
}

/* A message with bytes that was not fast, and is to be made anew by another call, may leave what it was made with. */
#define NOT_FAST 1

static void take_bytes(const struct shot *shot, struct registers *registers,
		       const struct registers *given)
{
	bool has_come = registers->a[0] == 0;
	uintptr_t in_registers = has_come ? byte_call_came_in_registers(registers) : 0;

	if (has_come && byte_call_came(registers) > shot->bytes.capacity) {
		attack_found("more bytes than there was room for", shot->number,
			     byte_call_came(registers));
	}
	for (int i = 0; i < NUM_BYTE_WORDS; i++) {
		uintptr_t word = BYTE_WORD(registers, i);

		if ((uintptr_t)i < in_registers
			    ? !is_marked(word)
			    : word != 0 && word != BYTE_WORD(given, i) &&
				      !(has_come && i == 0 && is_marked(word))) {
			attack_found("bytes that nobody has sent", shot->number, word);
		}
		BYTE_WORD(registers, i) = BYTE_WORD(given, i);
	}
	if (has_come || registers->CAME_AT == shot->bytes.capacity) {
		registers->CAME_AT = given->CAME_AT;
		registers->CAME_IN_MEMORY_AT = given->CAME_IN_MEMORY_AT;
	}
}

void message_take_words(const struct shot *shot, struct registers *registers,
			const struct registers *given)
{
	bool has_come = registers->a[0] == 0;
	bool is_not_fast = shot->has_bytes && registers->a[0] == NOT_FAST;
	uintptr_t badge = registers->BADGE_AT;

	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		uintptr_t word = WORD(registers, i);

		if (has_come ? !may_have_come(word, badge)
			     : word != 0 && (!is_not_fast || word != WORD(given, i))) {
			attack_found("a word that nobody has sent", shot->number, word);
		}
	}
	if (has_come ? !is_known_badge(badge)
		     : badge != 0 &&
			       (!is_not_fast || (badge != given->a[0] && badge != given->a[2]))) {
		attack_found("a badge of no gate", shot->number, badge);
	}
	if (shot->has_bytes) {
		take_bytes(shot, registers, given);
	}
	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		WORD(registers, i) = WORD(given, i);
	}
	registers->BADGE_AT = 0;
}

void message_look(const struct attacker *self, const struct shot *shot, uintptr_t result)
{
	const struct k_ipc_message *message = &self->message;
	bool receives = shot->number == CALL_k_ipc_receive || shot->number == CALL_OF_IPC_CALL ||
			shot->number == CALL_OF_IPC_REPLY_RECEIVE;

	if (!receives || result != 0 || shot->args[1] != (uintptr_t)message) {
		return;
	}
	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		if (!may_have_come(message->words[i], message->badge)) {
			attack_found("a word that nobody has sent", shot->number,
				     message->words[i]);
		}
	}
	if (!is_known_badge(message->badge)) {
		attack_found("a badge of no gate", shot->number, message->badge);
	}
	if (message->size > message->capacity) {
		attack_found("a message longer than its room", shot->number, message->size);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages: attackers call one another, answer, leave unanswered, name buffers that are not theirs, or that are
 * taken away meanwhile. Every word that is sent, also by the judge, is marked; so what comes as a word and is not
 * marked was never sent, and comes from the kernel.
 */
#include "attack.h"

/* Where the words and the badge are, behind a call. */
#if defined(__riscv)
#define WORD(registers, i) ((registers)->t[3 + (i)])
#define BADGE_AT           a[1]
#elif defined(__aarch64__)
#define WORD(registers, i) (*((i) < 3 ? &(registers)->a[4 + (i) % 3] : &(registers)->t[0])) /* x7 */
#define BADGE_AT           a[1]
#elif defined(__x86_64__)
#define WORD(registers, i) \
	((registers)->a[(i) == 0 ? 2 : (i) == 3 ? 3 : 3 + (i)]) /* rdx, r8 to r10 */
#define BADGE_AT a[6] /* rdi: attack.S */
#else
#define WORD(registers, i) ((registers)->s[i])
#define BADGE_AT           a[6] /* r2: attack.S */
#endif

static bool is_marked(uintptr_t word)
{
	return word >> 20 == WORD_MARK;
}

static bool is_known_badge(uintptr_t badge)
{
	return badge == 0 || badge - GATE_BADGE < NUM_ALLOWED;
}

/* Half of them in a way that ports have a straight one for. */
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
		message->words[i] = WORD_OF(attack_draw(self));
	}
	message->badge = 0;
	message->size = luck % 2 == 0 ? 0 : attack_below(self, sizeof(self->buffer) + 1U);
	message->room = luck % 8 < 3 ? 0 : attack_below(self, sizeof(self->buffer) + 1U);
	if (luck < 4) {
		data = luck < 2 ? arena.objects[BUFFER][FORBIDDEN] : attack_any_word(self);
		if (!attack_is_ours(self, data, true)) { /* may be read, perhaps */
			message->size = 0;
			message->room = 1 + attack_below(self, 64);
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

bool message_is_in_registers(uintptr_t number)
{
	return IS_ENABLED(CONFIG_ARCH_IPC_REGISTERS) &&
	       (number == attack_word_calls[0] || number == attack_word_calls[1]);
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
	}
}

void message_set_words(struct attacker *self, struct registers *registers)
{
	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		WORD(registers, i) = WORD_OF(attack_draw(self));
	}
}

void message_take_words(const struct shot *shot, struct registers *registers,
			const struct registers *given)
{
	bool has_come = registers->a[0] == 0;

	for (unsigned int i = 0; i < K_IPC_WORDS; i++) {
		uintptr_t word = WORD(registers, i);

		if (has_come ? !is_marked(word) : word != 0) {
			attack_found("a word that nobody has sent", shot->number, word);
		}
		WORD(registers, i) = WORD(given, i);
	}
	if (has_come ? !is_known_badge(registers->BADGE_AT) : registers->BADGE_AT != 0) {
		attack_found("a badge of no gate", shot->number, registers->BADGE_AT);
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
		if (!is_marked(message->words[i])) {
			attack_found("a word that nobody has sent", shot->number,
				     message->words[i]);
		}
	}
	if (!is_known_badge(message->badge)) {
		attack_found("a badge of no gate", shot->number, message->badge);
	}
	if (message->size > message->room) {
		attack_found("a message longer than its room", shot->number, message->size);
	}
}

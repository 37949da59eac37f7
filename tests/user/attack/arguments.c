/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call is made with. Each argument is, as a rule, of the kind that the call wants, so that what
 * lies behind validation is tried too, and else anything: another object, one that
 * is forbidden, the middle of one, a copy in the attacker's own memory, an edge of memory, a word.
 * A call that nobody has described here learns by itself what its first argument is.
 */
#include <board.h>
#include "attack.h"
#include "tests/check/device.h"
#include "arch/arch.h"

/* Calls that are not named take anything. */
static const uint8_t wanted[NUM_CALLS][4] = {
	[CALL_k_sem_init] = {SEM, SHORT, SHORT},
	[CALL_k_sem_take] = {SEM, TIMEOUT},
	[CALL_k_sem_give] = {SEM},
	[CALL_k_sem_reset] = {SEM},
	[CALL_k_sem_count_get] = {SEM},
	[CALL_k_mutex_init] = {MUTEX},
	[CALL_k_mutex_lock] = {MUTEX, TIMEOUT},
	[CALL_k_mutex_unlock] = {MUTEX},
	[CALL_k_condvar_init] = {CONDVAR},
	[CALL_k_condvar_wait] = {CONDVAR, MUTEX, TIMEOUT},
	[CALL_k_condvar_signal] = {CONDVAR},
	[CALL_k_condvar_broadcast] = {CONDVAR},
	[CALL_k_event_init] = {EVENT},
	[CALL_k_event_post] = {EVENT},
	[CALL_k_event_set] = {EVENT},
	[CALL_k_event_set_masked] = {EVENT},
	[CALL_k_event_clear] = {EVENT},
	[CALL_k_event_wait] = {EVENT, ANY, ANY, TIMEOUT},
	[CALL_k_event_wait_all] = {EVENT, ANY, ANY, TIMEOUT},
	[CALL_k_event_wait_safe] = {EVENT, ANY, ANY, TIMEOUT},
	[CALL_k_event_wait_all_safe] = {EVENT, ANY, ANY, TIMEOUT},
	[CALL_k_event_test] = {EVENT},
	[CALL_k_stack_alloc_init] = {WORDS, SHORT},
	[CALL_k_stack_push] = {WORDS},
	[CALL_k_stack_pop] = {WORDS, BUFFER, TIMEOUT},
	[CALL_k_queue_init] = {QUEUE},
	[CALL_k_queue_alloc_append] = {QUEUE},
	[CALL_k_queue_alloc_prepend] = {QUEUE},
	[CALL_k_queue_get] = {QUEUE, TIMEOUT},
	[CALL_k_queue_is_empty] = {QUEUE},
	[CALL_k_queue_peek_head] = {QUEUE},
	[CALL_k_queue_peek_tail] = {QUEUE},
	[CALL_k_queue_cancel_wait] = {QUEUE},
	[CALL_k_msgq_alloc_init] = {MSGQ, SHORT, SHORT},
	[CALL_k_msgq_put] = {MSGQ, DATA, TIMEOUT},
	[CALL_k_msgq_put_front] = {MSGQ, DATA},
	[CALL_k_msgq_get] = {MSGQ, BUFFER, TIMEOUT},
	[CALL_k_msgq_peek] = {MSGQ, BUFFER},
	[CALL_k_msgq_peek_at] = {MSGQ, BUFFER, SHORT},
	[CALL_k_msgq_purge] = {MSGQ},
	[CALL_k_msgq_num_free_get] = {MSGQ},
	[CALL_k_msgq_num_used_get] = {MSGQ},
	[CALL_k_msgq_get_attrs] = {MSGQ, BUFFER},
	[CALL_k_timer_start] = {TIMER, TIMEOUT, TIMEOUT},
	[CALL_k_timer_stop] = {TIMER},
	[CALL_k_timer_status_get] = {TIMER},
	[CALL_k_timer_status_sync] = {TIMER},
	[CALL_k_timer_remaining_ticks] = {TIMER},
	[CALL_k_timer_remaining_get] = {TIMER},
	[CALL_k_timer_expires_ticks] = {TIMER},
	[CALL_k_timer_user_data_set] = {TIMER},
	[CALL_k_timer_user_data_get] = {TIMER},
	[CALL_k_pipe_init] = {PIPE, BUFFER, LENGTH},
	[CALL_k_pipe_write] = {PIPE, DATA, LENGTH, TIMEOUT},
	[CALL_k_pipe_read] = {PIPE, BUFFER, LENGTH, TIMEOUT},
	[CALL_k_pipe_reset] = {PIPE},
	[CALL_k_pipe_close] = {PIPE},
	[CALL_k_futex_wait] = {DATA, SHORT, TIMEOUT},
	[CALL_k_futex_wake] = {BUFFER, SHORT},
	[CALL_k_poll] = {POLLED, COUNT, TIMEOUT},
	[CALL_k_poll_signal_init] = {SIGNAL},
	[CALL_k_poll_signal_reset] = {SIGNAL},
	[CALL_k_poll_signal_check] = {SIGNAL, BUFFER, BUFFER},
	[CALL_k_poll_signal_raise] = {SIGNAL},
	[CALL_k_thread_start] = {THREAD},
	[CALL_k_thread_suspend] = {THREAD},
	[CALL_k_thread_resume] = {THREAD},
	[CALL_k_thread_abort] = {THREAD},
	[CALL_k_thread_join] = {THREAD, TIMEOUT},
	[CALL_k_thread_priority_get] = {THREAD},
	[CALL_k_thread_priority_set] = {THREAD, PRIO},
#ifdef CONFIG_SCHED_DEADLINE
	[CALL_k_thread_deadline_set] = {THREAD, SHORT},
	[CALL_k_thread_absolute_deadline_set] = {THREAD, ANY},
#endif
	[CALL_k_thread_timeout_remaining_ticks] = {THREAD},
	[CALL_k_thread_timeout_expires_ticks] = {THREAD},
	[CALL_k_thread_stack_space_get] = {THREAD, BUFFER},
	[CALL_k_thread_name_set] = {THREAD, TEXT},
	[CALL_k_thread_name_copy] = {THREAD, BUFFER, SHORT},
	[CALL_k_wakeup] = {THREAD},
	[CALL_k_sleep] = {TIMEOUT},
	[CALL_k_msleep] = {TIMEOUT},
	[CALL_k_usleep] = {TIMEOUT},
	[CALL_k_busy_wait] = {SHORT},
	[CALL_k_fatal_raise] = {SHORT},
	[CALL_k_object_grant_] = {SEM, KIND, ANY, THREAD},
	[CALL_k_object_revoke_] = {SEM, KIND, THREAD},
	[CALL_k_object_release_] = {EVENT, ANY},
	[CALL_k_object_alloc] = {ANY_KIND},
	[CALL_k_object_alloc_size] = {ANY_KIND, SHORT},
	[CALL_k_ipc_send] = {GATE, MESSAGE, TIMEOUT},
	[CALL_k_ipc_receive] = {ENDPOINT, MESSAGE, TIMEOUT},
	[CALL_k_ipc_reply] = {MESSAGE},
	[CALL_OF_IPC_CALL] = {GATE, MESSAGE, TIMEOUT},
	[CALL_OF_IPC_REPLY_RECEIVE] = {ENDPOINT, MESSAGE, TIMEOUT},
	[CALL_user_uptime_read] = {BUFFER},
	[CALL_user_thread_create_packed] = {CREATE},
};

uint32_t attack_draw(struct attacker *self)
{
	uint32_t x = self->seed;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	self->seed = x;
	return x;
}

/* By the upper bits. */
uint32_t attack_below(struct attacker *self, uint32_t n)
{
	return (uint32_t)((uint64_t)attack_draw(self) * n >> 32);
}

static bool lies_in(uintptr_t address, const void *start, size_t size)
{
	return address - (uintptr_t)start < size;
}

bool attack_is_ours(const struct attacker *self, uintptr_t address, bool write)
{
	const char *stack = attack_stack(self);
	uintptr_t last = address | 3U;

	if (!write && arch_user_constant(address, sizeof(uint32_t))) {
		return true;
	}
	return lies_in(last, &arena_page, PAGE) || lies_in(address, &arena_page, PAGE) ||
	       lies_in(last, shared_buffer, PAGE) || lies_in(address, shared_buffer, PAGE) ||
	       lies_in(last, stack, STACK_SIZE_) || lies_in(address, stack, STACK_SIZE_);
}

uintptr_t attack_any_word(struct attacker *self)
{
	static const uintptr_t edges[] = {
		0,
		1,
		2,
		4,
		7,
		15,
		64,
		0x7fffffffU,
		0x80000000U,
		0xfffffffcU,
		UINT32_MAX,
		BOARD_RAM_BASE,
		BOARD_RAM_BASE - 4,
		BOARD_RAM_BASE + BOARD_RAM_SIZE,
		BOARD_RAM_BASE + BOARD_RAM_SIZE - 4,
		A_DEVICE,
	};
	uintptr_t word = attack_draw(self);

	switch (attack_below(self, 4)) {
	case 0:
		return edges[attack_below(self, ARRAY_SIZE(edges))];
	case 1: /* an object, or a place in or near it */
		word = arena.objects[attack_below(self, DATA)]
				    [attack_below(self, NUM_ALLOWED + 1)] +
		       attack_below(self, 3) * (attack_below(self, 64) - 16U);
		break;
	case 2:
		word = BOARD_RAM_BASE + (word & (BOARD_RAM_SIZE - 1U));
		break;
	default:
		break;
	}
	/* What the kernel may write there for an attacker would look like a hole. */
	return IS_SECRET(word) || attack_is_ours(self, word, true) ? (uintptr_t)self->buffer : word;
}

/* The calls about rights take any kind, if it is the one that is said: so any kind may come back. */
static bool is_allowed(uintptr_t number, enum wanted kind, uintptr_t word)
{
	bool any_kind = number == CALL_k_object_grant_ || number == CALL_k_object_revoke_;

	for (unsigned int of = SEM; of < NUM_OBJECTS; of++) {
		for (unsigned int i = 0; i < NUM_ALLOWED; i++) {
			if (arena.objects[of][i] == word && (of == kind || any_kind)) {
				return true;
			}
		}
	}
	return false;
}

static bool is_init(uintptr_t number)
{
	return number == CALL_k_sem_init || number == CALL_k_mutex_init ||
	       number == CALL_k_condvar_init || number == CALL_k_event_init ||
	       number == CALL_k_stack_alloc_init || number == CALL_k_queue_init ||
	       number == CALL_k_msgq_alloc_init || number == CALL_k_pipe_init ||
	       number == CALL_k_poll_signal_init;
}

/* Calls that initialise get, as a rule, what was allocated: all else is refused. */
uintptr_t attack_object(struct attacker *self, enum wanted kind, struct shot *shot)
{
	bool is_new = is_init(shot->number) && attack_below(self, 4) != 0;
	uintptr_t word;

	switch (is_new ? 4 : attack_below(self, 128)) {
	case 0:
		word = attack_any_word(self);
		break;
	case 1:
		word = arena.objects[kind][FORBIDDEN];
		break;
	case 2:
		word = (uintptr_t)&self->forged[8];
		break;
	case 3: /* of another kind */
		word = arena.objects[1 + attack_below(self, NUM_OBJECTS - 1)]
				    [attack_below(self, NUM_ALLOWED)];
		break;
	case 4:
	case 5:
	case 6:
	case 7:
		word = shot->number == CALL_user_thread_create_packed ? 0 : made_of(self, kind);
		if (word != 0) {
			return word; /* nobody knows whether it has to be refused */
		}
		return arena.objects[kind][attack_below(self, NUM_ALLOWED)];
	default:
		return arena.objects[kind][attack_below(self, NUM_ALLOWED)];
	}
	/* To give up what one never had is no harm, and no violation; no thread is the caller itself. */
	if (!is_allowed(shot->number, kind, word) && shot->number != CALL_k_object_release_ &&
	    !(shot->number == CALL_k_thread_name_set && word == 0)) {
		shot->is_forbidden = true;
	}
	return word;
}

/* What becomes of a buffer that is not the caller's. */
enum buffer_check {
	IS_VIOLATION,
	IS_LOOKED_AT_LATE, /* or a violation, but a call of another result than 0 has not come to it */
	IS_ERROR,
};

static enum buffer_check buffer_check(uintptr_t number)
{
	switch (number) {
	case CALL_k_futex_wait:
	case CALL_k_futex_wake:
		return IS_ERROR;
	case CALL_user_uptime_read:
	case CALL_k_msgq_get_attrs:
	case CALL_k_pipe_init:
	case CALL_k_pipe_write:
	case CALL_k_pipe_read:
	case CALL_k_poll_signal_check:
		return IS_VIOLATION;
	default:
		return IS_LOOKED_AT_LATE;
	}
}

static uintptr_t memory(struct attacker *self, struct shot *shot, bool write)
{
	uint32_t luck = attack_below(self, 64);
	uintptr_t word;

	if (luck > 3) {
		return (uintptr_t)(luck % 4 == 0 ? shared_buffer : self->buffer);
	}
	word = luck == 0 ? arena.objects[BUFFER][FORBIDDEN] : attack_any_word(self);
	if (!attack_is_ours(self, word, write)) {
		enum buffer_check check = buffer_check(shot->number);

		shot->is_forbidden = shot->is_forbidden || check == IS_VIOLATION;
		shot->may_fail = check == IS_LOOKED_AT_LATE;
		shot->must_fail = check == IS_ERROR;
	}
	return word;
}

/* Of a thread that one may create, but for one word of it now and then. */
static uintptr_t create(struct attacker *self, struct shot *shot)
{
	unsigned int child = attack_below(self, NUM_CHILDREN);
	uintptr_t *args = self->create;

	args[0] = arena.objects[THREAD][child];
	args[1] = arena.objects[STACK][child];
	args[2] = STACK_SIZE_;
	args[3] = (uintptr_t)attack_begin;
	args[7] = PRIO_ + 2 + attack_below(self, 2); /* whatever its own may be by now */
	args[8] = K_USER | attack_below(self, 2) * K_INHERIT_PERMS;
	args[9] = attack_below(self, 3) - 1U;
	switch (attack_below(self, 16)) {
	case 0:
		args[0] = attack_object(self, THREAD, shot);
		break;
	case 1:
		args[1] = attack_object(self, STACK, shot);
		break;
	case 2:
		args[2] = STACK_SIZE_ + 4 + attack_below(self, 3) * STACK_SIZE_;
		shot->is_forbidden = true;
		break;
	case 3:
		args[7] = attack_below(self, 2) != 0
				  ? attack_below(self, PRIO_)
				  : (uintptr_t)(-1 - (int)attack_below(self, 20));
		shot->is_forbidden = true;
		break;
	case 4:
		args[8] = attack_below(self, 2) != 0 ? 0 : K_USER | K_ESSENTIAL;
		shot->is_forbidden = true;
		break;
	default:
		break;
	}
	return (uintptr_t)args;
}

static uintptr_t argument(struct attacker *self, enum wanted kind, struct shot *shot)
{
	uint32_t luck;

	if (kind > ANY && kind < NUM_OBJECTS) {
		return attack_object(self, kind, shot);
	}
	if (kind == BUFFER || kind == DATA) {
		return memory(self, shot, kind == BUFFER);
	}
	if (kind == POLLED) {
		return attack_polled(self, shot);
	}
	if (kind == COUNT) {
		return attack_count_polled(self, shot);
	}
	luck = attack_below(self, 32);
	switch (kind) {
	case LENGTH:
		return attack_below(self, 15) + 1U;
	case SHORT: /* of what spins nothing else is learned */
		return attack_below(self, 16);
	case TIMEOUT:
		return luck == 0 ? attack_any_word(self)
				 : (luck < 28 ? attack_below(self, 3) : luck & 1U) - (luck == 31);
	case PRIO:
		return luck < 24 ? PRIO_ + 2 + luck % 4 : luck - 27U;
	case KIND:
		return luck < 28 ? K_OBJ_SEM : attack_below(self, 16);
	case TEXT: /* of a thread that has ended nobody reads it */
		return luck < 24 ? (uintptr_t)self->buffer : attack_any_word(self);
	case ANY_KIND:
		return attack_below(self, K_OBJ_LAST_ + 1);
	case MESSAGE:
		return message_make(self, shot);
	case CREATE:
		return luck == 0 ? attack_any_word(self) : create(self, shot);
	default:
		return luck < 16 ? attack_below(self, 16) : attack_any_word(self);
	}
}

static uintptr_t draw_number(struct attacker *self)
{
	uintptr_t number;

	/* Bound: chance. Of these few: they are refused, or end the caller, or are heard. */
	do {
		number = attack_below(self, NUM_CALLS);
	} while ((is_init(number) || number == CALL_k_fatal_raise || number == CALL_console_putc) &&
		 attack_below(self, 16) != 0);
	if (number == CALL_console_putc || attack_below(self, 256) == 0) {
		return attack_below(self, 2) != 0 ? NUM_CALLS + attack_below(self, 8)
						  : attack_draw(self) | 0x400U;
	}
	return number;
}

static bool is_about_rights(uintptr_t number)
{
	return number == CALL_k_object_grant_ || number == CALL_k_object_revoke_ ||
	       number == CALL_k_object_release_;
}

void attack_load(struct attacker *self, struct shot *shot)
{
	uint8_t first;

	*shot = (struct shot){.number = draw_number(self)};
	if (attack_below(self, 16) == 0) {
		message_load(self, shot);
	}
	if (message_is_in_registers(shot)) {
		return;
	}
	if (shot->number >= NUM_CALLS) {
		shot->is_forbidden = true; /* there is no such call */
		return;
	}
	first = wanted[shot->number][0];
	if (first == ANY) { /* nobody has said, and what is learned may be wrong */
		first = attack_below(self, 8) != 0 ? arena.learned[shot->number] : ANY;
		if (first == ANY) {
			first = (uint8_t)attack_below(self, NUM_OBJECTS);
		}
		shot->args[0] = argument(self, first, &(struct shot){0});
		shot->args[1] = argument(self, ANY, shot);
		shot->args[2] = argument(self, ANY, shot);
		shot->args[3] = argument(self, ANY, shot);
		return;
	}
	for (unsigned int i = 0; i < 4; i++) {
		shot->args[i] = argument(self, wanted[shot->number][i], shot);
	}
	if (is_about_rights(shot->number)) {
		made_pass_on(self, shot);
	}
}

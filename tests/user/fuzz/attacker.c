/* SPDX-License-Identifier: Apache-2.0 */
/* User mode: takes bytes, makes of them calls and what lies between calls, and looks at what comes back. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "kernel/base/kernel.h"
#include "kernel/syscall/verify.h"

#define MAX_ARGUMENTS 4
#define MAX_EVENTS    4
#define MOST_CALLS    256
#define REFILLS       240 /* of a byte that says to write memory: what lies in a pool */

KEPT static unsigned int calls_made, calls_back;
KEPT static bool has_come_back[MOST_CALLS];

struct attempt {
	unsigned int number;
	const char *signature;
	uintptr_t arguments[6];
	unsigned int changes; /* world_changes when it was made */
	bool is_revoked; /* the first argument's right was gone by then */
	bool may_touch[MAX_ARGUMENTS]; /* the buffer that this argument is */
	struct k_ipc_message message, sent; /* if one of them is one; as it was */
	bool polls_anothers; /* one of its events is of what is no object of the thread's */
};

static bool is_called(const struct attempt *attempt, const char *name)
{
	return strcmp(call_name(attempt->number), name) == 0;
}

static bool is_object(char kind)
{
	return kind >= 'A' && kind <= 'Z' && kind != PRIORITY && kind != CREATION && kind != EVENTS;
}

static bool may_touch(const struct attempt *attempt, unsigned int i)
{
	char kind = attempt->signature[i];
	const void *object = (const void *)attempt->arguments[0];
	bool sends = !is_called(attempt, "k_ipc_receive");
	bool receives = !is_called(attempt, "k_ipc_send") && !is_called(attempt, "k_ipc_reply");

	if (kind == MESSAGE && attempt->arguments[i] == (uintptr_t)&attempt->message) {
		return message_may_touch(&attempt->message, sends, receives);
	}
	if (kind == MESSAGE) {
		return host_user_may((const void *)attempt->arguments[i], sizeof(attempt->message),
				     receives);
	}
	size_t size = is_called(attempt, "k_msgq_get_attrs")
			      ? sizeof(struct k_msgq_attrs)
			      : world_buffer_size(object, attempt->signature[0]);

	return (kind != READ_BUFFER && kind != WRITTEN_BUFFER) ||
	       host_user_may((const void *)attempt->arguments[i], size, kind == WRITTEN_BUFFER);
}

/* Mostly one that may be created; what begins there is main.c's choice. */
static void make_creation(struct thread_create_args *args)
{
	uint8_t size = input_byte();
	uint8_t options = input_byte();

	*args = (struct thread_create_args){
		.begins = {.entry = attacker_main, .p1 = (void *)(uintptr_t)NUM_ATTACKERS},
	};
	/* One after the other: in an initialiser their order would be the compiler's. */
	args->thread = (struct k_thread *)argument_next(THREAD);
	args->stack = (k_thread_stack_t *)argument_next(STACK);
	args->size = size < 160   ? STACK_SIZE
		     : size < 192 ? STACK_SIZE + size - 160U
				  : argument_next(NUMBER);
	args->prio = PRIO + (int)input_byte() % 16 - 4;
	args->options = options < 192 ? K_USER | (options & K_INHERIT_PERMS) : input_byte();
	args->delay.ticks = (k_ticks_t)argument_next(TIMEOUT);
}

static struct {
	enum kind kind;
	uint8_t type;
} const pollable[] = {
	{SEM, K_POLL_TYPE_SEM_AVAILABLE},
	{QUEUE, K_POLL_TYPE_DATA_AVAILABLE},
	{MSGQ, K_POLL_TYPE_MSGQ_DATA_AVAILABLE},
	{PIPE, K_POLL_TYPE_PIPE_DATA_AVAILABLE},
	{SIGNAL, K_POLL_TYPE_SIGNAL},
};

/* Mostly of objects that may be polled, each by its own type. */
static void make_events(struct attempt *attempt, struct k_poll_event *events)
{
	unsigned int count = 1U + input_byte() % MAX_EVENTS;

	for (unsigned int i = 0; i < count; i++) {
		uint8_t choice = input_byte();
		unsigned int way = choice % ARRAY_SIZE(pollable);
		const void *object = (const void *)argument_next(pollable[way].kind);

		events[i] = (struct k_poll_event){.obj = (void *)(uintptr_t)object};
		events[i].type = choice < 240 ? pollable[way].type : input_byte();
		events[i].mode = choice < 248 ? K_POLL_MODE_NOTIFY_ONLY : input_byte();
		attempt->polls_anothers |= choice < 240 &&
					   world_is_out_of_reach(object, pollable[way].kind);
	}
	attempt->arguments[1] = count;
}

static void prepare(struct attempt *attempt, unsigned int self, struct thread_create_args *creation,
		    struct k_poll_event *events)
{
	const void *object;

	for (unsigned int i = 0; attempt->signature[i] != '\0'; i++) {
		if (attempt->signature[i] == CREATION) {
			uint8_t choice = input_byte();

			make_creation(creation);
			attempt->arguments[i] = choice < 240 ? (uintptr_t)creation
							     : argument_next(WRITTEN_BUFFER);
		} else if (attempt->signature[i] == MESSAGE) {
			uint8_t choice = input_byte();

			message_make(&attempt->message);
			attempt->sent = attempt->message;
			attempt->arguments[i] = choice < 240 ? (uintptr_t)&attempt->message
							     : argument_next(WRITTEN_BUFFER);
		} else if (attempt->signature[i] == EVENTS) {
			make_events(attempt, events);
			attempt->arguments[i] = (uintptr_t)events;
		} else if (attempt->signature[i] == COUNT) {
			if (input_byte() >= 240) { /* then nobody knows what is looked at */
				attempt->arguments[i] = argument_next(NUMBER);
				attempt->polls_anothers = false;
			}
		} else {
			attempt->arguments[i] = argument_next((enum kind)attempt->signature[i]);
		}
	}
	if (is_called(attempt, "k_busy_wait")) {
		attempt->arguments[0] &= 63U;
	}
	object = (const void *)attempt->arguments[0];
	if (is_called(attempt, "k_object_grant_")) {
		world_passed_on(object);
	}
	attempt->changes = world_changes;
	attempt->is_revoked = is_object(attempt->signature[0]) && world_is_revoked(self, object);
	for (unsigned int i = 0; attempt->signature[i] != '\0'; i++) {
		attempt->may_touch[i] = may_touch(attempt, i);
	}
}

/* It came back: then it had the right to all that it named. */
static void judge_result(const struct attempt *attempt, unsigned int self, uintptr_t result)
{
	const char *signature = attempt->signature;

	if (result == SECRET) {
		hole("a call has returned a secret");
	}
	if (attempt->number >= num_calls) {
		hole("a call that is not there has returned");
	}
	if (is_called(attempt, "k_object_release_") ||
	    (is_called(attempt, "k_thread_name_set") && attempt->arguments[0] == 0)) {
		return;
	}
	if (attempt->is_revoked && world_is_revoked(self, (const void *)attempt->arguments[0])) {
		hole("a call with an object whose right was taken has returned");
	}
	if (attempt->polls_anothers && (int)result != -EINVAL) { /* of another event, before it */
		hole("a poll of what is not the thread's object has returned");
	}
	if (strncmp(call_name(attempt->number), "k_futex_", 8) == 0 && !attempt->may_touch[0] &&
	    attempt->changes == world_changes && (int)result != -EACCES && (int)result != -EINVAL) {
		hole("a futex that is not the thread's memory was used");
	}
	if (signature[0] == PIPE && signature[1] != '\0' && attempt->arguments[2] != 0 &&
	    !attempt->may_touch[1] && attempt->changes == world_changes) {
		hole("a pipe was filled from, or into, what is not the thread's memory");
	}
	for (unsigned int i = 0; signature[i] != '\0'; i++) {
		const void *argument = (const void *)attempt->arguments[i];

		if (is_object(signature[i]) &&
		    world_is_out_of_reach(argument, (enum kind)signature[i])) {
			hole("a call with what is not the thread's object has returned");
		}
		if (!attempt->may_touch[i] && result == 0 && attempt->changes == world_changes &&
		    (signature[0] == MSGQ || signature[0] == WORDS || signature[0] == SIGNAL ||
		     signature[i] == MESSAGE)) {
			hole("a call with a buffer that is not the thread's has returned");
		}
		if (signature[i] == MESSAGE && argument == &attempt->message && result == 0 &&
		    !is_called(attempt, "k_ipc_send") && !is_called(attempt, "k_ipc_reply")) {
			message_judge(&attempt->sent, &attempt->message);
		}
	}
}

uintptr_t call_named(const char *name, const uintptr_t arguments[6])
{
	unsigned int number = call_number(name);
	uintptr_t result;

	calls_made++;
	trace_call(number, NUM_ATTACKERS, arguments);
	result = raw_call(number, arguments);
	trace_result(NUM_ATTACKERS, result);
	calls_back++;
	if (result > UINT16_MAX && strcmp(name, "k_object_alloc") == 0) {
		argument_remember(result);
	}
	return result;
}

static void make_call(unsigned int number, unsigned int self)
{
	struct attempt attempt = {.number = number, .signature = call_signature(number)};
	struct thread_create_args creation;
	struct k_poll_event events[MAX_EVENTS];
	uintptr_t result;

	if (number >= num_calls) {
		attempt.number = number + input_word();
	}
	prepare(&attempt, self, &creation, events);
	calls_made++;
	trace_call(attempt.number, self, attempt.arguments);
	result = raw_call(attempt.number, attempt.arguments);
	trace_result(self, result);
	calls_back++;
	has_come_back[attempt.number % MOST_CALLS] = true;
	judge_result(&attempt, self, result);
	if (result > UINT16_MAX) {
		argument_remember(result);
	}
}

/* Bytes of the thread's own choice, or an object's, so that what lies there looks like one. */
static void write_memory(void)
{
	uint8_t choice = input_byte();
	uint8_t *place = &shared[(choice & 7U) * 64U];
	size_t size = 64;

	if (!host_user_may(place, size, true)) {
		return;
	}
	if ((choice & 8U) != 0) {
		memcpy(place, named[input_byte() % num_named].address, size);
		/* A secret object's words may be secrets; a user could not have read them. */
		for (size_t i = 0; i + sizeof(uintptr_t) <= size; i += sizeof(uintptr_t)) {
			if (*(uintptr_t *)(void *)&place[i] == SECRET) {
				memset(&place[i], 0, sizeof(uintptr_t));
			}
		}
	} else {
		memset(place, input_byte(), size);
	}
}

void attempts_print(void)
{
	unsigned int kinds = 0;

	for (unsigned int i = 0; i < num_calls; i++) {
		kinds += has_come_back[i];
		if (!has_come_back[i]) {
			trace(call_name(i), 0, 0);
		}
	}
	(void)fprintf(stderr, "%u calls, of which %u came back, of %u kinds out of %u\n",
		      calls_made, calls_back, kinds, num_calls);
}

static void step(unsigned int self)
{
	uint8_t choice = input_byte();

	if (choice < 192) {
		make_call(choice % (num_calls + 1U), self);
		return;
	}
	trace("between calls", choice & 3U, self);
	switch (choice & 3U) {
	case 0:
		if (choice >= REFILLS) {
			refill_step();
		} else {
			write_memory();
		}
		break;
	case 1:
		host_advance((uint64_t)1 << (choice >> 2 & 15U));
		break;
	case 2:
		judge_call();
		break;
	default:
		judge_plan(input_byte());
		break;
	}
}

void attacker_main(void *number, void *p2, void *p3)
{
	for (;;) {
		if (input_left()) {
			step((unsigned int)(uintptr_t)number);
		} else {
			(void)k_sleep(K_FOREVER);
		}
	}
}

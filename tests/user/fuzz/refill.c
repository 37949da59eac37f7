/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode: memory that goes back to a pool and comes out again as something else. Whoever then still believes in what it was
 * is seen by the sanitizer while it lies there freed, and by what the bytes say when it is filled with the attacker's own.
 */
#include <string.h>

#include "fuzz.h"
#include "kernel/syscall/verify.h"

/* Allocated before what goes, so that they do not lie where that was. */
static uintptr_t others[2], filler;

/* What takes hold of something and ends; p1 says of what. */
static void holder_main(void *of, void *p2, void *p3)
{
	struct k_ipc_message message = {0};

	switch ((uintptr_t)of) {
	case 0:
		(void)k_mutex_lock((struct k_mutex *)named_first(MUTEX), K_NO_WAIT);
		break;
	case 1:
		(void)k_ipc_receive((struct k_ipc_endpoint *)named_first(ENDPOINT), &message,
				    K_NO_WAIT);
		break;
	default:
		(void)k_sem_take((struct k_sem *)named_first(SEM), K_TICKS(1));
		break;
	}
}

static void allocate(void)
{
	static const enum kind kinds[] = {THREAD, MUTEX, MSGQ, SEM, ENDPOINT, PIPE, QUEUE, SIGNAL};
	enum kind kind = kinds[input_byte() % ARRAY_SIZE(kinds)];

	(void)call_named("k_object_alloc", (uintptr_t[6]){world_kind_number(kind), 0});
}

static void allocate_others(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(others); i++) {
		others[i] = call_named("k_object_alloc", (uintptr_t[6]){K_OBJ_SEM, 0});
		(void)call_named("k_sem_init", (uintptr_t[6]){others[i], 1, 1});
	}
	filler = call_named("k_object_alloc", (uintptr_t[6]){K_OBJ_MSGQ, 0});
}

/* A short life in the block that was allocated last. Others run before it ends. */
static void live(void)
{
	uintptr_t block = argument_last();
	struct thread_create_args args = {
		.thread = (struct k_thread *)block,
		.stack = (k_thread_stack_t *)(uintptr_t)named_first(STACK),
		.size = STACK_SIZE,
		.begins = {.entry = holder_main, .p1 = (void *)(uintptr_t)(input_byte() % 3U)},
		.prio = LOWEST_PRIO - 4,
		.options = K_USER | K_INHERIT_PERMS,
	};

	allocate_others();
	(void)call_named("user_thread_create_packed", (uintptr_t[6]){(uintptr_t)&args});
	(void)call_named("k_thread_join", (uintptr_t[6]){block, (uintptr_t)K_TICKS_FOREVER});
	argument_remember(block);
}

/* Nobody has it any more: a call holds the last two that its caller named, so two others are. */
static void let_go(void)
{
	(void)call_named("k_object_release_", (uintptr_t[6]){argument_last(), K_OBJ_ANY});
	for (unsigned int i = 0; i < ARRAY_SIZE(others) && others[i] != 0; i++) {
		(void)call_named("k_sem_count_get", (uintptr_t[6]){others[i]});
	}
}

/* As long as what was there, and full of one word: a number, or an object's address. */
static void fill_again(void)
{
	static const size_t sizes[] = {sizeof(struct k_thread), sizeof(struct k_mutex),
				       sizeof(struct k_msgq), sizeof(struct k_sem)};
	size_t size = sizes[input_byte() % ARRAY_SIZE(sizes)];
	uint8_t choice = input_byte();
	uintptr_t word = choice < 64 ? choice * (((uintptr_t)1 << 32) + 1U)
				     : (uintptr_t)named[choice % num_named].address;

	if (filler == 0 || !host_user_may(shared, size, true)) {
		return;
	}
	for (size_t i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
		memcpy(&shared[i], &word, sizeof(word));
	}
	(void)call_named("k_msgq_alloc_init", (uintptr_t[6]){filler, size, 1});
	(void)call_named("k_msgq_put", (uintptr_t[6]){filler, (uintptr_t)shared, 0});
}

void refill_step(void)
{
	switch (input_byte() & 3U) {
	case 0:
		allocate();
		break;
	case 1:
		live();
		break;
	case 2:
		let_go();
		break;
	default:
		fill_again();
		break;
	}
}

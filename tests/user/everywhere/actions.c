/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comes between, at any instruction of the victim's call: its end, another one in its place, a stop, the end of its
 * rights, memory and objects, and other contents of what it passed. Behind each, all that is free becomes messages whose
 * bytes are a thread of user mode's own making.
 */
#include "everywhere.h"
#include "lib/string.h"

static void release(const void *object, unsigned int kind)
{
	k_object_revoke_(object, kind, objects.victim);
	k_object_revoke_(object, kind, &helper);
	k_object_release_(object, kind);
}

static void take_all_rights(void)
{
	release(objects.sem, K_OBJ_SEM);
	release(objects.given, K_OBJ_SEM);
	release(objects.mutex, K_OBJ_MUTEX);
	release(objects.other_mutex, K_OBJ_MUTEX);
	release(objects.condvar, K_OBJ_CONDVAR);
	release(objects.event, K_OBJ_EVENT);
	release(objects.msgq, K_OBJ_MSGQ);
	release(objects.full, K_OBJ_MSGQ);
	release(objects.short_empty, K_OBJ_MSGQ);
	release(objects.short_full, K_OBJ_MSGQ);
	release(objects.stack, K_OBJ_STACK);
	release(objects.queue, K_OBJ_QUEUE);
	release(objects.pipe, K_OBJ_PIPE);
	release(objects.empty, K_OBJ_PIPE);
	release(objects.timer, K_OBJ_TIMER);
	release(objects.signal, K_OBJ_POLL_SIGNAL);
	release(objects.thread, K_OBJ_THREAD);
	release(objects.victim, K_OBJ_THREAD);
}

void fill_what_is_free(void)
{
	/* Bound: eight. */
	for (int i = 0; i < 8; i++) {
		struct k_msgq *msgq = i < SPARE ? objects.spare[i] : k_object_alloc(K_OBJ_MSGQ);
		size_t size = sizeof(made_up);

		/* Bound: the size's bits: the largest that there is room for, and then smaller ones. */
		while (msgq != NULL && size >= 16 && k_msgq_alloc_init(msgq, size, 1) != 0) {
			size /= 2;
		}
		if (msgq == NULL || size < 16) {
			return;
		}
		(void)k_msgq_put(msgq, &made_up, K_NO_WAIT);
	}
}

static void lives_there_instead(void *p1, void *p2, void *p3)
{
	k_sleep(K_TICKS(3));
}

static void ends(void)
{
	k_thread_abort(objects.victim);
	fill_what_is_free();
}

static void is_another(void)
{
	k_thread_abort(objects.victim);
	fill_what_is_free();
	(void)k_thread_create(objects.victim, victim_stack, STACK, lives_there_instead, decoys,
			      decoys, decoys, 10, K_USER | K_INHERIT_PERMS, K_NO_WAIT);
}

static void stops(void)
{
	k_thread_suspend(objects.victim);
	fill_what_is_free();
	k_sleep(K_TICKS(3));
	k_thread_resume(objects.victim);
}

static void loses_all_rights(void)
{
	take_all_rights();
	fill_what_is_free();
	k_sleep(K_TICKS(1)); /* what was held is free now */
	fill_what_is_free();
}

static void loses_all_rights_and_ends(void)
{
	k_thread_abort(objects.victim);
	take_all_rights();
	k_sleep(K_TICKS(1));
	fill_what_is_free();
}

static void ends_and_its_block_is_freed(void)
{
	k_thread_abort(objects.victim);
	release(objects.victim, K_OBJ_THREAD);
	k_sleep(K_TICKS(1));
	fill_what_is_free();
}

static void ends_with_its_helper(void)
{
	k_thread_abort(&helper);
	k_thread_abort(objects.victim);
	take_all_rights();
	k_sleep(K_TICKS(1));
	fill_what_is_free();
}

static void passed_something_else(void)
{
	for (int i = 0; i < LIES; i++) {
		lies[i] = (uintptr_t)&decoys[(i * 7) % DECOYS];
	}
	case_changes();
	fill_what_is_free();
}

static void all_is_given(void)
{
	k_sem_give(objects.sem);
	(void)k_poll_signal_raise(objects.signal, 1);
	(void)k_msgq_put(objects.msgq, &made_up, K_NO_WAIT);
	(void)k_event_post(objects.event, 7);
	k_thread_abort(objects.victim);
	fill_what_is_free();
}

/* ---- kernel mode's ---- */

#define SECRET 0x5A /* what fills memory that was taken away */
#define LONG   80 /* bytes of a long message */

k_tid_t keeper;
static bool is_taken; /* its memory */

/* Those queues are looked at in the end, when all who have a right to them may have ended. */
static void keep_queues(bool kept)
{
	struct k_msgq *const queues[] = {objects.full, objects.msgq, objects.short_full,
					 objects.short_empty};

	for (size_t i = 0; i < ARRAY_SIZE(queues); i++) {
		if (kept) {
			(void)k_object_grant_(queues[i], K_OBJ_MSGQ, 0, keeper);
		} else {
			k_object_revoke_(queues[i], K_OBJ_MSGQ, keeper);
		}
	}
}

static void loses_its_memory(void)
{
	keep_queues(true);
	(void)k_mem_domain_remove_partition(&users_domain, &buffers);
	memset((void *)buffers.start, SECRET, buffers.size);
	is_taken = true;
}

/* A message with a word of what was taken, if there is one. */
static bool is_reported(struct k_msgq *msgq)
{
	uintptr_t message[LONG / sizeof(uintptr_t)] = {0};
	uintptr_t secret;
	bool has_any = false;

	memset(&secret, SECRET, sizeof(secret));
	(void)k_msgq_get(msgq, message, K_NO_WAIT);
	for (size_t i = 0; i < ARRAY_SIZE(message); i++) {
		has_any |= message[i] == secret;
	}
	return has_any;
}

/* And what it waits for comes: it goes on with what it passed before. */
static void loses_its_memory_and_goes_on(void)
{
	char message[LONG] = {0};

	loses_its_memory();
	(void)k_msgq_get(objects.full, message, K_NO_WAIT);
	(void)k_msgq_get(objects.short_full, message, K_NO_WAIT);
	memset(message, 0, sizeof(message));
	(void)k_msgq_put(objects.msgq, message, K_NO_WAIT);
	(void)k_msgq_put(objects.short_empty, message, K_NO_WAIT);
	(void)k_poll_signal_raise(objects.signal, 1);
	k_sem_give(objects.sem);
}

bool memory_was_used(void)
{
	const char *taken = (const char *)buffers.start;
	bool is_used = k_thread_name_get(&helper)[0] == SECRET;

	if (!is_taken) {
		return false;
	}
	for (size_t i = 0; i < buffers.size; i++) {
		is_used |= taken[i] != SECRET;
	}
	is_used |= is_reported(objects.full) || is_reported(objects.msgq);
	is_used |= is_reported(objects.short_full) || is_reported(objects.short_empty);
	is_taken = false;
	keep_queues(false);
	(void)k_mem_domain_add_partition(&users_domain, &buffers);
	return is_used;
}

static void has_its_objects_freed(void)
{
	k_object_free(objects.sem);
	k_object_free(objects.mutex);
	k_object_free(objects.other_mutex);
	k_object_free(objects.msgq);
	k_object_free(objects.pipe);
	k_object_free(objects.signal);
	k_object_free(objects.queue);
}

static const struct {
	const char *name;
	void (*by_sibling)(void);
	void (*by_judge)(void);
} actions[] = {
	{"ends", ends, NULL},
	{"is another", is_another, NULL},
	{"stops, and goes on", stops, NULL},
	{"loses all rights", loses_all_rights, NULL},
	{"loses all rights, and ends", loses_all_rights_and_ends, NULL},
	{"ends, and its block is freed", ends_and_its_block_is_freed, NULL},
	{"ends with its helper", ends_with_its_helper, NULL},
	{"passed something else", passed_something_else, NULL},
	{"all that it waits for comes, and it ends", all_is_given, NULL},
	{"loses its memory", NULL, loses_its_memory},
	{"loses its memory, and goes on", NULL, loses_its_memory_and_goes_on},
	{"has its objects freed", fill_what_is_free, has_its_objects_freed},
};

unsigned int actions_count(void)
{
	return ARRAY_SIZE(actions);
}

const char *action_name(unsigned int number)
{
	return actions[number].name;
}

void action_of_judge(unsigned int number)
{
	if (actions[number].by_judge != NULL) {
		actions[number].by_judge();
	}
}

/* Whoever refers to the victim, or what it had, does so now: what is defined is there still. */
static void use_what_is_left(void)
{
	struct k_ipc_message message = {.capacity = 0};

	(void)k_mutex_lock(&saved_mutex, K_TICKS(1));
	(void)k_ipc_call(&gate, &message, K_TICKS(1));
	(void)k_ipc_call(&served_gate, &message, K_TICKS(1));
	(void)k_ipc_receive(&endpoint, &message, K_TICKS(1));
	(void)k_ipc_reply(&message);
	(void)k_mutex_unlock(&saved_mutex);
}

void action_of_sibling(unsigned int number)
{
	if (actions[number].by_sibling != NULL) {
		actions[number].by_sibling();
	}
	use_what_is_left();
}

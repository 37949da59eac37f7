/* SPDX-License-Identifier: Apache-2.0 */
/* References to allocated objects, and the end of those that have none: see references.h. */
#include "kernel/protect/references.h"
#include "kernel/inspect/object.h"
#include "kernel/objects/pipe.h"
#include "kernel/protect/user.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/thread_stack.h"
#include "kernel/time/timeout.h"

CALLS_DIRECTLY(k_queue_get);
CALLS_DIRECTLY(k_queue_is_empty);

#define WORDS (CONFIG_USER_OBJECTS / 32)

uint32_t allocated_objects[WORDS];
static uint32_t orphans[WORDS];
bool user_has_orphans; /* one word to look at for all of them */

static uint32_t bit_of(const struct object_entry *entry)
{
	return (uint32_t)1 << (entry_index(entry) % 32);
}

void reference_begin(struct object_entry *entry, struct k_heap *pool)
{
	entry->kind |= OBJECT_ALLOCATED;
	entry_renamed(entry);
	entry->pool = pool;
	allocated_objects[entry_index(entry) / 32] |= bit_of(entry);
}

void reference_add(struct object_entry *entry)
{
	if ((entry->kind & OBJECT_ALLOCATED) != 0) {
		entry->references++; /* three a thread at most, and few more: it does not wrap */
	}
}

void reference_drop(struct object_entry *entry)
{
	if ((entry->kind & OBJECT_ALLOCATED) != 0 && --entry->references == 0) {
		orphans[entry_index(entry) / 32] |= bit_of(entry);
		user_has_orphans = true;
	}
}

/* ---- a thread's ---- */

void references_inherited(const struct k_thread *thread)
{
	/* Bound: the allocated objects that the thread's creator may use. */
	for (unsigned int i = 0; i < WORDS; i++) {
		uint32_t bits = thread->user.grants[i] & allocated_objects[i];

		for (; bits != 0; bits &= bits - 1U) {
			reference_add(&object_table[i * 32U + (unsigned int)__builtin_ctz(bits)]);
		}
	}
}

static void let_go(struct k_thread *thread)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.held); i++) {
		if (thread->user.held[i] != 0) {
			reference_drop(&object_table[thread->user.held[i] - 1U]);
			thread->user.held[i] = 0;
		}
	}
}

void references_let_go(void)
{
	unsigned int key = irq_lock();

	if (object_entry_of_thread(k_cpu.current) != NULL) { /* else it never named one */
		let_go(k_cpu.current);
	}
	irq_unlock(key);
}

#ifdef CONFIG_POLL
void references_polled_begin(struct references_polled *polled)
{
	polled->count = 0;
	k_cpu.current->user.polled = polled;
}

void reference_poll(const void *object, size_t tag_offset)
{
	struct references_polled *polled = k_cpu.current->user.polled;
	unsigned int key = irq_lock();
	struct object_entry *entry = object_entry_at(object, tag_offset);

	if (entry != NULL && (entry->kind & OBJECT_ALLOCATED) != 0) {
		reference_add(entry);
		polled->entries[polled->count++] = (uint16_t)entry_index(entry);
	}
	irq_unlock(key);
}

/* Masked. Bound: CONFIG_POLL_USER_EVENTS. */
static void polled_let_go(struct k_thread *thread)
{
	const struct references_polled *polled = thread->user.polled;

	if (polled == NULL) {
		return;
	}
	for (unsigned int i = 0; i < polled->count; i++) {
		reference_drop(&object_table[polled->entries[i]]);
	}
	thread->user.polled = NULL;
}

void references_polled_end(void)
{
	unsigned int key = irq_lock();

	polled_let_go(k_cpu.current);
	irq_unlock(key);
}
#else
static inline void polled_let_go(struct k_thread *thread)
{
}
#endif

void references_end(struct k_thread *thread)
{
	/* Bound: the allocated objects that the thread may use. */
	for (unsigned int i = 0; i < WORDS; i++) {
		uint32_t bits = thread->user.grants[i] & allocated_objects[i];

		thread->user.grants[i] = 0;
		for (; bits != 0; bits &= bits - 1U) {
			reference_drop(&object_table[i * 32U + (unsigned int)__builtin_ctz(bits)]);
		}
	}
	let_go(thread);
	polled_let_go(thread);
}

void reference_hold(struct object_entry *entry)
{
	struct thread_user *user = &k_cpu.current->user;
	uint16_t name = (uint16_t)(entry_index(entry) + 1U);
	unsigned int slot;

	if (user->held[0] == name || user->held[1] == name) {
		user->newest_held = user->held[1] == name;
		return;
	}
	slot = (user->newest_held ^ 1U) & 1U;
	if (user->held[slot] != 0) {
		reference_drop(&object_table[user->held[slot] - 1U]);
	}
	reference_add(entry);
	user->held[slot] = name;
	user->newest_held = (uint8_t)slot;
}

/* ---- the end ---- */

static void forget_timer(struct k_timer *timer)
{
	unsigned int key = irq_lock();

	if (timer->running) {
		timeout_cancel(&timer->timeout);
		timer->running = false;
	}
	irq_unlock(key);
}

static void drain(struct k_queue *queue)
{
	/* Bound: the items in the queue, whose containers were its users' pools'. */
	while (k_queue_is_empty(queue) == 0) {
		(void)k_queue_get(queue, K_NO_WAIT);
	}
}

#ifdef CONFIG_OBJ_CORE
#define UNLIST(type, object) k_obj_core_unlink(&((struct type *)(object))->obj_core)
#else
#define UNLIST(type, object) ((void)(object))
#endif

/* What an object that was initialised has of others'. Nobody waits: that would be a reference. */
static void clean_up(void *object, unsigned int kind)
{
	switch (kind) {
	case K_OBJ_CONDVAR:
		UNLIST(k_condvar, object);
		break;
	case K_OBJ_EVENT:
		UNLIST(k_event, object);
		break;
	case K_OBJ_MSGQ:
		(void)k_msgq_cleanup(object);
		UNLIST(k_msgq, object);
		break;
	case K_OBJ_MUTEX:
		UNLIST(k_mutex, object);
		break;
	case K_OBJ_PIPE:
		pipe_give_back(object);
		UNLIST(k_pipe, object);
		break;
	case K_OBJ_QUEUE:
		drain(object);
		break;
	case K_OBJ_SEM:
		UNLIST(k_sem, object);
		break;
	case K_OBJ_STACK:
		(void)k_stack_cleanup(object);
		UNLIST(k_stack, object);
		break;
	case K_OBJ_TIMER:
		forget_timer(object);
		UNLIST(k_timer, object);
		break;
	default: /* a thread that has ended, a stack: nothing */
		break;
	}
}

/* Take an orphan out of the table, where its entry is free then; false: there is none. Masked. */
static bool take_orphan(struct object_entry *taken)
{
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < WORDS; i++) {
		struct object_entry *entry;

		if (orphans[i] == 0) {
			continue;
		}
		entry = &object_table[i * 32U + (unsigned int)__builtin_ctz(orphans[i])];
		orphans[i] &= orphans[i] - 1U;
		*taken = *entry;
		if (entry->references == 0) { /* else a kernel thread has granted it meanwhile */
			allocated_objects[i] &= ~bit_of(entry);
			*entry = (struct object_entry){0};
			entry_renamed(entry);
		}
		return true;
	}
	user_has_orphans = false;
	return false;
}

static void free_taken(const struct object_entry *taken)
{
	void *object = (void *)(uintptr_t)taken->object;

	if (taken->references != 0) {
		return;
	}
	if (entry_kind(taken) == K_OBJ_THREAD_STACK_ELEMENT) {
		thread_stack_give_back(object);
		return;
	}
	if ((taken->kind & OBJECT_NOT_READY) == 0) {
		clean_up(object, entry_kind(taken));
	}
	k_heap_free(taken->pool, object);
}

void references_reap(void)
{
	unsigned int key = arch_irq_lock();
	struct object_entry taken;

	if (!arch_may_switch(key)) {
		arch_irq_unlock(key);
		return;
	}
	/* A walk: who does it is not ended in between by another thread, with a block in its hands. */
	sched_walk_begin(key);
	/* Bound: the orphans. */
	while (take_orphan(&taken)) {
		arch_irq_unlock(key);
		free_taken(&taken);
		(void)arch_irq_lock();
	}
	sched_walk_end(key);
}

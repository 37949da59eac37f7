/* SPDX-License-Identifier: Apache-2.0 */
/* References to allocated objects, and the end of those that have none: see references.h. */
#include "kernel/access/references.h"
#include "kernel/hooks/object.h"
#include "kernel/memory/heap.h"
#include "kernel/objects/queue_link.h"
#include "kernel/hooks/user.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/hooks/generation.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/thread_stack.h"
#include "kernel/time/timeout.h"

#define WORDS (CONFIG_USER_OBJECTS / 32)

uint32_t allocated_objects[WORDS];
static uint32_t orphans[WORDS];
static uint32_t leaving[WORDS]; /* what those who ended had rights to, to be dropped */
static bool has_leaving;
bool user_has_orphans; /* one word to look at for all of them */

/*@ predicate is_marked{L}(uint32_t *words, integer i) = (words[i / 32] >> (i % 32)) % 2 == 1;
  @*/
/*@ requires is_entry(entry);
  @ assigns \nothing;
  @ ensures \forall integer i; is_entry_at(entry, i) ==> \result == (uint32_t)(1 << (i % 32));
  @*/
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

/* One reference that the thread lacks, and its creator has. False: there is none. */
static bool inherit_one(uint32_t generation)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *thread = generation_thread(generation);

	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < WORDS && thread != NULL; i++) {
		uint32_t bits = k_cpu.current->user.grants[i] & allocated_objects[i] &
				~thread->user.grants[i];

		if (bits != 0) {
			thread->user.grants[i] |= bits & -bits;
			thread->user.may_refer = 1;
			reference_add(&object_table[i * 32U + (unsigned int)__builtin_ctz(bits)]);
			arch_irq_unlock(key);
			return true;
		}
	}
	arch_irq_unlock(key);
	return false;
}

void references_inherit(uint32_t generation)
{
	/* Bound: CONFIG_USER_OBJECTS, which the creator may use; others run in between. */
	while (inherit_one(generation)) {
	}
}

/* False: there is none. */
static bool drop_one(struct k_thread *thread)
{
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < WORDS; i++) {
		uint32_t bits = thread->user.grants[i] & allocated_objects[i];

		if (bits != 0) {
			thread->user.grants[i] &= ~(bits & -bits);
			ipc_rights_forget(thread); /* it may run before it ends */
			reference_drop(&object_table[i * 32U + (unsigned int)__builtin_ctz(bits)]);
			return true;
		}
	}
	thread->user.may_refer = 0;
	return false;
}

bool user_rights_end(struct k_thread *thread, unsigned int key)
{
	const uint32_t generation = generation_of(thread);
	bool has_more;

	if (sched_traversal_of_end(thread, key)) {
		return true;
	}
	if (object_entry_of_thread(thread) == NULL) {
		return false;
	}
	/* Bound: CONFIG_USER_OBJECTS * (D + 1), and those it is given meanwhile. */
	do {
		has_more = drop_one(thread);
		sched_traversal_window(key);
		if (generation_thread(generation) != thread) {
			sched_traversal_end(key);
			return true;
		}
	} while (has_more);
	return false;
}

#ifdef CONFIG_POLL
static bool drop_polled(struct k_thread *thread)
{
	struct references_polled *polled = thread->user.polled;

	if (polled == NULL || polled->count == 0) {
		thread->user.polled = NULL;
		return false;
	}
	polled->count--;
	reference_drop(&object_table[polled->entries[polled->count]]);
	return true;
}
#else
static inline bool drop_polled(struct k_thread *thread)
{
	return false;
}
#endif

/* One of those that it named last. False: there is none. */
static bool drop_held(struct k_thread *thread)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.held); i++) {
		if (thread->user.held[i] != 0) {
			reference_drop(&object_table[thread->user.held[i] - 1U]);
			thread->user.held[i] = 0;
			return true;
		}
	}
	return false;
}

bool user_names_end(struct k_thread *thread)
{
	return object_entry_of_thread(thread) != NULL && /* else it never named one */
	       (drop_held(thread) || drop_polled(thread));
}

void references_let_go(void)
{
	unsigned int key = irq_lock();

	/* Bound: 2, for it polls nothing. */
	while (user_names_end(k_cpu.current)) {
	}
	irq_unlock(key);
}

#ifdef CONFIG_POLL
void references_polled_begin(struct references_polled *polled)
{
	polled->count = 0;
	k_cpu.current->user.polled = polled;
	k_cpu.current->user.may_refer = 1; /* so its end is in steps */
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

void references_polled_end(void)
{
	unsigned int key = irq_lock();

	/* Bound: CONFIG_POLL_USER_EVENTS; others run in between. */
	while (drop_polled(k_cpu.current)) {
		irq_unlock(key);
		key = irq_lock();
	}
	irq_unlock(key);
}
#endif

/* To who reaps. */
static void leave_all(struct k_thread *thread)
{
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < WORDS; i++) {
		uint32_t bits = thread->user.grants[i] & allocated_objects[i];
		uint32_t twice = bits & leaving[i];

		leaving[i] |= bits;
		/* Bound: 32, those that another has left as well and nobody reaped. */
		for (; twice != 0; twice &= twice - 1U) {
			reference_drop(&object_table[i * 32U + (unsigned int)__builtin_ctz(twice)]);
		}
	}
	has_leaving = true;
	user_has_orphans = true;
}

void references_end(struct k_thread *thread)
{
	if (thread->user.may_refer != 0) {
		leave_all(thread);
	}
	/* Bound: 2; none where its end was in steps, as below. */
	while (unlikely(thread->user.both_held != 0) && drop_held(thread)) {
	}
	/* Bound: CONFIG_POLL_USER_EVENTS. */
	while (unlikely(drop_polled(thread))) {
	}
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

/* A block of the object's goes back to where it came from. */
static bool give_part_back(struct k_heap **pool, void *block, unsigned int key)
{
	struct k_heap *from = *pool;

	if (from == NULL) {
		return false;
	}
	*pool = NULL;
	(void)heap_give_back(from, block, key, NULL);
	return true;
}

static bool drop_item(struct k_queue *queue, unsigned int key)
{
	if (queue->head == 0) {
		return false;
	}
	if ((queue->head & QUEUE_CONTAINER_TAG) != 0) {
		(void)queue_get_from_container(queue, key);
	} else {
		queue_unlink_first(queue, *(uintptr_t *)queue->head);
		arch_irq_unlock(key);
	}
	return true;
}

/*
 * One of the blocks that came to an object from its users' pools goes back. False, and masked
 * still: it has none. Else `key` is restored, and the object is an orphan as it was.
 */
static bool drop_part(void *object, unsigned int kind, unsigned int key)
{
	struct k_msgq *msgq = object;
	struct k_pipe *pipe = object;
	struct k_stack *stack = object;

	switch (kind) {
	case K_OBJ_MSGQ:
		return give_part_back(&msgq->pool, msgq->buffer_start, key);
	case K_OBJ_PIPE:
		return give_part_back(&pipe->pool, pipe->buffer, key);
	case K_OBJ_STACK:
		return give_part_back(&stack->pool, stack->base, key);
	case K_OBJ_QUEUE:
		return drop_item(object, key);
	default:
		return false;
	}
}

#ifdef CONFIG_OBJ_CORE
#define UNLIST(type, object) k_obj_core_unlink(&((struct type *)(object))->obj_core)
#else
#define UNLIST(type, object) ((void)(object))
#endif

/* The lists that an object that was initialised is in. Nobody waits: that would be a reference. */
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
		UNLIST(k_msgq, object);
		break;
	case K_OBJ_MUTEX:
		UNLIST(k_mutex, object);
		break;
	case K_OBJ_PIPE:
		UNLIST(k_pipe, object);
		break;
	case K_OBJ_SEM:
		UNLIST(k_sem, object);
		break;
	case K_OBJ_STACK:
		UNLIST(k_stack, object);
		break;
	case K_OBJ_TIMER:
		forget_timer(object);
		UNLIST(k_timer, object);
		break;
	default: /* a queue, a thread that has ended, a stack: nothing */
		break;
	}
}

/* The entry of the first in that set, or NULL. Masked, or it may be none any more. */
/*@ requires \valid_read(words + (0 .. CONFIG_USER_OBJECTS / 32 - 1));
  @ assigns \nothing;
  @ ensures \result != \null ==> is_entry(\result) &&
  @   \forall integer i; is_entry_at(\result, i) ==> is_marked((uint32_t *)words, i);
  @ ensures (\forall integer i; 0 <= i < CONFIG_USER_OBJECTS / 32 ==> words[i] == 0) ==>
  @   \result == \null;
  @ ensures \result == \null ==> \forall integer i; 0 <= i < CONFIG_USER_OBJECTS / 32 ==>
  @   words[i] == 0;
  @*/
static struct object_entry *find_in(const uint32_t *words)
{
	/*@ loop invariant 0 <= i <= CONFIG_USER_OBJECTS / 32;
	  @ loop invariant \forall integer j; 0 <= j < i ==> words[j] == 0;
	  @ loop assigns i;
	  @ loop variant CONFIG_USER_OBJECTS / 32 - i;
	  @*/
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < WORDS; i++) {
		if (words[i] != 0) {
			return &object_table[i * 32U + (unsigned int)__builtin_ctz(words[i])];
		}
	}
	return NULL;
}

/* One reference of a thread that has ended goes. False: there is none. */
static bool drop_leaving(void)
{
	struct object_entry *entry = NULL;
	unsigned int key;

	if (!*(volatile bool *)&has_leaving) {
		return false;
	}
	key = arch_irq_lock();
	if (arch_may_switch(key)) {
		entry = find_in(leaving);
		has_leaving = entry != NULL;
	}
	if (entry != NULL) {
		leaving[entry_index(entry) / 32] &= ~bit_of(entry);
		reference_drop(entry);
	}
	arch_irq_unlock(key);
	return entry != NULL;
}

/* Out of the table, where its entry is free then, and its memory goes back. Restores key. */
static void free_orphan(struct object_entry *entry, unsigned int key)
{
	const struct object_entry taken = *entry;
	void *object = (void *)(uintptr_t)taken.object;

	allocated_objects[entry_index(entry) / 32] &= ~bit_of(entry);
	object_entry_free(entry);
	if (entry_kind(&taken) == K_OBJ_THREAD_STACK_ELEMENT) {
		thread_stack_give_back(object);
		arch_irq_unlock(key);
		return;
	}
	if ((taken.kind & OBJECT_NOT_READY) == 0) {
		clean_up(object, entry_kind(&taken));
	}
	(void)heap_give_back(taken.pool, object, key, NULL);
}

/*
 * One block goes back; nothing is in the caller's hands before or after. False: there is no orphan.
 */
static bool reap_one(void)
{
	struct object_entry *entry = find_in(orphans);
	const unsigned int word = entry == NULL ? 0 : (unsigned int)entry_index(entry) / 32U;
	unsigned int key = arch_irq_lock();
	const uint32_t bits = orphans[word];

	if (bits == 0 || !arch_may_switch(key)) { /* it has gone meanwhile, or there is none */
		const bool has_more = arch_may_switch(key) && find_in(orphans) != NULL;

		user_has_orphans &= has_more || !arch_may_switch(key);
		arch_irq_unlock(key);
		return has_more;
	}
	entry = &object_table[word * 32U + (unsigned int)__builtin_ctz(bits)];
	if (entry->references != 0) { /* a kernel thread has granted it meanwhile */
		orphans[word] = bits & (bits - 1U);
		arch_irq_unlock(key);
	} else if ((entry->kind & OBJECT_NOT_READY) != 0 ||
		   !drop_part((void *)(uintptr_t)entry->object, entry_kind(entry), key)) {
		orphans[word] = bits & (bits - 1U);
		free_orphan(entry, key);
	}
	return true;
}

void references_reap(void)
{
	/*
	 * Bound: 2 * O + D, the orphans and what came to them from their users' pools; interrupts
	 * and others run in between.
	 */
	while (drop_leaving() || reap_one()) {
	}
	if (*(volatile bool *)&has_leaving) { /* a handler ended one meanwhile */
		user_has_orphans = true;
	}
}

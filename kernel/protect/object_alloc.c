/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that threads make while the system runs, out of their resource pools: k_object_alloc().
 * Their ends are those of their last references: references.h.
 */
#include "kernel/protect/access.h"
#include "kernel/protect/references.h"
#include "kernel/protect/user.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/thread_stack.h"
#include "lib/string.h"

CALLS_DIRECTLY(k_thread_stack_alloc);

/* Into the table, and the caller has the first right to it. Masked. */
static bool make_known(const void *object, unsigned int kind, size_t bytes, struct k_heap *pool)
{
	struct object_entry *entry;

	if (object_make_thread_known(k_cpu.current) != 0 ||
	    object_make_known(object, kind, bytes, &entry) != 0) {
		return false;
	}
	reference_begin(entry, pool);
	object_set_grant(k_cpu.current, entry, true);
	return true;
}

static void *allocate(unsigned int kind, size_t extra)
{
	struct k_heap *pool = k_cpu.current->resource_pool;
	size_t bytes;
	void *object;
	bool is_known;
	unsigned int key;

	if (pool == NULL || __builtin_add_overflow(object_size(kind), extra, &bytes)) {
		return NULL;
	}
	object = k_heap_alloc(pool, bytes, K_NO_WAIT);
	if (object == NULL) {
		return NULL;
	}
	memset(object, 0, bytes);
	key = irq_lock();
	is_known = make_known(object, kind, extra, pool);
	irq_unlock(key);
	if (!is_known) {
		k_heap_free(pool, object);
		return NULL;
	}
	return object;
}

/* In one walk, so that nobody ends the caller while it has a block that the table does not know. */
static void *allocate_walking(unsigned int kind, size_t extra)
{
	unsigned int key = arch_irq_lock();
	void *object;

	sched_walk_begin(key);
	arch_irq_unlock(key);
	object = allocate(kind, extra);
	(void)arch_irq_lock();
	sched_walk_end(key);
	return object;
}

void *k_object_alloc_size(enum k_objects otype, size_t size)
{
	K_ASSERT(!arch_in_isr(), "object-alloc-in-isr");
	user_reap();
	if (otype == K_OBJ_THREAD_STACK_ELEMENT) {
		return k_thread_stack_alloc(size, K_USER);
	}
	return object_size(otype) == 0 ? NULL : allocate_walking(otype, size);
}

void *k_object_alloc(enum k_objects otype)
{
	return otype == K_OBJ_THREAD_STACK_ELEMENT ? NULL : k_object_alloc_size(otype, 0);
}

/* ---- stacks of the pool ---- */

bool user_stack_allocated(k_thread_stack_t *stack, size_t size)
{
	unsigned int key = irq_lock();
	bool is_known = make_known(stack, K_OBJ_THREAD_STACK_ELEMENT, size, NULL);

	irq_unlock(key);
	return is_known;
}

int user_stack_free(k_thread_stack_t *stack)
{
	unsigned int key = irq_lock();
	const struct object_entry *entry = object_find(stack, K_OBJ_THREAD_STACK_ELEMENT);
	int result = 0;

	if (entry == NULL || (entry->kind & OBJECT_ALLOCATED) == 0) {
		result = -EINVAL;
	} else if ((entry->kind & OBJECT_NOT_READY) != 0) {
		result = -EBUSY;
	}
	irq_unlock(key);
	if (result == 0) {
		k_object_free(stack);
	}
	return result;
}

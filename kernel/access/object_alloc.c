/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that threads make while the system runs, out of their resource pools: k_object_alloc().
 * Their ends are those of their last references: references.h.
 */
#include "kernel/memory/heap.h"
#include "kernel/access/object_rights.h"
#include "kernel/access/references.h"
#include "kernel/hooks/user.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/thread_stack.h"
#include "lib/string.h"

CALLS_DIRECTLY(k_thread_stack_alloc);

/*
 * Into the table, and the caller has the first right to it. Masked, in steps of a traversal that
 * finishes.
 */
static bool make_known(const void *object, unsigned int kind, size_t bytes, struct k_heap *pool,
		       unsigned int key)
{
	struct object_entry *entry;

	if (object_make_thread_known(k_cpu.current, key) != 0) {
		return false;
	}
	sched_traversal_window(key);
	if (object_make_known(object, kind, bytes, &entry, key) != 0) {
		return false;
	}
	sched_traversal_window(key);
	reference_begin(entry, pool);
	object_set_grant(k_cpu.current, entry, true);
	return true;
}

/*
 * A block is known when the traversal ends in which it is allocated, and whoever ends the caller
 * meanwhile waits for that; so there is no block that nobody knows. Its tag says that it is not
 * ready.
 */
static void *take_known(struct k_heap *pool, unsigned int kind, size_t extra, size_t bytes)
{
	unsigned int key = arch_irq_lock();
	void *object;

	sched_traversal_finishes(true, key);
	sched_traversal_window(key);
	object = heap_take(pool, bytes);
	if (object != NULL) {
		*object_tag(object, kind) = (struct k_object_tag){0};
		sched_traversal_window(key);
		if (!make_known(object, kind, extra, pool, key)) {
			object = heap_give_back(pool, object, key, NULL);
			key = arch_irq_lock();
		}
	}
	sched_traversal_window(key);
	sched_traversal_end(key);
	return object;
}

/*
 * All but its tag, with interrupts open, while others run: how long it takes is the caller's own
 * matter.
 */
static void clear(void *object, size_t tag_offset, size_t bytes)
{
	const size_t behind = tag_offset + sizeof(struct k_object_tag);

	memset(object, 0, tag_offset);
	memset((char *)object + behind, 0, bytes - behind);
}

static void *allocate(unsigned int kind, size_t extra)
{
	struct k_heap *pool = k_cpu.current->resource_pool;
	size_t bytes;
	void *object;

	if (pool == NULL || __builtin_add_overflow(object_size(kind), extra, &bytes)) {
		return NULL;
	}
	object = take_known(pool, kind, extra, bytes);
	if (object != NULL) {
		clear(object, object_tag_offset(kind), bytes);
	}
	return object;
}

void *k_object_alloc_size(enum k_objects otype, size_t size)
{
	K_ASSERT(!arch_in_isr(), "object-alloc-in-isr");
	user_reap();
	if (otype == K_OBJ_THREAD_STACK_ELEMENT) {
		return k_thread_stack_alloc(size, K_USER);
	}
	return object_size(otype) == 0 ? NULL : allocate(otype, size);
}

void *k_object_alloc(enum k_objects otype)
{
	return otype == K_OBJ_THREAD_STACK_ELEMENT ? NULL : k_object_alloc_size(otype, 0);
}

/* ---- stacks of the pool ---- */

k_thread_stack_t *user_stack_allocated(k_thread_stack_t *stack, size_t size, unsigned int key)
{
	sched_traversal_finishes(true, key);
	sched_traversal_window(key);
	if (!make_known(stack, K_OBJ_THREAD_STACK_ELEMENT, size, NULL, key)) {
		thread_stack_give_back(stack);
		stack = NULL;
	}
	sched_traversal_end(key);
	return stack;
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

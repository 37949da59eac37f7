/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object cores, as the objects' own files see them. An object's init function calls
 * object_init_begin() first, since it may be listed from an earlier init, and
 * object_init_end() last. Nothing without CONFIG_OBJ_CORE.
 */
#ifndef FOLIOT_KERNEL_OBJECT_H
#define FOLIOT_KERNEL_OBJECT_H

#include "kernel/base/kernel.h"

/* What user threads know of it: nothing of those kinds that they cannot use. */
#define user_begin_condvar(object)      user_init_begin(object)
#define user_end_condvar(object)        user_init_end(object)
#define user_begin_event(object)        user_init_begin(object)
#define user_end_event(object)          user_init_end(object)
#define user_begin_ipc_endpoint(object) user_init_begin(object)
#define user_end_ipc_endpoint(object)   user_init_end(object)
#define user_begin_ipc_gate(object)     user_init_begin(object)
#define user_end_ipc_gate(object)       user_init_end(object)
#define user_begin_msgq(object)         user_init_begin(object)
#define user_end_msgq(object)           user_init_end(object)
#define user_begin_mutex(object)        user_init_begin(object)
#define user_end_mutex(object)          user_init_end(object)
#define user_begin_sem(object)          user_init_begin(object)
#define user_end_sem(object)            user_init_end(object)
#define user_begin_stack(object)        user_init_begin(object)
#define user_end_stack(object)          user_init_end(object)
#define user_begin_timer(object)        user_init_begin(object)
#define user_end_timer(object)          user_init_end(object)
#define user_begin_fifo(object)         ((void)0)
#define user_end_fifo(object)           ((void)0)
#define user_begin_lifo(object)         ((void)0)
#define user_end_lifo(object)           ((void)0)
#define user_begin_heap(object)         ((void)0)
#define user_end_heap(object)           ((void)0)
#define user_begin_mbox(object)         ((void)0)
#define user_end_mbox(object)           ((void)0)
#define user_begin_pipe(object)         user_init_begin(object)
#define user_end_pipe(object)           user_init_end(object)
#define user_begin_mem_slab(object)     ((void)0)
#define user_end_mem_slab(object)       ((void)0)

#ifdef CONFIG_OBJ_CORE

extern struct k_obj_type obj_type_thread;

/* Out of its type's list, if it is there. Bound: the objects of the type. */
void object_forget(const struct k_obj_core *core, struct k_obj_type *type);
/* Into the list, where it is not. */
void object_list(struct k_obj_core *core, struct k_obj_type *type);
/* List the objects that are defined at build time, and the types. At start. */
void object_start(void);

#define object_init_begin(object, kind)                       \
	object_forget(&(object)->obj_core, &obj_type_##kind); \
	user_begin_##kind(object)
#define object_init_end(object, kind) \
	(object_list(&(object)->obj_core, &obj_type_##kind), user_end_##kind(object))

static inline void object_link_inline(struct k_obj_core *core, struct k_obj_type *type)
{
	struct k_obj_core *next = type->objects;

	core->next = next;
	core->link = &type->objects;
	if (next != NULL) {
		next->link = &core->next;
	}
	type->objects = core;
}

static inline void object_unlink_inline(struct k_obj_core *core)
{
	struct k_obj_core *next = core->next;

	*core->link = next;
	if (next != NULL) {
		next->link = core->link;
	}
	core->link = NULL;
}

/* A thread is listed from creation to end, without the traversal: its memory is not in use. */
static inline void object_thread_created(struct k_thread *thread)
{
	unsigned int key = arch_irq_lock();

	object_link_inline(&thread->obj_core, &obj_type_thread);
	arch_irq_unlock(key);
	thread->obj_core.type = &obj_type_thread;
	thread->obj_core.name = NULL;
#ifdef CONFIG_OBJ_CORE_STATS
	thread->obj_core.stats = &thread->usage;
#endif
}

/* Interrupts masked. */
static inline void object_thread_ended(struct k_thread *thread)
{
	if (likely(thread->obj_core.link != NULL)) { /* else k_obj_core_unlink() was there first */
		object_unlink_inline(&thread->obj_core);
	}
}

#else

#define object_init_begin(object, kind) user_begin_##kind(object)
#define object_init_end(object, kind)   user_end_##kind(object)

static inline void object_start(void)
{
}

static inline void object_thread_created(struct k_thread *thread)
{
}

static inline void object_thread_ended(struct k_thread *thread)
{
}

#endif

#endif /* FOLIOT_KERNEL_OBJECT_H */

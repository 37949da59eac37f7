/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object cores (CONFIG_OBJ_CORE): each kernel object is listed by its type, can be found
 * by walking the list, and has a name; statistics hang on it (CONFIG_OBJ_CORE_STATS).
 *
 * Objects that are defined with K_SEM_DEFINE() and the like are listed at start under the
 * name in the source, others when they are initialised; threads from creation to end. An
 * object whose memory is going to be used for something else leaves its list first, by
 * k_obj_core_unlink(). A fifo or lifo is listed, a bare k_queue is not.
 */
#ifndef FOLIOT_OBJ_CORE_H
#define FOLIOT_OBJ_CORE_H

#include <foliot/util.h>

struct k_obj_type;

struct k_obj_core {
	struct k_obj_core *next;
	struct k_obj_core **link;   /* where `next` of the one before, or the list's head, is */
	struct k_obj_type *type;
	void *stats;                /* where they are gathered; NULL: they are not */
	const char *name;           /* NULL: it has none */
};

/* How to read and steer the statistics of one type; a NULL function: -ENOTSUP. */
struct k_obj_core_stats_desc {
	size_t raw_size;   /* bytes */
	size_t query_size;
	int (*raw)(struct k_obj_core *core, void *stats);
	int (*query)(struct k_obj_core *core, void *stats);
	int (*reset)(struct k_obj_core *core);
	int (*disable)(struct k_obj_core *core);
	int (*enable)(struct k_obj_core *core);
};

struct k_obj_type {
	struct k_obj_core *objects; /* the newest first */
	struct k_obj_type *next;
	uint32_t id;                /* four letters, see K_OBJ_TYPE_ID_GEN() */
	size_t obj_core_offset;     /* of the core in the object, bytes */
	const struct k_obj_core_stats_desc *stats_desc;
};

#define K_OBJ_TYPE_ID_GEN(s)                                                             \
	(((uint32_t)(s)[0] << 24) | ((uint32_t)(s)[1] << 16) | ((uint32_t)(s)[2] << 8) | \
	 (uint32_t)(s)[3])

#define K_OBJ_TYPE_CONDVAR_ID  K_OBJ_TYPE_ID_GEN("COND")
#define K_OBJ_TYPE_CPU_ID      K_OBJ_TYPE_ID_GEN("CPU_")
#define K_OBJ_TYPE_EVENT_ID    K_OBJ_TYPE_ID_GEN("EVNT")
#define K_OBJ_TYPE_FIFO_ID     K_OBJ_TYPE_ID_GEN("FIFO")
#define K_OBJ_TYPE_HEAP_ID     K_OBJ_TYPE_ID_GEN("HEAP")
#define K_OBJ_TYPE_KERNEL_ID   K_OBJ_TYPE_ID_GEN("KRNL")
#define K_OBJ_TYPE_LIFO_ID     K_OBJ_TYPE_ID_GEN("LIFO")
#define K_OBJ_TYPE_MEM_SLAB_ID K_OBJ_TYPE_ID_GEN("SLAB")
#define K_OBJ_TYPE_MSGQ_ID     K_OBJ_TYPE_ID_GEN("MSGQ")
#define K_OBJ_TYPE_MUTEX_ID    K_OBJ_TYPE_ID_GEN("MUTX")
#define K_OBJ_TYPE_SEM_ID      K_OBJ_TYPE_ID_GEN("SEM4")
#define K_OBJ_TYPE_STACK_ID    K_OBJ_TYPE_ID_GEN("STCK")
#define K_OBJ_TYPE_THREAD_ID   K_OBJ_TYPE_ID_GEN("THRD")
#define K_OBJ_TYPE_TIMER_ID    K_OBJ_TYPE_ID_GEN("TIMR")

#ifdef CONFIG_OBJ_CORE

struct obj_core_static {
	struct k_obj_core *core;
	struct k_obj_type *type;
	const char *name;
};

extern struct k_obj_type obj_type_condvar, obj_type_event, obj_type_fifo, obj_type_heap,
	obj_type_lifo, obj_type_mem_slab, obj_type_msgq, obj_type_mutex, obj_type_sem,
	obj_type_stack, obj_type_timer;

/* The last member of each object. */
#define K_OBJ_CORE_MEMBER struct k_obj_core obj_core;
#define K_OBJ_CORE_INIT_                     \
	,                                    \
	{                                    \
		NULL, NULL, NULL, NULL, NULL \
	} /* in initialisers by position */
#define K_OBJ_CORE(object) (&(object)->obj_core)

/* Behind an object's definition: list it at start. */
#define K_OBJ_CORE_STATIC_(object, kind)                                       \
	static const STRUCT_SECTION_ITERABLE(obj_core_static, obj_core_static, \
					     _k_obj_core_##object) = {         \
		.core = &object.obj_core,                                      \
		.type = &obj_type_##kind,                                      \
		.name = #object,                                               \
	}

/* Make a type of one's own known; `id` is not in use yet. Returns it. Context: thread. */
struct k_obj_type *k_obj_type_init(struct k_obj_type *type, uint32_t id, size_t obj_core_offset);
#define z_obj_type_init k_obj_type_init

/* The type of that id, or NULL. Context: either. */
struct k_obj_type *k_obj_type_find(uint32_t id);

/*
 * Call func(core, data) for each object of a type, the newest first, until one call
 * returns something else than 0; return that. _locked: interrupts are masked all the
 * time. _unlocked: they are open in the calls, and while it walks no other thread may
 * unlink objects of the type (func may unlink the one it got). Context: either.
 */
int k_obj_type_walk_locked(struct k_obj_type *type, int (*func)(struct k_obj_core *, void *),
			   void *data);
int k_obj_type_walk_unlocked(struct k_obj_type *type, int (*func)(struct k_obj_core *, void *),
			     void *data);

/*
 * Prepare a core, list it, both, take it out. Listing one that is listed already has no
 * effect; it costs a walk through the type's list. Context: either.
 */
void k_obj_core_init(struct k_obj_core *core, struct k_obj_type *type);
void k_obj_core_link(struct k_obj_core *core);
void k_obj_core_init_and_link(struct k_obj_core *core, struct k_obj_type *type);
void k_obj_core_unlink(struct k_obj_core *core);

/* Name an object; `name` must stay. Its name, "" without one. Context: either. */
void k_obj_core_name_set(struct k_obj_core *core, const char *name);
const char *k_obj_core_name_get(const struct k_obj_core *core);

/*
 * Statistics. raw: as they are gathered; query: as people want them; `len` is the size of
 * *stats and must be the type's. All return 0, -EINVAL for another `len`, or -ENOTSUP
 * where the type has no such function or the object's are not registered.
 * Need CONFIG_OBJ_CORE_STATS. Context: either.
 */
int k_obj_core_stats_register(struct k_obj_core *core, void *stats, size_t len);
int k_obj_core_stats_deregister(struct k_obj_core *core);
int k_obj_core_stats_raw(struct k_obj_core *core, void *stats, size_t len);
int k_obj_core_stats_query(struct k_obj_core *core, void *stats, size_t len);
int k_obj_core_stats_reset(struct k_obj_core *core);
int k_obj_core_stats_disable(struct k_obj_core *core);
int k_obj_core_stats_enable(struct k_obj_core *core);

#else

#define K_OBJ_CORE_MEMBER
#define K_OBJ_CORE_INIT_
#define K_OBJ_CORE_STATIC_(object, kind) BUILD_ASSERT(1, "no object cores")

#endif /* CONFIG_OBJ_CORE */

#endif /* FOLIOT_OBJ_CORE_H */

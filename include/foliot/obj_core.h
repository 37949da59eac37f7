/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Object cores (CONFIG_OBJ_CORE): each kernel object is listed by its type, can be found
 * by traversing the list, and has a name; statistics hang on it (CONFIG_OBJ_CORE_STATS).
 *
 * Objects that are defined with K_SEM_DEFINE() and the like are listed at start under the
 * name in the source, others when they are initialised; threads from creation to end. An
 * object whose memory is going to be used for something else leaves its list first, by
 * k_obj_core_unlink(). A fifo or lifo is listed, a bare k_queue is not.
 */
#ifndef FOLIOT_OBJ_CORE_H
#define FOLIOT_OBJ_CORE_H

#include <foliot/object.h>
#include <foliot/util.h>

struct k_obj_type;

/** What lists an object; the last member of each. */
struct k_obj_core {
	struct k_obj_core *next;
	struct k_obj_core **link;   /* where `next` of the one before, or the list's head, is */
	struct k_obj_type *type;    /**< the list that it belongs to */
	void *stats;                /**< where statistics are gathered; NULL: they are not */
	const char *name;           /**< NULL: it has none */
};

/** How to read and steer the statistics of one type; a NULL function: -ENOTSUP. */
struct k_obj_core_stats_desc {
	size_t raw_size;   /**< of what `raw` writes, bytes */
	size_t query_size; /**< of what `query` writes, bytes */
	int (*raw)(struct k_obj_core *core, void *stats);   /**< as they are gathered */
	int (*query)(struct k_obj_core *core, void *stats); /**< as people want them */
	int (*reset)(struct k_obj_core *core);              /**< from 0 again */
	int (*disable)(struct k_obj_core *core);            /**< gather no more */
	int (*enable)(struct k_obj_core *core);             /**< gather again */
};

/** A type of objects, and the list of them. */
struct k_obj_type {
	struct k_obj_core *objects; /**< the newest first */
	struct k_obj_type *next;    /**< the type made known before it */
	uint32_t id;                /**< four letters, see K_OBJ_TYPE_ID_GEN() */
	size_t obj_core_offset;     /**< of the core in the object, bytes */
	const struct k_obj_core_stats_desc *stats_desc; /**< NULL: it has no statistics */
};

/** A type's id out of a string of four letters. */
#define K_OBJ_TYPE_ID_GEN(s)                                                             \
	(((uint32_t)(s)[0] << 24) | ((uint32_t)(s)[1] << 16) | ((uint32_t)(s)[2] << 8) | \
	 (uint32_t)(s)[3])

#define K_OBJ_TYPE_CONDVAR_ID  K_OBJ_TYPE_ID_GEN("COND") /**< condition variables */
#define K_OBJ_TYPE_CPU_ID      K_OBJ_TYPE_ID_GEN("CPU_") /**< processors (one) */
#define K_OBJ_TYPE_ENDPOINT_ID K_OBJ_TYPE_ID_GEN("ENDP") /**< endpoints of messages */
#define K_OBJ_TYPE_EVENT_ID    K_OBJ_TYPE_ID_GEN("EVNT") /**< event objects */
#define K_OBJ_TYPE_FIFO_ID     K_OBJ_TYPE_ID_GEN("FIFO") /**< fifos */
#define K_OBJ_TYPE_GATE_ID     K_OBJ_TYPE_ID_GEN("GATE") /**< gates to endpoints */
#define K_OBJ_TYPE_HEAP_ID     K_OBJ_TYPE_ID_GEN("HEAP") /**< heaps */
#define K_OBJ_TYPE_KERNEL_ID   K_OBJ_TYPE_ID_GEN("KRNL") /**< the kernel (one) */
#define K_OBJ_TYPE_LIFO_ID     K_OBJ_TYPE_ID_GEN("LIFO") /**< lifos */
#define K_OBJ_TYPE_MBOX_ID     K_OBJ_TYPE_ID_GEN("MBOX") /**< mailboxes */
#define K_OBJ_TYPE_MEM_SLAB_ID K_OBJ_TYPE_ID_GEN("SLAB") /**< memory slabs */
#define K_OBJ_TYPE_MSGQ_ID     K_OBJ_TYPE_ID_GEN("MSGQ") /**< message queues */
#define K_OBJ_TYPE_MUTEX_ID    K_OBJ_TYPE_ID_GEN("MUTX") /**< mutexes */
#define K_OBJ_TYPE_PIPE_ID     K_OBJ_TYPE_ID_GEN("PIPE") /**< pipes */
#define K_OBJ_TYPE_SEM_ID      K_OBJ_TYPE_ID_GEN("SEM4") /**< semaphores */
#define K_OBJ_TYPE_STACK_ID    K_OBJ_TYPE_ID_GEN("STCK") /**< stacks of words */
#define K_OBJ_TYPE_THREAD_ID   K_OBJ_TYPE_ID_GEN("THRD") /**< threads */
#define K_OBJ_TYPE_TIMER_ID    K_OBJ_TYPE_ID_GEN("TIMR") /**< timers */

#ifdef CONFIG_OBJ_CORE

/** Internal: an object that is listed at start. */
struct obj_core_static {
	struct k_obj_core *core;
	struct k_obj_type *type;
	const char *name;
};

/* Internal: the types of the kernel's own objects; k_obj_type_find() finds them. */
extern struct k_obj_type obj_type_condvar, obj_type_event, obj_type_fifo, obj_type_heap,
	obj_type_lifo, obj_type_mem_slab, obj_type_msgq, obj_type_mutex, obj_type_sem,
	obj_type_stack, obj_type_timer, obj_type_pipe, obj_type_mbox, obj_type_ipc_endpoint,
	obj_type_ipc_gate;

/** Internal: the last member of each object. */
#define K_OBJ_CORE_MEMBER struct k_obj_core obj_core;
#define K_OBJ_CORE_INIT_                     \
	,                                    \
	{                                    \
		NULL, NULL, NULL, NULL, NULL \
	} /* in initialisers by position */
/** The core of an object, whatever its type. */
#define K_OBJ_CORE(object) (&(object)->obj_core)

/* Behind an object's definition: list it at start. */
#define K_OBJ_CORE_STATIC_(object, kind)                                       \
	static const STRUCT_SECTION_ITERABLE(obj_core_static, obj_core_static, \
					     _k_obj_core_##object) = {         \
		.core = &object.obj_core,                                      \
		.type = &obj_type_##kind,                                      \
		.name = #object,                                               \
	}

/** Make a type of one's own known; `id` is not in use yet. Returns `type`. Context: thread. */
struct k_obj_type *k_obj_type_init(struct k_obj_type *type, uint32_t id, size_t obj_core_offset);

/** Zephyr's name of k_obj_type_init(). Context: thread. */
#define z_obj_type_init k_obj_type_init

/** Returns the type of that id, or NULL. Context: either. */
struct k_obj_type *k_obj_type_find(uint32_t id);

/**
 * Call func(core, data) for each object of a type, the newest first, with interrupts
 * masked all the time, until one call returns something else than 0. `func` may unlink
 * the object it got.
 * Returns what the last call did, or 0.
 * Context: either.
 */
int k_obj_type_walk_locked(struct k_obj_type *type, int (*func)(struct k_obj_core *, void *),
			   void *data);

/**
 * The same with interrupts as they are: while it walks, nobody but `func` may unlink
 * objects of the type.
 * Returns what the last call did, or 0.
 * Context: either.
 */
int k_obj_type_walk_unlocked(struct k_obj_type *type, int (*func)(struct k_obj_core *, void *),
			     void *data);

/** Prepare a core that is not listed. Context: either. */
void k_obj_core_init(struct k_obj_core *core, struct k_obj_type *type);
/** List it, unless it is listed: that costs a traversal of the type's list. Context: either. */
void k_obj_core_link(struct k_obj_core *core);
/** Prepare and list it, whether or not it is listed already. Context: either. */
void k_obj_core_init_and_link(struct k_obj_core *core, struct k_obj_type *type);
/** Take it out of its list; no effect on one that is in none. Context: either. */
void k_obj_core_unlink(struct k_obj_core *core);

/** Name an object; `name` is not copied and must stay. Context: either. */
void k_obj_core_name_set(struct k_obj_core *core, const char *name);
/** Returns an object's name, a thread's own, "" where it has none. Context: either. */
const char *k_obj_core_name_get(const struct k_obj_core *core);

/**
 * Statistics, here and below (CONFIG_OBJ_CORE_STATS): have them gathered in *stats, of
 * `len` bytes.
 * Returns 0; -EINVAL: `len` is not the type's; -ENOTSUP: the type has no statistics.
 * Context: either.
 */
int k_obj_core_stats_register(struct k_obj_core *core, void *stats, size_t len);

/**
 * Undo that.
 * Returns 0; -ENOTSUP: the type has no statistics.
 * Context: either.
 */
int k_obj_core_stats_deregister(struct k_obj_core *core);

/**
 * Copy them as they are gathered into *stats, of `len` bytes.
 * Returns 0; -EINVAL: `len` is not the type's; -ENOTSUP: the type has no such function, or
 * the object's statistics are not registered.
 * Context: either.
 */
int k_obj_core_stats_raw(struct k_obj_core *core, void *stats, size_t len);

/**
 * The same as people want them: averages, a peak.
 * Returns as k_obj_core_stats_raw(): 0, -EINVAL, -ENOTSUP.
 * Context: either.
 */
int k_obj_core_stats_query(struct k_obj_core *core, void *stats, size_t len);

/**
 * Let them begin from 0 again.
 * Returns 0; -ENOTSUP as above; what the type's own function returns.
 * Context: either.
 */
int k_obj_core_stats_reset(struct k_obj_core *core);

/**
 * Gather no more; what was gathered stays.
 * Returns as k_obj_core_stats_reset(): 0, -ENOTSUP, the type's own.
 * Context: either.
 */
int k_obj_core_stats_disable(struct k_obj_core *core);

/**
 * Gather again.
 * Returns as k_obj_core_stats_reset(): 0, -ENOTSUP, the type's own.
 * Context: either.
 */
int k_obj_core_stats_enable(struct k_obj_core *core);

#else

#define K_OBJ_CORE_MEMBER
#define K_OBJ_CORE_INIT_
#define K_OBJ_CORE_STATIC_(object, kind) BUILD_ASSERT(1, "no object cores")

#endif /* CONFIG_OBJ_CORE */

#endif /* FOLIOT_OBJ_CORE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which objects a user thread may use (CONFIG_USERSPACE). An object is known to the boundary
 * between user and kernel mode from the first time that somebody is given access to it; a
 * thread that has no access, or whose pointer is no object's first byte, is ended at the call.
 * docs/security.md says what is promised.
 *
 * An object that is granted must live as long as the program, or be forgotten by
 * k_object_free() before its memory is used for something else.
 */
#ifndef FOLIOT_OBJECT_H
#define FOLIOT_OBJECT_H

#include <foliot/util.h>
#include <zephyr/sys/util_loops.h>
#include <zephyr/sys/util_numbers.h>

/** What an object is. */
enum k_objects {
	K_OBJ_ANY, /**< not known from its pointer's type: looked for, by a traversal */
	K_OBJ_CONDVAR,
	K_OBJ_EVENT,
	K_OBJ_MSGQ,
	K_OBJ_MUTEX,
	K_OBJ_PIPE,
	K_OBJ_POLL_SIGNAL,
	K_OBJ_QUEUE, /**< a fifo's and a lifo's, too */
	K_OBJ_SEM,
	K_OBJ_STACK,
	K_OBJ_THREAD,
	K_OBJ_TIMER,
	K_OBJ_THREAD_STACK_ELEMENT, /**< a thread's stack */
	K_OBJ_IPC_ENDPOINT, /**< defined by the kernel's side, never allocated; a gate, too */
	K_OBJ_IPC_GATE,
	K_OBJ_LAST_,
};

#ifdef CONFIG_USERSPACE

struct k_thread;

/**
 * Internal: what lies in each object. The index is a hint that anybody may have forged: the
 * entry of the kernel's table that it leads to must lead back.
 */
struct k_object_tag {
	uint16_t index;
	uint8_t is_ready; /* 1: initialised; in a thread: alive; in a stack: somebody lives there */
	uint8_t is_known; /* of a thread or a stack; 0: it is in no table */
} __aligned(4);

/** Internal: a member of each object, and behind its static initialiser by position. */
#define K_OBJECT_MEMBER        struct k_object_tag object_tag;
#define K_OBJECT_INIT_         , {0, 1, 0}
/** Internal: behind one by name. */
#define K_OBJECT_INIT_BY_NAME_ , .object_tag = {0, 1, 0}

/*
 * A pointer's kind, by its type: of a type that has none it does not compile. A stack is named by
 * its array or a pointer to that, and its size is the array's; of all others the size is of no
 * interest.
 */
#ifdef __cplusplus
#define K_OBJECT_KIND_(object) k_object_kind_(object)
#define K_OBJECT_SIZE_(object) k_object_size_<__typeof__(object)>::value
#else
#define K_OBJECT_SIZE_(object)              \
	sizeof(*_Generic((object),          \
		       char(*)[]: (object), \
		       default: (char(*)[sizeof(__typeof__(object))])0))
#define K_OBJECT_KIND_(object)                               \
	_Generic((object),                                   \
		struct k_condvar *: K_OBJ_CONDVAR,           \
		struct k_event *: K_OBJ_EVENT,               \
		struct k_msgq *: K_OBJ_MSGQ,                 \
		struct k_mutex *: K_OBJ_MUTEX,               \
		struct k_pipe *: K_OBJ_PIPE,                 \
		struct k_poll_signal *: K_OBJ_POLL_SIGNAL,   \
		struct k_queue *: K_OBJ_QUEUE,               \
		struct k_fifo *: K_OBJ_QUEUE,                \
		struct k_lifo *: K_OBJ_QUEUE,                \
		struct k_sem *: K_OBJ_SEM,                   \
		struct k_stack *: K_OBJ_STACK,               \
		struct k_thread *: K_OBJ_THREAD,             \
		struct k_timer *: K_OBJ_TIMER,               \
		struct k_ipc_endpoint *: K_OBJ_IPC_ENDPOINT, \
		struct k_ipc_gate *: K_OBJ_IPC_GATE,         \
		char *: K_OBJ_THREAD_STACK_ELEMENT,          \
		char(*)[]: K_OBJ_THREAD_STACK_ELEMENT,       \
		const void *: K_OBJ_ANY,                     \
		void *: K_OBJ_ANY)
#endif

/* Types that _Generic() names. */
struct k_condvar;
struct k_event;
struct k_msgq;
struct k_mutex;
struct k_pipe;
struct k_poll_signal;
struct k_queue;
struct k_fifo;
struct k_lifo;
struct k_sem;
struct k_stack;
struct k_timer;
struct k_ipc_endpoint;
struct k_ipc_gate;

#ifdef __cplusplus /* has no _Generic(), but functions of one name */
extern "C++" {
#define K_OBJECT_KIND_OF_(type, kind)                              \
	static inline k_objects k_object_kind_(const type *object) \
	{                                                          \
		return kind;                                       \
	}
K_OBJECT_KIND_OF_(struct k_condvar, K_OBJ_CONDVAR)
K_OBJECT_KIND_OF_(struct k_event, K_OBJ_EVENT)
K_OBJECT_KIND_OF_(struct k_msgq, K_OBJ_MSGQ)
K_OBJECT_KIND_OF_(struct k_mutex, K_OBJ_MUTEX)
K_OBJECT_KIND_OF_(struct k_pipe, K_OBJ_PIPE)
K_OBJECT_KIND_OF_(struct k_poll_signal, K_OBJ_POLL_SIGNAL)
K_OBJECT_KIND_OF_(struct k_queue, K_OBJ_QUEUE)
K_OBJECT_KIND_OF_(struct k_fifo, K_OBJ_QUEUE)
K_OBJECT_KIND_OF_(struct k_lifo, K_OBJ_QUEUE)
K_OBJECT_KIND_OF_(struct k_sem, K_OBJ_SEM)
K_OBJECT_KIND_OF_(struct k_stack, K_OBJ_STACK)
K_OBJECT_KIND_OF_(struct k_thread, K_OBJ_THREAD)
K_OBJECT_KIND_OF_(struct k_timer, K_OBJ_TIMER)
K_OBJECT_KIND_OF_(struct k_ipc_endpoint, K_OBJ_IPC_ENDPOINT)
K_OBJECT_KIND_OF_(struct k_ipc_gate, K_OBJ_IPC_GATE)
K_OBJECT_KIND_OF_(char, K_OBJ_THREAD_STACK_ELEMENT)
K_OBJECT_KIND_OF_(void, K_OBJ_ANY)
template <size_t SIZE> static inline k_objects k_object_kind_(char (*)[SIZE])
{
	return K_OBJ_THREAD_STACK_ELEMENT;
}
template <typename OTHER> k_objects k_object_kind_(const OTHER *object) = delete;

template <typename OBJECT> struct k_object_size_ {
	enum : size_t { value = sizeof(OBJECT) };
};
template <size_t SIZE> struct k_object_size_<char (*)[SIZE]> {
	enum : size_t { value = SIZE };
};
}
#endif

/**
 * Internal: of kind `kind`; of a stack, `size` bytes. Returns 0; -ENOMEM: the table
 * (CONFIG_USER_OBJECTS) is full; -EINVAL: it lies in memory that user threads may write, or is
 * of another kind. Context: thread.
 */
int k_object_grant_(const void *object, unsigned int kind, size_t size, struct k_thread *thread);
/** Internal: the same for all threads. Context: thread. */
int k_object_grant_all_(const void *object, unsigned int kind, size_t size);
/**
 * Internal: a result other than 0 that nobody would look at is a fatal error of the caller.
 * Context: thread.
 */
void k_object_must_be_granted_(int result);
/** Internal. Context: thread. */
void k_object_revoke_(const void *object, unsigned int kind, struct k_thread *thread);

/**
 * Let `thread` use `object`. By a user thread: one that it may use itself, and a thread that it
 * has access to. A stack is named by its array, or by a pointer to the array; what is no kernel
 * object by its type does not compile.
 * Returns 0; -ENOMEM: CONFIG_USER_OBJECTS objects are known already; -EINVAL: it is no object,
 * or lies where user threads may write.
 * Context: thread.
 */
#define k_object_access_grant(object, thread) \
	k_object_grant_((object), K_OBJECT_KIND_(object), K_OBJECT_SIZE_(object), (thread))

/**
 * Let all threads use `object`, those that come later included. Kernel threads only.
 * Returns as k_object_access_grant().
 * Context: thread.
 */
#define k_object_access_all_grant(object) \
	k_object_grant_all_((object), K_OBJECT_KIND_(object), K_OBJECT_SIZE_(object))

/**
 * Take it back; no effect on an access that k_object_access_all_grant() gave. By a user thread:
 * from itself, or from a thread that it has access to.
 * Context: thread.
 */
#define k_object_access_revoke(object, thread) \
	k_object_revoke_((object), K_OBJECT_KIND_(object), (thread))

/** A user thread gives up its own access. Context: thread. */
void k_object_release_(const void *object, unsigned int kind);
/** The caller's own access is taken from it. Context: thread. */
#define k_object_release(object) k_object_release_((object), K_OBJECT_KIND_(object))

/**
 * The object is none any more: no thread has access, and its memory may be used for something
 * else. Nobody may be using it or waiting for it. What k_object_alloc() made is freed, as soon as
 * no thread is in a call with it. Kernel threads only. Context: thread.
 */
void k_object_free(void *object);

/**
 * Returns true: `object` is one of that kind, initialised (a thread: alive; a stack: nobody lives
 * there), which the calling thread was given access to, as a kernel thread has to be, too.
 * Context: thread, in kernel mode; in a verifier k_syscall_may_use(), since a user's object may go
 * meanwhile.
 */
bool k_object_is_valid(const void *object, enum k_objects otype);

/**
 * Make an object, not initialised yet, out of the caller's resource pool; the caller has access.
 * When no thread has access any more, by k_object_release(), k_object_access_revoke(), or its
 * end, it is freed, with what it holds: a message queue's and a stack's buffer, a queue's
 * containers. A thread's block (K_OBJ_THREAD) outlives its thread.
 * A kernel thread that uses it needs access, too: that keeps it.
 * Freed at once where a thread releases or revokes. What a thread leaves behind that ends is freed
 * when the CPU is idle, or somebody allocates. A thread that had its access revoked by another one,
 * and had just used it, keeps it until it uses two others, releases one, or ends.
 * Returns it, or NULL: no pool, or not enough in it; CONFIG_USER_OBJECTS objects are known
 * already; not a kind that can be made so (a stack: k_thread_stack_alloc()).
 * Context: thread (asserted: object-alloc-in-isr).
 */
void *k_object_alloc(enum k_objects otype);

/**
 * The same with `size` bytes behind the object; for K_OBJ_THREAD_STACK_ELEMENT
 * k_thread_stack_alloc(size, K_USER).
 * Returns it, or NULL as above.
 * Context: thread (asserted: object-alloc-in-isr).
 */
void *k_object_alloc_size(enum k_objects otype, size_t size);

/**
 * Let `thread` use each of the objects, up to 63 of them. One that cannot be granted is a fatal
 * error of the caller: k_object_access_grant() says why.
 * Context: thread.
 */
#define k_thread_access_grant(thread, ...)                                           \
	do {                                                                         \
		struct k_thread *granted_ = (thread);                                \
		k_object_must_be_granted_(0 K_GRANT_EACH_(UTIL_COUNT_(__VA_ARGS__))( \
			K_GRANT_, (), granted_, 0, __VA_ARGS__));                    \
	} while (0)
#define K_GRANT_EACH_(n)   K_GRANT_EACH_X_(n)
#define K_GRANT_EACH_X_(n) UTIL_EACH_##n##_
#define K_GRANT_(thread, i, object) \
	?: k_object_grant_((object), K_OBJECT_KIND_(object), K_OBJECT_SIZE_(object), thread)

#else

#define K_OBJECT_MEMBER
#define K_OBJECT_INIT_
#define K_OBJECT_INIT_BY_NAME_

/*
 * All threads are the kernel's, and may use what they can name; nothing is allocated, since nothing
 * would be freed.
 */
#define k_thread_access_grant(thread, ...)     ((void)(thread))
#define k_object_access_grant(object, thread)  ((void)(object), (void)(thread), 0)
#define k_object_access_revoke(object, thread) ((void)(object), (void)(thread))
#define k_object_access_all_grant(object)      ((void)(object), 0)
#define k_object_release(object)               ((void)(object))

static inline bool k_object_is_valid(const void *object, enum k_objects otype)
{
	(void)object;
	(void)otype;
	return true;
}

static inline void *k_object_alloc(enum k_objects otype)
{
	(void)otype;
	return NULL;
}

static inline void *k_object_alloc_size(enum k_objects otype, size_t size)
{
	(void)otype;
	(void)size;
	return NULL;
}

static inline void k_object_free(void *object)
{
	(void)object;
}

#endif /* CONFIG_USERSPACE */

#endif /* FOLIOT_OBJECT_H */

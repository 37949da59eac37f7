/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Stacks of words, last in, first out.
 */
#ifndef FOLIOT_STACK_H
#define FOLIOT_STACK_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_heap;

/** What a stack holds: a word. */
typedef uintptr_t stack_data_t;

/** A stack of words, and who waits for one. */
struct k_stack {
	_wait_q_t wait_q;
	/* Next beside both, so that either pair can be loaded by one instruction. */
	stack_data_t *limit; /* top, or base where a push must look for a waiter first */
	stack_data_t *next;  /* the first free place */
	stack_data_t *base;
	stack_data_t *top;   /* one behind the last place */
	struct k_heap *pool; /* where k_stack_alloc_init() took the buffer */
	K_OBJ_CORE_MEMBER
	K_OBJECT_MEMBER
};

/** What a k_stack is initialised with: room for `n` words in `buf`. */
#define K_STACK_INITIALIZER(buf, n) \
	{WAIT_Q_INIT, (buf) + (n), (buf), (buf), (buf) + (n), NULL K_OBJ_CORE_INIT_ K_OBJECT_INIT_}
/** Define an empty stack for `n` words, ready before any code runs; at file scope. */
#define K_STACK_DEFINE(name, n)                                            \
	static stack_data_t __noinit _k_stack_buf_##name[n];               \
	struct k_stack name = K_STACK_INITIALIZER(_k_stack_buf_##name, n); \
	K_OBJ_CORE_STATIC_(name, stack)

/** Prepare an empty stack for `num_entries` words in `buffer`. Context: either. */
void k_stack_init(struct k_stack *stack, stack_data_t *buffer, uint32_t num_entries);

/**
 * As above, with a buffer from the caller's resource pool.
 * Returns 0, or -ENOMEM when there is no pool or it is exhausted.
 * Context: thread.
 */
int32_t k_stack_alloc_init(struct k_stack *stack, uint32_t num_entries);

/**
 * Give that buffer back, if there is one; the stack is not to be used then.
 * Returns 0, or -EAGAIN while threads wait.
 * Context: thread.
 */
int k_stack_cleanup(struct k_stack *stack);

/** Push, or hand to the most urgent waiter. Returns 0, or -ENOMEM: full. Context: either. */
int k_stack_push(struct k_stack *stack, stack_data_t data);

/**
 * Pop into *data; wait while the stack is empty.
 * Returns 0; -EBUSY: empty, and K_NO_WAIT was given; -EAGAIN: timed out, or called from an
 * ISR that would have had to wait (asserted: blocking-call-in-isr).
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_stack_pop(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);

#endif /* FOLIOT_STACK_H */

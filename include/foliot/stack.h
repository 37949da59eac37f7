/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of words, last in, first out. */
#ifndef FOLIOT_STACK_H
#define FOLIOT_STACK_H

#include <foliot/time.h>
#include <foliot/obj_core.h>
#include <foliot/wait_q.h>

struct k_heap;

typedef uintptr_t stack_data_t;

struct k_stack {
	_wait_q_t wait_q;
	/* Next beside both, so that either pair can be loaded by one instruction. */
	stack_data_t *limit; /* top, or base where a push must look for a waiter first */
	stack_data_t *next;  /* the first free place */
	stack_data_t *base;
	stack_data_t *top;   /* one behind the last place */
	struct k_heap *pool; /* where k_stack_alloc_init() took the buffer */
	K_OBJ_CORE_MEMBER
};

#define K_STACK_INITIALIZER(buf, n) \
	{WAIT_Q_INIT, (buf) + (n), (buf), (buf), (buf) + (n), NULL K_OBJ_CORE_INIT_}
#define K_STACK_DEFINE(name, n)                                            \
	static stack_data_t __noinit _k_stack_buf_##name[n];               \
	struct k_stack name = K_STACK_INITIALIZER(_k_stack_buf_##name, n); \
	K_OBJ_CORE_STATIC_(name, stack)

/* Context: either. */
void k_stack_init(struct k_stack *stack, stack_data_t *buffer, uint32_t num_entries);
/* As above, with a buffer from the caller's resource pool. 0 or -ENOMEM. Context: thread. */
int32_t k_stack_alloc_init(struct k_stack *stack, uint32_t num_entries);
/* Give back that buffer. 0, or -EAGAIN while threads wait. Context: thread. */
int k_stack_cleanup(struct k_stack *stack);

/* Push, or hand to a waiter. Returns 0, or -ENOMEM when full. Context: either. */
int k_stack_push(struct k_stack *stack, stack_data_t data);

/*
 * Pop into *data. Returns 0; -EBUSY: empty, and K_NO_WAIT was given; -EAGAIN: timed
 * out. Context: thread (ISR with K_NO_WAIT).
 */
int k_stack_pop(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);

#endif /* FOLIOT_STACK_H */

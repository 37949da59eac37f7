/* SPDX-License-Identifier: Apache-2.0 */
/* What is done to a stack by who may block or wake: operation.h. */

static intptr_t push_at_limit(struct k_stack *stack, stack_data_t data, unsigned int key);

OPERATION(int, k_stack_push, (struct k_stack *stack, stack_data_t data), (stack, data),
	  IS_USABLE(stack, struct k_stack, K_OBJ_STACK))
{
	stack_data_t *next = stack->next;

	if (unlikely(next == stack->limit)) {
		return push_at_limit(stack, data, key);
	}
	*next = data;
	stack->next = next + 1;
	return done(0, key);
}

/* A function of its own: six registers (kernel/syscall/fast.h) are not enough for both. */
static __noinline intptr_t push_at_limit(struct k_stack *stack, stack_data_t data, unsigned int key)
{
	struct k_thread *waiter = stack->wait_q.head;

	if (waiter != NULL) {
		if (STAYS_MASKED) {
			waiter->wake_data = data;
		}
		return WAKE(&stack->wait_q, waiter, 0, IN_FULL(k_stack_push, stack, data));
	}
	if (stack->next == stack->top) {
		return done(-ENOMEM, key);
	}
	stack->limit = stack->top;
	*stack->next++ = data;
	return done(0, key);
}

OPERATION_LOOKED_AT(int, k_stack_pop,
		    (struct k_stack *stack, stack_data_t *data, k_timeout_t timeout),
		    (stack, data, timeout), IS_USABLE(stack, struct k_stack, K_OBJ_STACK))
{
	if (unlikely(stack->next == stack->base)) {
		return WAIT_FOR_WORD(stack, data, timeout,
				     IN_FULL(k_stack_pop, stack, data, timeout));
	}
	return TAKE_WORD(stack, data, timeout, IN_FULL(k_stack_pop, stack, data, timeout));
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls: stacks, queues, message queues. What crosses the boundary is copied by the
 * thread itself, through a buffer on the stack of its system calls: nobody else ever follows a
 * user's pointer, and a buffer that was checked cannot be taken away before it is used.
 */
#include "kernel/syscall/slow.h" /* first: by which label calls are called */
#include "kernel/objects/msgq_copy.h"
#include "kernel/objects/queue_link.h"
#include "kernel/objects/queue_ops.h"
#include "kernel/objects/stack_ops.h"

#define VERIFY_STACK(stack) VERIFY_OBJECT(stack, struct k_stack, K_OBJ_STACK)
#define VERIFY_QUEUE(queue) VERIFY_OBJECT(queue, struct k_queue, K_OBJ_QUEUE)
#define VERIFY_MSGQ(msgq)   VERIFY_OBJECT(msgq, struct k_msgq, K_OBJ_MSGQ)

/*@ requires caller_is_sound;
  @ ensures num_entries == 0 ==> \result == -EINVAL;
  @*/
int32_t verify_k_stack_alloc_init(struct k_stack *stack, uint32_t num_entries)
{
	unsigned int key = verify_init_begin(stack, OBJECT_TAG_OFFSET(struct k_stack), K_OBJ_STACK);
	int result;

	K_SYSCALL_NARROW(num_entries);
	result = num_entries == 0 ? -EINVAL : k_stack_alloc_init(stack, num_entries);
	irq_unlock(key);
	return result;
}

/*@ requires caller_is_sound && some_may_be_used((void *)stack, K_OBJ_STACK);
  @ ensures caller_may_touch{Pre}((uintptr_t)data, sizeof(*data), (boolean)1);
  @ ensures \result == answered;
  @ ensures \result == 0 ==> \exists integer word;
  @   was_copied(ARCH_COPY_TO, (uintptr_t)data, word, sizeof(*data));
  @*/
int checked_k_stack_pop(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout)
{
	stack_data_t word;
	int result;

	user_verify_writable(data, sizeof(*data)); /* before the word is lost by a call in vain */
	result = k_stack_pop(stack, &word, verify_timeout(timeout));
	if (result == 0) {
		user_copy_out(data, &word, sizeof(word));
	}
	return result;
}

/*@ requires caller_is_sound; */
void verify_k_queue_init(struct k_queue *queue)
{
	unsigned int key = verify_init_begin(queue, OBJECT_TAG_OFFSET(struct k_queue), K_OBJ_QUEUE);

	k_queue_init(queue);
	irq_unlock(key);
}

/*@ requires caller_is_sound; */
int verify_k_queue_is_empty(struct k_queue *queue)
{
	VERIFY_QUEUE(queue);
	return k_queue_is_empty(queue);
}

/*@ requires caller_is_sound; */
void *verify_k_queue_peek_head(struct k_queue *queue)
{
	VERIFY_QUEUE(queue);
	return k_queue_peek_head(queue);
}

/*@ requires caller_is_sound; */
void *verify_k_queue_peek_tail(struct k_queue *queue)
{
	VERIFY_QUEUE(queue);
	return k_queue_peek_tail(queue);
}

/*@ requires caller_is_sound; */
void verify_k_queue_cancel_wait(struct k_queue *queue)
{
	VERIFY_QUEUE(queue);
	k_queue_cancel_wait(queue);
}

/*@ requires caller_is_sound; */
int verify_k_msgq_alloc_init(struct k_msgq *msgq, size_t msg_size, uint32_t max_msgs)
{
	unsigned int key = verify_init_begin(msgq, OBJECT_TAG_OFFSET(struct k_msgq), K_OBJ_MSGQ);
	int result;

	K_SYSCALL_NARROW(max_msgs);
	result = k_msgq_alloc_init(msgq, msg_size, max_msgs);
	irq_unlock(key);
	return result;
}

/*
 * Short messages go through the stack of system calls. Longer ones are copied between the
 * thread's memory and the queue, looked at step by step; before that, so that a bad buffer is
 * refused whatever the queue holds.
 */
/*@ predicate msgq_is_sound{L}(struct k_msgq *msgq) =
  @   some_may_be_used((void *)msgq, K_OBJ_MSGQ) ==> \valid_read(msgq) &&
  @     \separated(msgq, k_cpu.current, &user_has_orphans,
  @       &orphans[0 .. CONFIG_USER_OBJECTS / 32 - 1], &object_table[0 .. CONFIG_USER_OBJECTS - 1]);
  @*/
/*@ requires \valid_read(msgq);
  @ assigns \nothing;
  @ ensures \result <==> msgq->msg_size <= USER_COPY_MAX;
  @*/
static bool is_short(const struct k_msgq *msgq)
{
	return msgq->msg_size <= USER_COPY_MAX;
}

/*@ requires caller_is_sound && msgq_is_sound((struct k_msgq *)msgq); */
int verify_k_msgq_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout)
{
	char message[USER_COPY_MAX] __aligned(sizeof(uint32_t));

	VERIFY_MSGQ(msgq);
	if (!is_short(msgq)) {
		user_verify_readable(data, msgq->msg_size);
		return msgq_user_put(msgq, data, verify_timeout(timeout));
	}
	user_copy_in(message, data, msgq->msg_size);
	return k_msgq_put(msgq, message, verify_timeout(timeout));
}

/*@ requires caller_is_sound && msgq_is_sound((struct k_msgq *)msgq); */
int verify_k_msgq_put_front(struct k_msgq *msgq, const void *data)
{
	char message[USER_COPY_MAX] __aligned(sizeof(uint32_t));

	VERIFY_MSGQ(msgq);
	if (!is_short(msgq)) {
		user_verify_readable(data, msgq->msg_size);
		return msgq_put_front(msgq, data, k_cpu.current);
	}
	user_copy_in(message, data, msgq->msg_size);
	return k_msgq_put_front(msgq, message);
}

/*@ requires thread_is_sound(k_cpu.current) && \valid_read(msgq);
  @ requires result == 0 ==> \valid_read(message + (0 .. msgq->msg_size - 1));
  @ ensures \result == result && (result == 0 ==>
  @   caller_may_touch{Pre}((uintptr_t)data, \at(msgq->msg_size, Pre), (boolean)1));
  @*/
static int hand_out(const struct k_msgq *msgq, void *data, const char *message, int result)
{
	if (result == 0) {
		user_copy_out(data, message, msgq->msg_size);
	}
	return result;
}

/*@ requires caller_is_sound && msgq_is_sound(msgq);
  @ ensures caller_may_touch{Pre}((uintptr_t)data, \at(msgq->msg_size, Pre), (boolean)1);
  @*/
int verify_k_msgq_get(struct k_msgq *msgq, void *data, k_timeout_t timeout)
{
	char message[USER_COPY_MAX] __aligned(sizeof(uint32_t));

	VERIFY_MSGQ(msgq);
	user_verify_writable(data, msgq->msg_size);
	if (!is_short(msgq)) {
		return msgq_user_get(msgq, data, verify_timeout(timeout));
	}
	return hand_out(msgq, data, message, k_msgq_get(msgq, message, verify_timeout(timeout)));
}

/*@ requires caller_is_sound && msgq_is_sound(msgq);
  @ ensures caller_may_touch{Pre}((uintptr_t)data, \at(msgq->msg_size, Pre), (boolean)1);
  @*/
int verify_k_msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx)
{
	char message[USER_COPY_MAX] __aligned(sizeof(uint32_t));

	VERIFY_MSGQ(msgq);
	user_verify_writable(data, msgq->msg_size);
	K_SYSCALL_NARROW(idx);
	if (!is_short(msgq)) {
		return msgq_peek_at(msgq, data, idx, k_cpu.current);
	}
	return hand_out(msgq, data, message, k_msgq_peek_at(msgq, message, idx));
}

/*@ requires caller_is_sound && msgq_is_sound(msgq);
  @ ensures caller_may_touch{Pre}((uintptr_t)data, \at(msgq->msg_size, Pre), (boolean)1);
  @*/
int verify_k_msgq_peek(struct k_msgq *msgq, void *data)
{
	return verify_k_msgq_peek_at(msgq, data, 0);
}

/*@ requires caller_is_sound; */
void verify_k_msgq_purge(struct k_msgq *msgq)
{
	VERIFY_MSGQ(msgq);
	k_msgq_purge(msgq);
}

/*@ requires caller_is_sound; */
uint32_t verify_k_msgq_num_free_get(const struct k_msgq *msgq)
{
	VERIFY_MSGQ(msgq);
	return k_msgq_num_free_get(msgq);
}

/*@ requires caller_is_sound; */
uint32_t verify_k_msgq_num_used_get(const struct k_msgq *msgq)
{
	VERIFY_MSGQ(msgq);
	return k_msgq_num_used_get(msgq);
}

/* It is copied out as it lies on the kernel's stack: padding would carry that along. */
BUILD_ASSERT(sizeof(struct k_msgq_attrs) == sizeof(size_t) + 2 * sizeof(uint32_t), "no padding");

/*@ requires caller_is_sound;
  @ ensures caller_may_touch{Pre}((uintptr_t)attrs, sizeof(*attrs), (boolean)1);
  @*/
void verify_k_msgq_get_attrs(const struct k_msgq *msgq, struct k_msgq_attrs *attrs)
{
	struct k_msgq_attrs kept;

	VERIFY_MSGQ(msgq);
	k_msgq_get_attrs(msgq, &kept);
	user_copy_out(attrs, &kept, sizeof(kept));
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues of user threads. Nothing here is the kernel's, so it lies here, which both modes
 * execute: who submits and who serves makes system calls, and what a handler or a forged item does
 * is no more than any user thread can.
 */
#include <foliot/work_user.h>
#include <foliot/errno.h>
#include <foliot/object.h>
#include <foliot/user.h>

#ifdef CONFIG_USERSPACE

int k_work_user_submit_to_queue(struct k_work_user_q *work_q, struct k_work_user *work)
{
	int result;

	if (atomic_test_and_set_bit(&work->flags, K_WORK_USER_STATE_PENDING)) {
		return -EBUSY;
	}
	result = (int)k_queue_alloc_append(&work_q->queue, work);
	if (result != 0) {
		atomic_clear_bit(&work->flags, K_WORK_USER_STATE_PENDING);
	}
	return result;
}

static void serve(void *queue, void *p2, void *p3)
{
	for (;;) {
		struct k_work_user *work = k_queue_get(queue, K_FOREVER);

		/*
		 * Nothing: somebody cancelled the wait. Not pending: somebody has put it there by
		 * hand.
		 */
		if (work != NULL &&
		    atomic_test_and_clear_bit(&work->flags, K_WORK_USER_STATE_PENDING)) {
			work->handler(work);
		}
		k_yield();
	}
}

void k_work_user_queue_start(struct k_work_user_q *work_q, k_thread_stack_t *stack,
			     size_t stack_size, int prio, const char *name)
{
	k_queue_init(&work_q->queue);
	(void)k_thread_create(&work_q->thread, stack, stack_size, serve, &work_q->queue, NULL, NULL,
			      prio, K_USER | K_INHERIT_PERMS, K_FOREVER);
	(void)k_object_access_grant(&work_q->queue, &work_q->thread);
	if (name != NULL) {
		(void)k_thread_name_set(&work_q->thread, name);
	}
	k_thread_start(&work_q->thread);
}

#endif
